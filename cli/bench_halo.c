/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench halo: reads a matrix of a stencil and builds its halo, compared
 * with the time to read its bytes and with a loop without checks. */
#include "cli/bench.h"

#include "workloads/lines.h"
#include "workloads/matrix.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct halo_case {
    const char *kind; /* "pattern" or "real" */
    bool packed;
    unsigned side;  /* edge of the cube of the 27-point stencil */
    char path[256]; /* the file to write and read */
};

static int write_matrix(const struct matrix *m, const struct halo_case *c)
{
    bool real = !strcmp(c->kind, "real");
    FILE *f = fopen(c->path, "w");

    if (!f)
        return -1;
    fprintf(f, "%%%%MatrixMarket matrix coordinate %s general\n%u %u %llu\n",
            c->kind, m->rows, m->rows, (unsigned long long)m->row_ptr[m->rows]);
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t i = m->row_ptr[row]; i < m->row_ptr[row + 1]; i++)
            if (real)
                fprintf(f, "%u %u %.16e\n", row + 1, m->col[i] + 1,
                        1e-3 * ((double)i - row) / (row + 1));
            else
                fprintf(f, "%u %u\n", row + 1, m->col[i] + 1);
    return fclose(f);
}

static void bench_halo_words(char words[64], const struct halo_case *c)
{
    snprintf(words, 64, "stencil:27pt:%ux%ux%u", c->side, c->side, c->side);
}

static int bench_halo_write(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct err err = {0};
    char words[64];
    int status;

    bench_halo_words(words, c);
    if (matrix_from_workload(&m, words, &err) < 0 || write_matrix(&m, c))
        return -1;
    if (!c->packed)
        return 0;
    pid_t pid = fork();
    if (pid == 0) {
        execlp("gzip", "gzip", "-6", "--", c->path, (char *)NULL);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 ? 0 : -1;
}

/* Returns the sum of look(piece) over all pieces of the file's text; 0 if it
 * cannot be read. */
static uint64_t look_at_text(const struct halo_case *c,
                             uint64_t (*look)(const char *text, size_t len))
{
    struct lines file;
    struct err err = {0};
    uint64_t sum = 0;

    if (lines_open(&file, c->path, LINES_PIECE_B, &err) < 0)
        return 0;
    struct lines_piece p = lines_piece_new(&file);
    while (lines_next(&file, &p))
        sum += look(p.text, p.len);
    free(p.text);
    lines_close(&file);
    return sum;
}

static uint64_t only_size(const char *text, size_t len)
{
    (void)text;
    return len;
}

static uint64_t whole_numbers(const char *text, size_t len)
{
    uint64_t sum = 0, number = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            number = 10 * number + (uint64_t)(text[i] - '0');
        } else {
            sum += number;
            number = 0;
        }
    }
    return sum;
}

static int bench_halo_bytes(void *arg)
{
    return look_at_text(arg, only_size) ? 0 : -1;
}

static int bench_halo_plain(void *arg)
{
    return look_at_text(arg, whole_numbers) ? 0 : -1;
}

static int bench_halo_read(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct err err = {0};

    if (matrix_read(&m, c->path, &err) < 0) {
        err_print(&err);
        return -1;
    }
    return 0;
}

static int bench_halo_run(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct halo h;
    struct err err = {0};

    return matrix_read(&m, c->path, &err) < 0 ||
                   matrix_halo_by(&h, &m, NULL, 256, 4, &err) < 0
               ? -1
               : 0;
}

static int measure(struct bench *b, struct halo_case *c, struct err *err)
{
    static int (*const works[])(void *) = {bench_halo_bytes, bench_halo_plain,
                                           bench_halo_read, bench_halo_run};
    enum {
        NWORKS = sizeof works / sizeof works[0],
        READ = 2,
        RUN = 3,
        RUNS = 3
    };
    struct took took[NWORKS][RUNS];
    double s = 3.0 * c->side - 2, nnz = s * s * s,
           bytes = (double)look_at_text(c, only_size);

    for (size_t i = 0; i < NWORKS; i++)
        if (bench_repeat(took[i], RUNS, works[i], c, b->limit_s))
            return fail_work(err, "reading or halo failed or took over %u s",
                             b->limit_s);
    struct took text = took[0][RUNS / 2], plain = took[1][RUNS / 2];
    struct took read = took[READ][RUNS / 2], run = took[RUN][RUNS / 2];
    char words[64];
    bench_halo_words(words, c);
    bench_row(b, NULL);
    bench_json_workload(b, words);
    bench_words(b, "values", "%-10s ", c->packed ? "pattern.gz" : c->kind);
    bench_number(b, "nonzeros", "%9.0f ", nnz);
    bench_scaled(b, "text_bytes", "%4.0f ", bytes, 1e6);
    bench_number(b, "text_wall_s", "%6.2f ", text.wall_s);
    bench_number(b, "text_cpu_s", "%6.2f ", text.cpu_s);
    bench_number(b, "plain_wall_s", "%6.2f ", plain.wall_s);
    bench_number(b, "plain_cpu_s", "%6.2f ", plain.cpu_s);
    bench_number(b, "read_wall_s", "%6.2f ", read.wall_s);
    bench_number(b, "read_cpu_s", "%6.2f ", read.cpu_s);
    bench_scaled(b, "read_Bps", "%5.0f ", bytes / read.wall_s, 1e6);
    bench_number(b, "halo_wall_s", "%7.2f ", run.wall_s);
    bench_scaled(b, "peak_bytes", "%5.0f", run.peak_B, BENCH_MIB);
    bench_ended(b, 0);
    return 0;
}

int bench_halos(struct bench *b, struct err *err)
{
    static const struct halo_case cases[] = {{"pattern", false, 27, ""},
                                             {"pattern", false, 57, ""},
                                             {"pattern", true, 57, ""},
                                             {"real", false, 57, ""},
                                             {"pattern", false, 123, ""}};
    const char *dir = getenv("TMPDIR");

    bench_text(
        b,
        "27-point stencils in a .mtx file, halo for 256 GPUs (4 a node). "
        "bytes: reading (and\nunpacking) the text alone; plain: a loop "
        "adding up the whole numbers in it, no checks;\neach in seconds, of "
        "the clock and of the processors\n"
        "%-10s %9s %4s %6s %6s %6s %6s %6s %6s %5s %7s %5s\n",
        "values", "nonzeros", "MB", "bytes", "cpu", "plain", "cpu", "read",
        "cpu", "MB/s", "to halo", "MB");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct halo_case c = cases[i];
        snprintf(c.path, sizeof c.path - 3, "%s/sluice-bench-%ld.mtx",
                 dir ? dir : "/tmp", (long)getpid());
        struct took w = bench_measure(bench_halo_write, &c, b->limit_s);
        if (w.code)
            unlink(c.path);
        if (c.packed)
            strcat(c.path, ".gz");
        if (w.code) {
            unlink(c.path);
            return fail_work(err, "%s: cannot be written: %s", c.path,
                             bench_why(w.code));
        }
        int rc = measure(b, &c, err);
        unlink(c.path);
        if (rc < 0)
            return -1;
    }
    return 0;
}
