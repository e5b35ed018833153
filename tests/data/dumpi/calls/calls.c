/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes calls of MPI of most kinds once, among 4 ranks, to be traced. */
#include <mpi.h>

static int a[4096], b[4096], rank, up, down;
static MPI_Request q[4];
static MPI_Status status, statuses[4];

static void both(int count, MPI_Datatype type, int tag)
{
    MPI_Sendrecv(a, count, type, up, tag, b, count, type, down, tag,
                 MPI_COMM_WORLD, &status);
}

static void messages(void)
{
    int index, done, indices[4];

    both(10, MPI_INT, 3);
    MPI_Sendrecv_replace(a, 5, MPI_DOUBLE, up, 4, down, 4, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Irecv(b, 100, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(b + 100, 100, MPI_INT, up, 5, MPI_COMM_WORLD, &q[1]);
    MPI_Isend(a, 7, MPI_INT, down, 5, MPI_COMM_WORLD, &q[2]);
    MPI_Issend(a, 8, MPI_INT, up, 6, MPI_COMM_WORLD, &q[3]);
    MPI_Waitany(4, q, &index, &status);
    MPI_Waitsome(4, q, &done, indices, statuses);
    MPI_Waitall(4, q, statuses);
    MPI_Irecv(b, 4, MPI_INT, up, 99, MPI_COMM_WORLD, &q[0]);
    MPI_Cancel(&q[0]);
    MPI_Wait(&q[0], &status);
}

static void persistent(void)
{
    int flag = 0;

    MPI_Send_init(a, 3, MPI_INT, up, 7, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(b, 3, MPI_INT, down, 7, MPI_COMM_WORLD, &q[1]);
    MPI_Startall(2, q);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Start(&q[0]);
    MPI_Start(&q[1]);
    MPI_Wait(&q[0], &status);
    while (!flag)
        MPI_Test(&q[1], &flag, &status);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

static void probes(void)
{
    static char buffer[1000];
    void *at;
    int size, flag = 0;

    if (rank == 0) {
        MPI_Ssend(a, 2, MPI_INT, 1, 8, MPI_COMM_WORLD);
        MPI_Send(a, 0, MPI_INT, 1, 9, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
        MPI_Recv(b, 10, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
        while (!flag)
            MPI_Iprobe(0, 9, MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(b, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(a, 4, MPI_BYTE, up, 10, MPI_COMM_WORLD);
    MPI_Recv(b, 4, MPI_BYTE, down, 10, MPI_COMM_WORLD, &status);
    MPI_Buffer_detach(&at, &size);
}

/* Of 12, 80, 12, 20 and 24 bytes. */
static void types(void)
{
    int lengths[2] = {1, 2}, places[2] = {0, 4};
    int whole[2] = {8, 8}, part[2] = {2, 3}, first[2] = {0, 0};
    MPI_Aint offsets[2] = {0, 64};
    MPI_Datatype of[2] = {MPI_INT, MPI_DOUBLE}, t[5];

    MPI_Type_contiguous(3, MPI_INT, &t[0]);
    MPI_Type_vector(2, 5, 9, MPI_DOUBLE, &t[1]);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &t[2]);
    MPI_Type_create_struct(2, lengths, offsets, of, &t[3]);
    MPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_C, MPI_INT,
                             &t[4]);
    for (int i = 0; i < 5; i++) {
        MPI_Type_commit(&t[i]);
        both(1, t[i], 20 + i);
    }
}

static void collectives(void)
{
    int n[4] = {1, 2, 3, 4}, at[4] = {0, 4, 8, 12};
    int mine[4] = {rank + 1, rank + 1, rank + 1, rank + 1};
    MPI_Comm w = MPI_COMM_WORLD;

    MPI_Barrier(w);
    MPI_Bcast(a, 3, MPI_INT, 2, w);
    MPI_Reduce(a, b, 3, MPI_DOUBLE, MPI_SUM, 1, w);
    MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, w);
    MPI_Gather(a, 2, MPI_INT, b, 2, MPI_INT, 0, w);
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, 3, w);
    MPI_Gatherv(a, rank + 1, MPI_INT, b, n, at, MPI_INT, 1, w);
    MPI_Scatterv(a, n, at, MPI_INT, b, rank + 1, MPI_INT, 1, w);
    MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, w);
    MPI_Allgatherv(a, rank + 1, MPI_INT, b, n, at, MPI_INT, w);
    MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, w);
    MPI_Alltoallv(a, n, at, MPI_INT, b, mine, at, MPI_INT, w);
    MPI_Reduce_scatter(a, b, n, MPI_INT, MPI_SUM, w);
    MPI_Scan(a, b, 2, MPI_INT, MPI_SUM, w);
    MPI_Exscan(a, b, 2, MPI_INT, MPI_SUM, w);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, w);
}

static void communicators(void)
{
    int picked[2] = {2, 0}, range[1][3] = {{3, 0, -2}};
    int dims[2] = {2, 2}, wraps[2] = {0, 0}, stays[2] = {0, 1}, from, to;
    MPI_Comm dup, split, made, cart, row;
    MPI_Group world, g, h, both_of;

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(dup, rank & 1, -rank, &split);
    MPI_Barrier(split);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, picked, &g);
    MPI_Comm_create(MPI_COMM_WORLD, g, &made);
    MPI_Group_range_incl(world, 1, range, &h);
    MPI_Group_union(g, h, &both_of);
    MPI_Comm_create(MPI_COMM_WORLD, both_of, &made);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wraps, 0, &cart);
    MPI_Cart_shift(cart, 0, 1, &from, &to);
    MPI_Irecv(b, 1, MPI_INT, from, 2, cart, &q[0]);
    MPI_Isend(a, 1, MPI_INT, to, 2, cart, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Cart_sub(cart, stays, &row);
    MPI_Barrier(row);
    MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Comm_free(&split);
    MPI_Comm_dup(dup, &split);
    MPI_Barrier(split);
}

static void windows(void)
{
    int peers[2] = {up < down ? up : down, up < down ? down : up};
    MPI_Group world, near;
    MPI_Win w;

    MPI_Win_create(b, sizeof b, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_fence(0, w);
    MPI_Put(a, 3, MPI_INT, up, 0, 3, MPI_INT, w);
    MPI_Get(a + 100, 2, MPI_INT, down, 0, 2, MPI_INT, w);
    MPI_Accumulate(a, 1, MPI_INT, up, 0, 1, MPI_INT, MPI_SUM, w);
    MPI_Win_fence(0, w);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, peers, &near);
    MPI_Win_post(near, 0, w);
    MPI_Win_start(near, 0, w);
    MPI_Put(a, 1, MPI_INT, up, 0, 1, MPI_INT, w);
    MPI_Win_complete(w);
    MPI_Win_wait(w);
    MPI_Win_lock(MPI_LOCK_SHARED, up, 0, w);
    MPI_Put(a, 1, MPI_INT, up, 0, 1, MPI_INT, w);
    MPI_Win_unlock(up, w);
    MPI_Win_free(&w);
}

int main(int argc, char **argv)
{
    int ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    up = (rank + 1) % ranks;
    down = (rank + ranks - 1) % ranks;
    messages();
    persistent();
    probes();
    types();
    collectives();
    communicators();
    windows();
    MPI_Finalize();
    return 0;
}
