/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives, communicators, datatypes and windows of DUMPI files. */
#include "tests/dumpi_text.h"

/* --- collectives ---------------------------------------------------------- */

static void test_rooted(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_BARRIER, "h", T_WORLD);
    toy(&f, T_BCAST, "ihih", 3, T_INT, 2, T_WORLD);
    toy(&f, T_REDUCE, "ihbih", 3, T_DOUBLE, 1, 1, T_WORLD);
    toy(&f, T_GATHER, "iihih", 1, 3, T_INT, 0, T_WORLD);
    toy(&f, T_GATHER, "iihihih", 1, 0, 1, 1, T_WORLD, 3, T_INT); /* in place */
    toy(&f, T_GATHERV, "iiihihh", 1, 4, 6, T_BYTE, 0, T_WORLD, T_BYTE);
    toy(&f, T_GATHERV, "iiihihaah", 1, 4, 2, T_BYTE, 1, T_WORLD, 4, 1, 2, 3, 4,
        4, 0, 0, 0, 0, T_INT);
    toy(&f, T_SCATTER, "iihih", 1, 3, T_INT, 0, T_WORLD);
    toy(&f, T_SCATTERV, "iihihih", 1, 4, T_BYTE, 5, T_BYTE, 0, T_WORLD);
    toy(&f, T_SCATTERV, "iihihihaa", 1, 4, T_BYTE, 2, T_BYTE, 1, T_WORLD, 4, 1,
        2, 3, 4, 4, 0, 0, 0, 0);
    CHECK_FILE(f, "all! barrier\n"
                  "all! broadcast @2 12B/12B\n"
                  "all! reduce @1 24B/24B\n"
                  "all! gather @0 12B\n"
                  "all! gather @1 12B/12B\n"
                  "all! gather @0 6B\n"
                  "all! gather @1 2B from 4,8,12,16\n"
                  "all! scatter @0 0B/12B\n"
                  "all! scatter @0 0B/5B\n"
                  "all! scatter @1 0B/2B to 1,2,3,4\n");
}

static void test_all_to_all(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_ALLREDUCE, "ihbh", 2, T_DOUBLE, 3, T_WORLD);
    toy(&f, T_ALLGATHER, "ihihh", 2, T_INT, 8, T_BYTE, T_WORLD);
    toy(&f, T_ALLGATHER, "ihihh", 0, T_INT, 1, T_INT, T_WORLD); /* in place */
    toy(&f, T_ALLGATHERV, "iihaahh", 4, 2, T_INT, 4, 1, 2, 3, 4, 0, T_INT,
        T_WORLD);
    toy(&f, T_ALLTOALL, "ihihh", 0, 1, 4, T_BYTE, T_WORLD); /* in place */
    toy(&f, T_ALLTOALLV, "iaahaahh", 4, 4, 1, 2, 3, 4, 0, T_INT, 4, 5, 6, 7, 8,
        0, T_BYTE, T_WORLD);
    /* They are in place, and without counts of sent data, which then are those
     * of the received data. */
    toy(&f, T_ALLTOALLV, "iaahaahh", 4, 4, 1, 2, 3, 4, 0, 1, 4, 5, 6, 7, 8, 0,
        T_BYTE, T_WORLD);
    toy(&f, T_ALLTOALLV, "iaahaahh", 4, 0, 0, T_INT, 4, 5, 6, 7, 8, 0, T_BYTE,
        T_WORLD);
    toy(&f, T_ALLTOALLW, "iaataath", 4, 4, 1, 2, 3, 4, 0, 4, T_BYTE, T_INT,
        T_DOUBLE, T_BYTE, 4, 1, 1, 1, 1, 0, 4, T_INT, T_INT, T_INT, T_INT,
        T_WORLD);
    toy(&f, T_REDUCE_SCATTER, "iahbh", 4, 4, 1, 2, 3, 4, T_INT, 1, T_WORLD);
    toy(&f, T_SCAN, "ihbh", 2, T_INT, 1, T_WORLD);
    toy(&f, T_EXSCAN, "ihbh", 2, T_BYTE, 1, T_WORLD);
    CHECK_FILE(f, "all! allreduce 16B/16B\n"
                  "all! allgather 8B/8B\n"
                  "all! allgather 4B/4B\n"
                  "all! allgather 8B from 4,8,12,16\n"
                  "all! alltoall 4B/4B\n"
                  "all! alltoall to 4,8,12,16 from 5,6,7,8\n"
                  "all! alltoall to 5,6,7,8 from 5,6,7,8\n"
                  "all! alltoall to 5,6,7,8 from 5,6,7,8\n"
                  "all! alltoall to 1,8,24,4 from 4,4,4,4\n"
                  "all! reduce-scatter 0B/8B to 4,8,12,16\n"
                  "all! scan 8B/8B\n"
                  "all! exscan 2B/2B\n");
}

static void test_types(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_TYPE_CONTIGUOUS, "ihh", 3, T_INT, 28);
    toy(&f, T_TYPE_VECTOR, "iiihh", 2, 5, 9, 28, 29);
    toy(&f, T_TYPE_INDEXED, "iaahh", 2, 2, 1, 3, 2, 0, 8, T_DOUBLE, 30);
    toy(&f, T_TYPE_STRUCT, "iaath", 2, 2, 2, 1, 2, 0, 8, 2, T_INT, 30, 31);
    /* 3 times 3 numbers on 4 ranks give each its share, rounded up: 3. */
    toy(&f, T_TYPE_DARRAY, "iiiadaabhh", 4, 1, 2, 2, 3, 3, 2, 0, 0, 2, -1, -1,
        2, 2, 2, 1, T_INT, 32);
    toy(&f, T_TYPE_SIZE, "hi", 40, 100);
    for (int type = 28; type < 33; type++)
        toy(&f, T_SEND, "ihiih", 1, type, 0, 0, T_WORLD);
    toy(&f, T_SEND, "ihiih", 2, 40, 0, 0, T_WORLD);
    toy(&f, T_SEND, "ihiih", 2, 50, 0, 0, T_WORLD); /* its size is not given */
    CHECK_FILE(f, "other\nother\nother\nother\nother\nother\n"
                  "send! @0 t0 12B\nsend! @0 t0 120B\nsend! @0 t0 32B\n"
                  "send! @0 t0 40B\nsend! @0 t0 12B\nsend! @0 t0 200B\n"
                  "send! @0 t0\n");
}

/* --- communicators -------------------------------------------------------- */

static void test_comms(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_COMM_SIZE, "hi", T_WORLD, 4);
    toy(&f, T_COMM_RANK, "hi", T_WORLD, 1);
    toy(&f, T_COMM_DUP, "hh", T_WORLD, 4);
    toy(&f, T_COMM_SPLIT, "hiih", 4, 7, -3, 5);
    toy(&f, T_COMM_SPLIT, "hiih", T_WORLD, -32766, 0, 1); /* not in it */
    toy(&f, T_BARRIER, "h", 5);
    toy(&f, T_COMM_FREE, "h", 4);
    toy(&f, T_COMM_DUP, "hh", 5, 4); /* the number is used again */
    toy(&f, T_BARRIER, "h", 4);
    toy(&f, T_BARRIER, "h", T_SELF);
    toy(&f, T_BARRIER, "h", 9); /* nobody made it */
    CHECK_FILE(f, "other\nother\n"
                  "comm how 0 new 1\n"
                  "comm c1 how 1 new 2 7 -3\n"
                  "comm how 1 none -32766 0\n"
                  "all! barrier c2\nother\n"
                  "comm c2 how 0 new 3\n"
                  "all! barrier c3\n"
                  "comm how 3 new 4 of 1\n"
                  "all! barrier c4\n"
                  "all! barrier c5\n");
}

static void test_groups(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_COMM_GROUP, "hh", T_WORLD, 3);
    toy(&f, T_GROUP_INCL, "hiah", 3, 2, 2, 3, 1, 4);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 4, 4);
    toy(&f, T_GROUP_EXCL, "hiah", 3, 1, 1, 0, 5); /* 1, 2, 3 */
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 5, 5);
    toy(&f, T_COMM_GROUP, "hh", 5, 6);
    toy(&f, T_GROUP_INCL, "hiah", 6, 2, 2, 2, 0, 7); /* 3, 1 of the world */
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 7, 6);
    toy(&f, T_COMM_CREATE, "hhh", 5, 7, 7); /* 2, 0 of that one */
    toy(&f, T_GROUP_UNION, "hhh", 4, 5, 8);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 8, 8);
    toy(&f, T_GROUP_INTERSECTION, "hhh", 5, 4, 9);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 9, 9);
    toy(&f, T_GROUP_DIFFERENCE, "hhh", 3, 4, 10);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 10, 1);
    toy(&f, T_GROUP_RANGE_INCL, "hiiah", 3, 1, 1, 3, 3, 0, -2, 11);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 11, 10);
    toy(&f, T_GROUP_RANGE_EXCL, "hiiah", 3, 1, 1, 3, 0, 2, 2, 12);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 12, 11);
    CHECK_FILE(f, "other\nother\n"
                  "comm how 2 new 1 of 3,1\nother\n"
                  "comm how 2 new 2 of 1,2,3\nother\nother\n"
                  "comm how 2 new 3 of 3,1\n"
                  "comm c2 how 2 new 4 of 2,0\nother\n"
                  "comm how 2 new 5 of 3,1,2\nother\n"
                  "comm how 2 new 6 of 1,3\nother\n"
                  "comm how 2 none of 0,2\nother\n"
                  "comm how 2 new 7 of 3,1\nother\n"
                  "comm how 2 new 8 of 1,3\n");
}

/* Rank 1 of 2 x 2 is in row 0 and column 1. */
static void test_topologies(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_CART_CREATE, "hiaaih", T_WORLD, 2, 2, 2, 2, 2, 0, 0, 0, 4);
    toy(&f, T_CART_SUB, "ihah", 2, 4, 2, 0, 1, 5);
    toy(&f, T_CART_SUB, "ihah", 2, 4, 2, 1, 0, 6);
    toy(&f, T_CART_CREATE, "hiaaih", T_WORLD, 1, 1, 3, 1, 0, 0, 7);
    toy(&f, T_GRAPH_CREATE, "ihiaaih", 0, T_WORLD, 2, 2, 0, 0, 0, 0, 8);
    toy(&f, T_INTERCOMM_CREATE, "hihiih", T_WORLD, 0, 4, 0, 0, 9);
    CHECK_FILE(f, "comm how 0 new 1\n"
                  "comm c1 how 1 new 2 0 1\n"
                  "comm c1 how 1 new 3 1 0\n"
                  "comm how 2 new 4 of 0,1,2\n"
                  "comm how 2 new 5 of 0,1\n"
                  "?\n");
}

/* --- one-sided ------------------------------------------------------------ */

static void test_windows(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_COMM_GROUP, "hh", T_WORLD, 3);
    toy(&f, T_GROUP_INCL, "hiah", 3, 2, 2, 0, 2, 4);
    toy(&f, T_WIN_CREATE, "iihhh", 100, 1, 0, T_WORLD, 1);
    toy(&f, T_PUT, "ihiiihh", 3, T_INT, 2, 0, 3, T_INT, 1);
    toy(&f, T_WIN_FENCE, "bh", 0, 1);
    toy(&f, T_WIN_LOCK, "bibh", 1, 3, 0, 1);
    toy(&f, T_WIN_UNLOCK, "ih", 3, 1);
    toy(&f, T_WIN_POST, "hbh", 4, 0, 1);
    toy(&f, T_WIN_START, "hbh", 4, 0, 1);
    toy(&f, T_WIN_COMPLETE, "h", 1);
    toy(&f, T_WIN_TEST, "hi", 1, 0);
    toy(&f, T_WIN_WAIT, "h", 1);
    toy(&f, T_WIN_FREE, "h", 1);
    toy(&f, T_FILE_READ, "hihx", 1, 5, T_INT, 0);
    CHECK_FILE(f, "other\nother\ncomm how 0 new 1\n"
                  "put c1 @2 12B\nflush c1 @any\nall! barrier c1\n"
                  "other\nflush c1 @3\n"
                  "send c1 @0 t0\nsend c1 @2 t0\n"
                  "recv! c1 @0 t0\nrecv! c1 @2 t0\n"
                  "flush c1 @any\nsend c1 @0 t1\nsend c1 @2 t1\n"
                  "poll @none t0\n"
                  "recv! c1 @0 t1\nrecv! c1 @2 t1\n"
                  "all! barrier c1\n?\n");
}

int main(void)
{
    scratch_make();
    test_rooted();
    test_all_to_all();
    test_types();
    test_comms();
    test_groups();
    test_topologies();
    test_windows();
    scratch_clear();
    return check_result();
}
