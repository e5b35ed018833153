/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library between a program and MPI that counts rank 0's calls, and prints
 * them at the end, so that a test sees which calls a benchmark makes. */
#include <mpi.h>
#include <stdio.h>

static long sends, receives, posted_sends, posted_receives, waits;

int MPI_Send(const void *at, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm)
{
    sends++;
    return PMPI_Send(at, count, type, to, tag, comm);
}

int MPI_Recv(void *at, int count, MPI_Datatype type, int from, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    receives++;
    return PMPI_Recv(at, count, type, from, tag, comm, status);
}

int MPI_Isend(const void *at, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    posted_sends++;
    return PMPI_Isend(at, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *at, int count, MPI_Datatype type, int from, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    posted_receives++;
    return PMPI_Irecv(at, count, type, from, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    waits++;
    return PMPI_Waitall(count, requests, statuses);
}

int MPI_Finalize(void)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "calls: %ld %ld %ld %ld %ld\n", sends, receives,
                posted_sends, posted_receives, waits);
    return PMPI_Finalize();
}
