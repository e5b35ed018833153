/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - tests the guarantees of validate/testbed from MPI: the places of
 * ranks, the time of a message, the rate of pairs of ranks. It prints one line
 * each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USAGE                                                                  \
    "usage: probe where\n"                                                     \
    "       probe pairs DISTANCE PAIRS BYTES TIMES   rank r to r + DISTANCE\n" \
    "       probe pong RANK RANK BYTES TIMES quiet|busy   what others do\n"

static int rank, nranks;

static long number(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*end || value < 0 || value > 1L << 30) {
        fprintf(stderr, "probe: expected a number, got '%s'\n", text);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return value;
}

/* Prints rank, host, and the number of ranks that share its memory. */
static void where(void)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int length, sharing;
    MPI_Comm node;

    MPI_Get_processor_name(host, &length);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &node);
    MPI_Comm_size(node, &sharing);
    MPI_Comm_free(&node);
    printf("where,%d,%s,%d\n", rank, host, sharing);
}

/* Returns a clock that all ranks share, because they are on one machine;
 * MPI_Wtime counts from the beginning of each. */
static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The first `npairs` ranks send to the rank `distance` higher; prints the bytes
 * per second of each pair, and of all from the first's start to the last's
 * end. */
static void pairs(int distance, int npairs, int bytes, int times)
{
    char *buffer = calloc(1, (size_t)bytes + 1);
    int sends = rank < npairs;
    int receives = rank >= distance && rank < distance + npairs;
    double start_s, end_s, first_s, last_s, sent_B = (double)bytes * times;

    MPI_Barrier(MPI_COMM_WORLD);
    start_s = now_s();
    for (int i = 0; i < times; i++) {
        if (sends)
            MPI_Send(buffer, bytes, MPI_BYTE, rank + distance, 0,
                     MPI_COMM_WORLD);
        if (receives)
            MPI_Recv(buffer, bytes, MPI_BYTE, rank - distance, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end_s = now_s();
    MPI_Allreduce(&start_s, &first_s, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Reduce(&end_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (receives)
        printf("pair,%d,%.0f\n", rank - distance, sent_B / (end_s - first_s));
    if (rank == 0)
        printf("all,%d,%.0f\n", npairs, sent_B * npairs / (last_s - first_s));
    free(buffer);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Waits in a barrier without taking CPU time from others. */
static void barrier_quietly(void)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    MPI_Request barrier;
    int done = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) {
        nanosleep(&nap, NULL);
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
}

static void pong_once(int peer, int first, char *buffer, int bytes)
{
    if (first)
        MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (!first)
        MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
}

/* Prints one-way times in seconds: least, quarter, median, three quarters, 95
 * %, most. */
static void print_times(double *time_s, int times)
{
    static const double part[] = {0, 0.25, 0.5, 0.75, 0.95, 1};

    qsort(time_s, (size_t)times, sizeof *time_s, by_value);
    printf("pong");
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        printf(",%.2e", time_s[(int)(part[i] * (times - 1))]);
    printf("\n");
}

static void pong(int a, int b, int bytes, int times, int quiet)
{
    char *buffer = calloc(1, (size_t)bytes + 1);
    double *time_s = calloc((size_t)times, sizeof *time_s);

    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = -times / 10 - 1; i < times && (rank == a || rank == b); i++) {
        double start_s = now_s();
        pong_once(rank == a ? b : a, rank == a, buffer, bytes);
        if (i >= 0)
            time_s[i] = (now_s() - start_s) / 2;
    }
    if (quiet)
        barrier_quietly();
    else
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == a)
        print_times(time_s, times);
    free(time_s);
    free(buffer);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    if (argc == 2 && strcmp(argv[1], "where") == 0) {
        where();
    } else if (argc == 6 && strcmp(argv[1], "pairs") == 0) {
        pairs((int)number(argv[2]), (int)number(argv[3]), (int)number(argv[4]),
              (int)number(argv[5]));
    } else if (argc == 7 && strcmp(argv[1], "pong") == 0) {
        pong((int)number(argv[2]), (int)number(argv[3]), (int)number(argv[4]),
             (int)number(argv[5]), strcmp(argv[6], "quiet") == 0);
    } else {
        fputs(USAGE, stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return 0;
}
