/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DUMPI traces that are incomplete or false: one error with the file and place;
 * and the remarks on those that lack something. */
#include "tests/dumpi_text.h"

#include <sys/stat.h>

/* Returns the error of opening a trace, or else of reading its ranks; "" if it
 * is read. The caller frees it. */
static char *refusal(const char *words)
{
    struct trace t;
    struct trace_event e;
    struct err err = {0};
    int result = trace_open(&t, words, &err);

    if (result == 0) {
        for (uint32_t r = 0; r < t.ranks && result == 0; r++)
            while (
                (result = t.rank[r].missing ? 0 : trace_next(&t, r, &e, &err)) >
                0)
                ;
        trace_close(&t);
    }
    return xstrdup(result < 0 ? err.text : "");
}

static void check_refused(const char *words, const char *part, int line)
{
    char *got = refusal(words);

    check_count++;
    if (!strstr(got, part) || strchr(got, '\n')) {
        check_failures++;
        fprintf(stderr, "%s:%d: expected \"%s\" in \"%s\"\n", __FILE__, line,
                part, got);
    }
    free(got);
}
#define CHECK_REFUSED(words, part) check_refused(words, part, __LINE__)

static struct toy_file small(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_INIT, "is", 1, "app");
    toy(&f, T_SEND, "ihiih", 10, T_INT, 0, 7, T_WORLD);
    return f;
}

/* Checks that a closed file is refused, after the byte at `at` (from its end if
 * negative) is changed. */
static void check_byte(struct toy_file f, long at, int byte, const char *part,
                       int line)
{
    if (!f.header)
        toy_close(&f);
    f.at[at < 0 ? (long)f.n + at : at] = (unsigned char)byte;
    char *path = toy_write(&f, "bad.bin");
    char *words = xasprintf("dumpi:%s", path);
    check_refused(words, part, line);
    unlink(path);
    free(words);
    free(path);
}
#define CHECK_BYTE(f, at, byte, part) check_byte(f, at, byte, part, __LINE__)

/* --- one file ------------------------------------------------------------- */

/* The index is 8 numbers of 8 bytes at the end: the magic one, then the
 * beginnings of sizes, functions, counters, header, stream, footer and key
 * values. */
static void test_parts(void)
{
    CHECK_BYTE(small(), 0, 0, "not a DUMPI file: it does not begin with 0xff");
    CHECK_BYTE(small(), -64, 0, "ends without an index: cut off");
    CHECK_BYTE(small(), -56, 1, "datatypes' sizes begin at byte 72");
    CHECK_BYTE(small(), -32, 9, "header begin at byte 648");
    CHECK_BYTE(small(), -17, 0, "byte 0: no records: cut off");
    struct toy_file f = small();
    toy_close(&f);
    CHECK_BYTE(f, (long)f.footer, 1, "expected a footer");
    f = small();
    toy_close(&f);
    CHECK_BYTE(f, (long)f.sizes, 0x7f, "sizes of datatypes, which do not fit");
    f = small();
    toy_close(&f);
    CHECK_BYTE(f, (long)f.header + 11, 0x7f, "header is cut off");
}

/* A file in the byte order of most machines is refused as such. */
static void test_little_endian(void)
{
    static const char words[2][17] = {"IPMU\x44\xdd\xaa\xff________",
                                      "\x44\xdd\xaa\xffIPMU________"};

    for (int i = 0; i < 2; i++) {
        char *path = scratch_bytes("little.bin", words[i], 16);
        CHECK_REFUSED(path, "written in little-endian order; DUMPI files are "
                            "big-endian");
        unlink(path);
        free(path);
    }
}

/* A file that is cut at any place is refused, and no byte beyond it is read. */
static void test_cut(void)
{
    struct toy_file f = small();

    toy_close(&f);
    for (size_t n = 0; n < f.n; n += n < 200 ? 1 : 97) {
        char *path = scratch_bytes("toy-0000.bin", f.at, n);
        char *words = xasprintf("dumpi:%s", path);
        char *got = refusal(words);
        CHECK(*got);
        CHECK_HAS(got, "toy-0000.bin");
        unlink(path);
        free(got);
        free(words);
        free(path);
    }
    free(f.at);
}

/* The record of the send begins at byte 56. */
static void test_records(void)
{
    size_t send = 56;

    CHECK_BYTE(small(), (long)send, 0x7f,
               "bad.bin: byte 56: rank 0: no record: a call has the number");
    CHECK_BYTE(small(), (long)send + 1, T_PCONTROL, "is never recorded");
    CHECK_BYTE(small(), (long)send + 2, 0x7f, "its mask is 0x7f");
    CHECK_BYTE(small(), (long)send + 1, T_WAITALL,
               "byte 56: rank 0: MPI_Waitall: counts 589824 values");
    CHECK_BYTE(small(), (long)send + 29, 0xff,
               "byte 56: rank 0: MPI_Send: count: expected 0 or more");
    CHECK_BYTE(small(), (long)send + 39, 0xff, "MPI_Send: tag: expected 0");
    CHECK_BYTE(small(), (long)send + 44, 1, "in no communicator");
}

/* --- arguments of calls --------------------------------------------------- */

/* Checks the error of a file of one call. */
#define CHECK_CALL(part, ...)                                                  \
    do {                                                                       \
        struct toy_file f_ = toy_file_new();                                   \
        toy(&f_, T_COMM_SIZE, "hi", T_WORLD, 4);                               \
        toy(&f_, __VA_ARGS__);                                                 \
        CHECK_BYTE(f_, 0, 0xff, part);                                         \
    } while (0)

static void test_calls(void)
{
    CHECK_CALL("MPI_Send: rank 4: the communicator has 4 ranks", T_SEND,
               "ihiih", 1, T_INT, 4, 0, T_WORLD);
    CHECK_CALL("MPI_Comm_size: says 4 ranks, but the trace has 5", T_COMM_SIZE,
               "hi", T_WORLD, 5); /* the last one counts */
    CHECK_CALL("MPI_Bcast: root 9: expected a rank of 4", T_BCAST, "ihih", 1,
               T_INT, 9, T_WORLD);
    CHECK_CALL("MPI_Allgatherv: 2 counts: the communicator has 4 ranks",
               T_ALLGATHERV, "iihaahh", 4, 2, T_INT, 2, 1, 2, 0, T_INT,
               T_WORLD);
    CHECK_CALL("MPI_Waitany: completed request 7 of 1", T_WAITANY, "iaix", 1, 1,
               2, 7, 0);
    CHECK_CALL("MPI_Start: request 5: no recorded call made it", T_START, "i",
               5);
    CHECK_CALL("window 3: no recorded call made it", T_WIN_FENCE, "bh", 0, 3);
    CHECK_CALL("dimension 1 is 0", T_CART_CREATE, "hiaaih", T_WORLD, 2, 2, 2, 0,
               2, 0, 0, 0, 4);
    CHECK_CALL("of 9 ranks: the communicator has 4", T_CART_CREATE, "hiaaih",
               T_WORLD, 1, 1, 9, 1, 0, 0, 4);
    CHECK_CALL("2 lengths of blocks, but 1 datatypes", T_TYPE_STRUCT, "iaath",
               2, 2, 1, 1, 2, 0, 0, 1, T_INT, 28);
    CHECK_CALL("count: expected 0 or more, got -1", T_TYPE_CONTIGUOUS, "ihh",
               -1, T_INT, 28);
}

/* --- several files -------------------------------------------------------- */

static char *one_of(const char *name, uint64_t start_s, const char *user,
                    int version, int size)
{
    struct toy_file f = toy_file_new();

    f.start_s = start_s;
    f.user = user;
    f.version[0] = (unsigned char)version;
    toy(&f, T_COMM_SIZE, "hi", T_WORLD, size);
    toy_close(&f);
    return toy_write(&f, name);
}

static void check_two(char *a, char *b, const char *part, int line)
{
    check_refused(a, part, line);
    check_refused(scratch, part, line);
    unlink(a);
    unlink(b);
    free(a);
    free(b);
}
#define CHECK_TWO(a, b, part) check_two(a, b, part, __LINE__)

static void test_runs(void)
{
    CHECK_TWO(one_of("r-0000.bin", 1000000, "me", 13, 2),
              one_of("r-0001.bin", 1000300, "me", 13, 2), "");
    CHECK_TWO(one_of("r-0000.bin", 1000000, "me", 13, 2),
              one_of("r-0001.bin", 1036000, "me", 13, 2),
              "r-0001.bin are of different runs: one began 36000 s after");
    CHECK_TWO(one_of("r-0000.bin", 1000000, "me", 13, 2),
              one_of("r-0001.bin", 1000000, "you", 13, 2),
              "are of different runs: of two users");
    CHECK_TWO(one_of("r-0000.bin", 1000000, "me", 13, 2),
              one_of("r-0001.bin", 1000000, "me", 12, 2),
              "are of different runs: versions 13.0.0 and 12.0.0");
    CHECK_TWO(one_of("r-0000.bin", 1000000, "me", 13, 2),
              one_of("r-0001.bin", 1000000, "me", 13, 3),
              "says 3 ranks, but the trace has 2: a file of another run?");
    CHECK_TWO(one_of("r-0000.bin", 1000000, "me", 13, 2),
              one_of("r-00000.bin", 1000000, "me", 13, 2),
              "are both of rank 0");
}

static void test_two_traces(void)
{
    char *a = one_of("r-0000.bin", 1000000, "me", 13, 1);
    char *b = one_of("s-0000.bin", 1000000, "me", 13, 1);

    CHECK_REFUSED(scratch, "holds several traces: name one");
    CHECK_REFUSED(a, "");
    CHECK_REFUSED(b, "");
    unlink(a);
    unlink(b);
    free(a);
    free(b);
}

static void check_meta(const char *text, const char *part, int line)
{
    char *path = one_of("m-0001.bin", 1000000, "me", 13, 2);
    char *meta = scratch_file("m.meta", text);

    check_refused(meta, part, line);
    unlink(path);
    unlink(meta);
    free(path);
    free(meta);
}
#define CHECK_META(text, part) check_meta(text, part, __LINE__)

static void test_meta(void)
{
#define ABOUT "hostname=h\nusername=me\n"
    CHECK_META(ABOUT "numprocs=2\nfileprefix=m\n", "");
    CHECK_META(ABOUT "numprocs=2\r\nfileprefix=/elsewhere/m\r\n", "");
    CHECK_META(ABOUT "numprocs=1\nfileprefix=m\n",
               "m-0001.bin: of rank 1, but");
    CHECK_META(ABOUT "numprocs=x\nfileprefix=m\n",
               "m.meta:3: expected a number");
    CHECK_META(ABOUT "numprocs=99999999\nfileprefix=m\n",
               "m.meta:3: numprocs: expected 1 to 4194304");
    CHECK_META(ABOUT "startime=1\nfileprefix=m\n", "expected a line numprocs=");
    CHECK_META(ABOUT "numprocs=2\nfileprefix=n\n", "found no file");
    CHECK_META(ABOUT "numprocs=2\nstartime=2000000\nfileprefix=m\n",
               "m.meta and ");
}

/* --- remarks -------------------------------------------------------------- */

static bool said(const struct trace *t, const char *part)
{
    for (size_t i = 0; i < t->nremarks; i++)
        if (strstr(t->remarks[i], part))
            return true;
    return false;
}

/* A wait for a number that more requests share than are kept ends 65 of them;
 * one remark says so. */
static void check_shared(int sends, bool remarks)
{
    struct toy_file f = toy_file_new();
    struct trace t;
    struct trace_event e;
    struct err err;

    for (int i = 0; i < sends; i++)
        toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, 6);
    toy(&f, T_WAIT, "ix", 6, 0);
    toy_close(&f);
    char *path = toy_write(&f, "shared.bin");
    CHECK(trace_open(&t, path, &err) == 0);
    size_t before = t.nremarks;
    while (trace_next(&t, 0, &e, &err) > 0)
        if (e.call == TRACE_WAIT)
            CHECK_EQ(e.nrequests, 65);
    CHECK(said(&t, "rank 0: MPI_Isend: more than 64 older requests share "
                   "numbers") == remarks);
    CHECK_EQ(t.nremarks, before + remarks);
    trace_close(&t);
    unlink(path);
    free(path);
}

/* A single file has its ranks from MPI_Comm_size, or else from its peers. */
static void test_alone(void)
{
    struct toy_file f = toy_file_new();
    struct trace t;
    struct trace_event e;
    struct err err;

    f.skipped_dups = 2;
    toy(&f, T_SEND, "ihiih", 1, T_BYTE, 6, 0, T_WORLD);
    toy(&f, T_COMM_RANK, "hi", T_WORLD, 3);
    toy(&f, T_WAIT, "ix", 77, 0);
    toy(&f, T_SEND, "ihiih", 1, T_BYTE, 6, 0, 4); /* a duplicate of the world */
    toy_close(&f);
    char *path = toy_write(&f, "part.bin");
    CHECK(trace_open(&t, path, &err) == 0);
    CHECK_EQ(t.ranks, 7);
    CHECK(t.rank[0].missing && !t.rank[3].missing);
    CHECK(said(&t, "at least 7, by those it has messages with"));
    CHECK(said(&t, "6 of 7 ranks have no file (the first: rank 0)"));
    CHECK(said(&t, "2 calls were made and not recorded, most of them "
                   "MPI_Comm_dup 2"));
    while (trace_next(&t, 3, &e, &err) > 0)
        if (e.call == TRACE_COMM)
            CHECK(e.how == TRACE_KNOWN && e.nmembers == 7 && e.key == 4);
    CHECK(said(&t, "waits for request 77, which no recorded call began"));
    CHECK(said(&t, "taken for a duplicate of the world"));
    trace_close(&t);
    unlink(path);
    free(path);
}

int main(void)
{
    scratch_make();
    test_parts();
    test_little_endian();
    test_cut();
    test_records();
    test_calls();
    test_runs();
    test_two_traces();
    test_meta();
    check_shared(65, false);
    check_shared(66, true);
    check_shared(80, true);
    test_alone();
    scratch_clear();
    return check_result();
}
