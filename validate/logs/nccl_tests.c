/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_tests.c - the tables of nccl-tests and rccl-tests. Versions differ in
 * their columns, so the line "# size count type ..." says which number is the
 * time; the first time is that out of place, the second that in place. The
 * collective is not in the table: a line names its program, or the columns and
 * the ratio of busbw to algbw determine it.
 */
#include "validate/logs/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS "size, count, type, time, algbw, busbw"

enum { MOST_WORDS = 24, NO_COLUMN = MOST_WORDS };

/* The columns of a table; NO_COLUMN if there is none. */
struct columns {
    size_t n, size, redop, root, time[2], algbw[2], busbw[2];
    bool guessed;
};

/* The evidence of a run about its collective. */
struct evidence {
    struct columns columns;
    bool known;    /* the columns are */
    double factor; /* busbw / algbw of the largest row; 0 if unknown */
    double algbw;  /* of that row */
    bool reduces, rooted;
    size_t first; /* row of the run */
};

/* Programs of nccl-tests, and the operations that they run. */
static const struct {
    const char *program, *operation;
} programs[] = {{"all_reduce_perf", "allreduce"},
                {"all_gather_perf", "allgather"},
                {"reduce_scatter_perf", "reduce_scatter"},
                {"broadcast_perf", "broadcast"},
                {"reduce_perf", "reduce"},
                {"alltoallv_perf", "alltoallv"},
                {"alltoall_perf", "alltoall"},
                {"sendrecv_perf", "sendrecv"},
                {"scatter_perf", "scatter"},
                {"gather_perf", "gather"},
                {"hypercube_perf", "hypercube"}};

static bool nccl_tests_head(struct scan line, struct scan *words, size_t *n)
{
    scan_blanks(&line);
    if (line.at == line.end || *line.at != '#')
        return false;
    line.at++;
    *n = log_words(words, MOST_WORDS, line);
    return *n >= 2 && *n <= MOST_WORDS &&
           ((scan_is(words[0], "size") && scan_is(words[1], "count")) ||
            (scan_is(words[0], "bytes") && scan_is(words[1], "N")));
}

/* Returns whether a line without a head is a row: size, count, type. */
static bool is_row(struct scan line)
{
    static const char *const types[] = {
        "float",    "half",   "double", "bfloat16", "int8",
        "uint8",    "int32",  "uint32", "int64",    "uint64",
        "fp8_e4m3", "f8e4m3", "f8e5m2", "fp8_e5m2"};
    struct scan words[MOST_WORDS];
    size_t n = log_words(words, MOST_WORDS, line);
    uint64_t ignored;

    if (n < 11 || n > 13 || !log_size(words[0], &ignored) ||
        !log_size(words[1], &ignored))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (scan_is(words[2], types[i]))
            return true;
    return false;
}

static bool nccl_tests_is(const char *begin, const char *end)
{
    static const char *const marks[] = {
        "# nThread", "# Collective test starting", "# Out of bounds values",
        "# Avg bus bandwidth"};
    struct scan line = {begin, end}, words[MOST_WORDS];
    size_t n;

    if (nccl_tests_head(line, words, &n) || is_row(line))
        return true;
    if (begin == end || *begin != '#')
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (log_has(line, marks[i]))
            return true;
    return log_has(line, " Rank ") && log_has(line, " Pid ") &&
           log_has(line, " device ");
}

/* --- columns -------------------------------------------------------------- */

/* Reads the head of a table; fails if it lacks a column of the rows. */
static int read_columns(struct columns *c, const struct scan *words, size_t n)
{
    size_t times = 0, algs = 0, buses = 0;

    *c = (struct columns){.n = n,
                          .redop = NO_COLUMN,
                          .root = NO_COLUMN,
                          .time = {NO_COLUMN, NO_COLUMN},
                          .algbw = {NO_COLUMN, NO_COLUMN},
                          .busbw = {NO_COLUMN, NO_COLUMN}};
    for (size_t i = 0; i < n; i++) {
        if (scan_is(words[i], "redop") || scan_is(words[i], "op"))
            c->redop = i;
        if (scan_is(words[i], "root"))
            c->root = i;
        if (scan_is(words[i], "time") && times < 2)
            c->time[times++] = i;
        if (scan_is(words[i], "algbw") && algs < 2)
            c->algbw[algs++] = i;
        if (scan_is(words[i], "busbw") && buses < 2)
            c->busbw[buses++] = i;
    }
    return times && algs == times && buses == times ? 0 : -1;
}

/* Guesses the columns of rows without a head, because the beginning of the log
 * is lost, from the number of words: size, count, type, perhaps redop and root,
 * and twice time, algbw, busbw and the check. */
static bool guess_columns(struct columns *c, const struct scan *words, size_t n)
{
    double ignored;
    bool numeric = n > 3 && scan_real_word(words[3], &ignored);

    if (n < 11 || n > 13)
        return false;
    *c = (struct columns){.n = n,
                          .redop =
                              n == 13 || (n == 12 && !numeric) ? 3 : NO_COLUMN,
                          .root = n == 13              ? 4
                                  : n == 12 && numeric ? 3
                                                       : NO_COLUMN,
                          .guessed = true};
    for (size_t i = 0; i < 2; i++) {
        c->time[i] = n - 8 + 4 * i;
        c->algbw[i] = c->time[i] + 1;
        c->busbw[i] = c->time[i] + 2;
    }
    return true;
}

/* --- head ----------------------------------------------------------------- */

/* Hosts of the ranks of a run, each once. */
struct hosts {
    char (*names)[64];
    size_t n;
};

static void hosts_add(struct hosts *h, struct scan word)
{
    char name[64];

    log_copy(name, sizeof name, word);
    for (size_t i = 0; i < h->n; i++)
        if (!strcmp(h->names[i], name))
            return;
    h->names = xrealloc(h->names, h->n + 1, sizeof *h->names);
    memcpy(h->names[h->n++], name, sizeof name);
}

/* Reads "#  Rank  7 Group  0 Pid 12 on host device  7 [0000:b0:00] NAME". */
static void rank_line(struct log_facts *f, struct hosts *h, struct scan line)
{
    struct scan rank = log_after(line, " Rank "),
                host = log_after(line, " on "), name = log_after(line, "] ");
    uint64_t n;

    if (!rank.at || !host.at || !log_has(line, " device "))
        return;
    if (!scan_whole(&rank, &n) || ((n + 1 > f->ranks || !h->n) &&
                                   !log_set_count(&f->ranks, (double)n + 1)))
        return;
    hosts_add(h, scan_word(&host));
    f->nodes = (uint32_t)h->n;
    if (name.at)
        log_copy(f->gpu, sizeof f->gpu, name);
}

/* Reads "# nThread 1 nGpus 8 minBytes ... graph: 0": GPUs of each thread, and
 * the graphs into which calls are captured. */
static void parameters_line(struct log_facts *f, struct scan line)
{
    struct scan gpus = log_after(line, " nGpus "),
                graph = log_after(line, "graph: ");
    uint64_t n;

    if (gpus.at && scan_whole(&gpus, &n))
        (void)log_set_count(&f->by_thread, (double)n);
    f->in_graph = graph.at && scan_whole(&graph, &n) && n > 0;
}

/* Reads the program that a line names, except the line after its end. */
static void program_line(char *operation, size_t room, struct scan line)
{
    if (log_has(line, "concluded"))
        return;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (log_has(line, programs[i].program)) {
            snprintf(operation, room, "%s", programs[i].operation);
            return;
        }
}

/* Reads "NCCL version 2.18.3+cuda12.2", or "nccl-library=22809" of the head. */
static void version_line(struct log_facts *f, struct scan line)
{
    static const char *const libraries[] = {"NCCL version ", "RCCL version "};
    struct scan code = log_after(line, "nccl-library=");
    uint64_t n;

    if (code.at && scan_digits(&code, &n))
        snprintf(f->library, sizeof f->library, "NCCL %llu.%llu.%llu",
                 (unsigned long long)n / 10000,
                 (unsigned long long)n / 100 % 100,
                 (unsigned long long)n % 100);

    for (size_t i = 0; i < 2; i++) {
        struct scan rest = log_after(line, libraries[i]);
        char version[32];
        if (!rest.at)
            continue;
        scan_blanks(&rest);
        if (rest.at < rest.end && *rest.at == ':')
            rest.at++;
        log_copy(version, sizeof version, scan_word(&rest));
        snprintf(f->library, sizeof f->library, "%.4s %s", libraries[i],
                 version);
    }
}

/* --- the collective ------------------------------------------------------- */

static bool is_near(double a, double b)
{
    return fabs(a / b - 1) < 2e-3;
}

/* Returns the collective that the evidence determines; NULL if several fit. */
static const char *determined(const struct evidence *e, uint32_t ranks)
{
    bool others = ranks && is_near(e->factor, (ranks - 1.0) / ranks);

    if (!(e->factor > 0))
        return NULL;
    if (e->reduces && e->rooted && is_near(e->factor, 1))
        return "reduce";
    if (e->reduces &&
        (e->factor > 1.005 ||
         (ranks && is_near(e->factor, 2 * (ranks - 1.0) / ranks))))
        return "allreduce";
    if (e->reduces && others)
        return "reduce_scatter";
    if (!e->reduces && e->rooted && is_near(e->factor, 1))
        return "broadcast";
    return NULL;
}

/* Sets the number of ranks that an all-reduce's busbw / algbw = 2 (n - 1) / n
 * determines, or that of the others, (n - 1) / n. */
static void ranks_of_factor(struct log_facts *f, const struct evidence *e)
{
    bool twice = !strcmp(f->operation, "allreduce");
    double factor = twice ? e->factor / 2 : e->factor;

    if (f->ranks || !(factor > 0.4) || factor > 0.995 || e->algbw < 1)
        return;
    double n = 1 / (1 - factor);
    if (fabs(n - round(n)) < 0.1)
        f->ranks = (uint32_t)llround(n);
}

/* Ends a run: names the collective of its rows. */
static void end_run(struct log *l, const struct evidence *e)
{
    struct log_facts *f = l->nruns ? &l->runs[l->nruns - 1] : NULL;

    if (!f || e->first == l->nrows)
        return;
    if (!*f->operation) {
        const char *name = determined(e, f->ranks);
        if (name)
            snprintf(f->operation, sizeof f->operation, "%s", name);
        else
            log_note(l, l->rows[e->first].line,
                     "the log does not name the collective: --fact "
                     "collective=allgather, say");
    }
    ranks_of_factor(f, e);
    for (size_t i = e->first; i < l->nrows; i++)
        snprintf(l->rows[i].operation, sizeof l->rows[i].operation, "%s",
                 *f->operation ? f->operation : LOG_UNNAMED);
}

/* --- the log -------------------------------------------------------------- */

/* The choice of NCCL's tuner for the size of the next row. */
struct tuned {
    uint64_t bytes;
    char algorithm[32];
};

struct nccl_tests {
    struct log *l;
    struct tuned tuned;
    struct evidence e;
    struct hosts hosts;
    char program[48]; /* that a line named since the last run began */
    struct log_facts *facts;
    struct log_facts before; /* from lines before the first run */
};

/* Begins a run at its line of parameters, or at its table if it has none. */
static void begin_run(struct nccl_tests *t)
{
    end_run(t->l, &t->e);
    t->e = (struct evidence){.first = t->l->nrows};
    t->hosts.n = 0;
    t->facts = log_add_run(t->l);
    for (int i = 0; i < 2; i++)
        snprintf(t->facts->memory[i], sizeof t->facts->memory[i], "device");
    if (t->before.ranks)
        t->facts->ranks = t->before.ranks;
    if (t->before.nodes)
        t->facts->nodes = t->before.nodes;
    snprintf(t->facts->library, sizeof t->facts->library, "%s",
             t->before.library);
}

/* Reads a name such as RING, or the number that older versions print. */
static void tuned_name(char *to, size_t room, struct scan word,
                       const char *const *names, size_t n)
{
    struct scan number = word;
    uint64_t i;

    if (scan_whole(&number, &i) && i < n)
        snprintf(to, room, "%s", names[i]);
    else
        log_copy(to, room, word);
}

/* Reads NCCL_DEBUG's "AllReduce: 1048576 Bytes -> Algo RING proto SIMPLE". */
static void tuned_line(struct nccl_tests *t, struct scan line)
{
    static const char *const algorithms[] = {
        "TREE",      "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS",
        "NVLS_TREE", "PAT"};
    static const char *const protocols[] = {"LL", "LL128", "SIMPLE"};
    struct scan algorithm = log_after(line, "Bytes -> Algo "),
                protocol = log_after(line, " proto "),
                bytes = log_after(line, ": ");
    char names[2][16];

    /* The host of the line may have a colon, too. */
    for (struct scan next; algorithm.at && bytes.at;
         bytes = log_after(next, ": ")) {
        next = bytes;
        if (scan_whole(&bytes, &t->tuned.bytes))
            break;
    }
    if (!algorithm.at || !protocol.at || !bytes.at)
        return;
    tuned_name(names[0], sizeof names[0], scan_word(&algorithm), algorithms, 7);
    tuned_name(names[1], sizeof names[1], scan_word(&protocol), protocols, 3);
    snprintf(t->tuned.algorithm, sizeof t->tuned.algorithm, "%s/%s", names[0],
             names[1]);
}

/* --- rows ----------------------------------------------------------------- */

/* Adds the row of one place; a time that is no number, as in "N/A" or "nan",
 * is noted. */
static void add_place(struct nccl_tests *t, const struct scan *words,
                      uint64_t bytes, int place, unsigned line)
{
    const struct columns *c = &t->e.columns;
    struct evidence *e = &t->e;
    struct log *l = t->l;
    struct log_row row = {.bytes = bytes, .out_of_place = !place, .line = line};
    double us, alg, bus;

    if (c->time[place] == NO_COLUMN)
        return;
    if (!log_real(l, line, words[c->time[place]], &us)) {
        log_note(l, line, "no time %s place", place ? "in" : "out of");
        return;
    }
    row.time_s = us / 1e6;
    if (t->tuned.bytes == bytes)
        memcpy(row.algorithm, t->tuned.algorithm, sizeof row.algorithm);
    if (!log_add_row(l, &row))
        return;
    if (log_real(l, line, words[c->algbw[place]], &alg) &&
        log_real(l, line, words[c->busbw[place]], &bus) && alg > e->algbw) {
        e->algbw = alg;
        e->factor = bus / alg;
    }
}

/* Reads a row; returns false if the line is none. */
static bool nccl_tests_row(struct nccl_tests *t, struct scan line,
                           unsigned number)
{
    struct scan words[MOST_WORDS];
    size_t n = log_words(words, MOST_WORDS, line);
    struct columns guess;
    uint64_t bytes, count;

    if (n < 2 || !log_size(words[0], &bytes) || !log_size(words[1], &count))
        return false;
    if (!t->facts) /* the head of the first run is lost */
        begin_run(t);
    struct evidence *e = &t->e;
    if (!e->known && guess_columns(&guess, words, n)) {
        log_note(
            t->l, number,
            "no line of columns before it: taken as size, count, type ...");
        e->columns = guess;
        e->known = true;
    }
    if (!e->known || n != e->columns.n) {
        log_note(t->l, number, "cut off, or mixed with other lines");
        return true;
    }
    const struct columns *c = &e->columns;
    if (c->redop != NO_COLUMN)
        e->reduces = !scan_is(words[c->redop], "none");
    if (c->root != NO_COLUMN)
        e->rooted = !scan_is(words[c->root], "-1");
    if (!bytes) {
        log_note(t->l, number, "of no bytes");
        return true;
    }
    for (int place = 0; place < 2; place++)
        add_place(t, words, bytes, place, number);
    return true;
}

static int head_line(struct nccl_tests *t, const struct scan *words, size_t n,
                     unsigned number, struct err *err)
{
    if (!t->facts || t->e.known || t->l->nrows > t->e.first)
        begin_run(t);
    if (read_columns(&t->e.columns, words, n) < 0)
        return fail(err,
                    "%s:%u: the table has not the columns of nccl-tests: "
                    "expected %s",
                    t->l->path, number, COLUMNS);
    t->e.known = true;
    if (*t->program)
        snprintf(t->facts->operation, sizeof t->facts->operation, "%s",
                 t->program);
    *t->program = 0;
    return 0;
}

static int nccl_tests_line(struct nccl_tests *t, struct scan line,
                           unsigned number, struct err *err)
{
    struct scan words[MOST_WORDS];
    size_t n;

    if (nccl_tests_head(line, words, &n))
        return head_line(t, words, n, number, err);
    if (log_has(line, "# nThread")) {
        begin_run(t);
        parameters_line(t->facts, line);
        return 0;
    }
    if (nccl_tests_row(t, line, number))
        return 0;
    tuned_line(t, line);
    log_setting(t->l, line);
    program_line(t->program, sizeof t->program, line);
    log_command(&t->before, line);
    version_line(&t->before, line);
    if (t->facts) {
        version_line(t->facts, line);
        rank_line(t->facts, &t->hosts, line);
    }
    return 0;
}

static int nccl_tests_read(struct log *l, const struct input *in,
                           struct err *err)
{
    struct log_lines lines = log_lines_of(in);
    struct nccl_tests t = {.l = l};
    struct scan line;
    int result = 0;

    while (result == 0 && log_next(&lines, &line))
        result = nccl_tests_line(&t, line, lines.line, err);
    if (result == 0)
        end_run(l, &t.e);
    free(t.hosts.names);
    return result;
}

const struct log_format nccl_tests_log = {
    .name = "nccl-tests",
    .summary = "nccl-tests and rccl-tests, with lines of NCCL_DEBUG",
    .columns = COLUMNS,
    .is = nccl_tests_is,
    .read = nccl_tests_read,
};
