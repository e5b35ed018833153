/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads MatrixMarket files, plain or gzipped, with SuiteSparse's reader behind
 * checks of every line. */
#include "workloads/matrix.h"
#include "workloads/workload.h"

#include "base/number.h"
#include "base/printable.h"

#include "workloads/mtx_banner.h"

#include <cholmod.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/*
 * CHOLMOD reads from a stream and tells neither the line nor much of the cause
 * of an error; it also takes an index 0 for a file that counts from 0, and
 * trusts the stated size. So its stream is ours: it hands out one line at a
 * time, each checked before CHOLMOD sees it.
 */
#define LINE_ROOM 1026 /* a line has at most 1024 bytes: the format says so */
#define MAX_ROWS (UINT32_MAX - 1)
#define MAX_ROWS_PER_ENTRY 1000

enum stage { AT_BANNER, AT_SIZE, AT_ENTRIES };

struct source {
    const char *path;
    struct err *err;
    gzFile gz;
    uint64_t max_text_B; /* what the file can hold when unpacked */
    char text[LINE_ROOM];
    uint64_t line; /* of text, from 1 */
    enum stage stage;
    bool failed; /* err says why */
    struct mtx_kind kind;
    uint64_t rows, entries, entries_seen;
};

#define fail_line(s, ...)                                                      \
    (err_set((s)->err, ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__),            \
     err_widen((s)->err, "%s:%llu", (s)->path, (unsigned long long)(s)->line), \
     -1)

static int check_gz(struct source *s)
{
    int code;
    const char *why = gzerror(s->gz, &code);

    if (code == Z_OK || code == Z_STREAM_END)
        return 0;
    if (code == Z_ERRNO)
        return fail_line(s, "cannot be read: %s", strerror(errno));
    if (code == Z_BUF_ERROR)
        return fail_line(s, "the compressed file is cut off after this line");
    return fail_line(s, "the compressed file is damaged after this line (%s)",
                     why);
}

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\r\n\v\f")];
}

/* One line into s->text: 1, at the end of the file 0. */
static int get_line(struct source *s)
{
    z_off_t from = gztell(s->gz);

    if (!gzgets(s->gz, s->text, LINE_ROOM))
        return check_gz(s);
    s->line++;
    if (gztell(s->gz) - from != (z_off_t)strlen(s->text))
        return fail_line(s, "a zero byte: not a text file");
    if (s->line == 1) {
        const char *text = skip_byte_order_mark(s->text);
        memmove(s->text, text, strlen(text) + 1);
    }
    if (strchr(s->text, '\n'))
        return 1;
    if (check_gz(s) < 0)
        return -1;

    size_t len = strlen(s->text);
    if (len == LINE_ROOM - 1 && s->text[0] != '%')
        return fail_line(s, "the line is longer than 1024 bytes");
    /* A comment may be longer: CHOLMOD never sees it. */
    while (len == LINE_ROOM - 1) {
        int c = gzgetc(s->gz);
        if (c == '\n' || c < 0)
            break;
    }
    return check_gz(s) < 0 ? -1 : 1;
}

/* The same without comments and blank lines. */
static int get_data_line(struct source *s)
{
    int rc;

    do
        rc = get_line(s);
    while (rc > 0 && (s->text[0] == '%' || is_blank(s->text)));
    return rc;
}

/* A whole number after blanks; one that is too large is UINT64_MAX. */
static bool read_whole(const char **text, uint64_t *out)
{
    *text += strspn(*text, " \t");
    const char *digits = *text;
    const char *end = number_take_whole(digits, out);

    if (!end && *digits >= '0' && *digits <= '9') {
        end = digits + strspn(digits, "0123456789");
        *out = UINT64_MAX;
    }
    if (!end)
        return false;
    *text = end;
    return !*end || strchr(" \t\r\n\v\f", *end);
}

static int check_banner(struct source *s)
{
    if (mtx_banner(&s->kind, s->text, s->err) < 0)
        return fail_in(s->err, "%s:%llu", s->path, (unsigned long long)s->line);
    return 0;
}

/* Nothing that is allocated may be much larger than the file. */
static int check_plausible(struct source *s)
{
    /* An entry has two indices and a value each of a digit and a separator;
     * the last newline may be missing. */
    uint64_t entry_B = 4 + 2 * (uint64_t)s->kind.values;

    if (s->entries > s->max_text_B / entry_B + 1)
        return fail_line(s,
                         "%llu entries stated: the file is too small for "
                         "more than %llu",
                         (unsigned long long)s->entries,
                         (unsigned long long)(s->max_text_B / entry_B + 1));
    if (s->rows / MAX_ROWS_PER_ENTRY > s->entries)
        return fail_line(s,
                         "%llu rows with %llu entries: expected at least "
                         "one for every %d rows",
                         (unsigned long long)s->rows,
                         (unsigned long long)s->entries, MAX_ROWS_PER_ENTRY);
    return 0;
}

static int check_size(struct source *s)
{
    const char *text = s->text;
    uint64_t columns;

    if (!read_whole(&text, &s->rows) || !read_whole(&text, &columns) ||
        !read_whole(&text, &s->entries) || !is_blank(text))
        return fail_line(s, "expected three whole numbers: rows, columns, "
                            "entries");
    if (s->rows != columns)
        return fail_line(s,
                         "%llu rows and %llu columns: expected a square "
                         "matrix",
                         (unsigned long long)s->rows,
                         (unsigned long long)columns);
    if (!s->rows || !s->entries)
        return fail_line(s, "%llu rows and %llu entries: the matrix is empty",
                         (unsigned long long)s->rows,
                         (unsigned long long)s->entries);
    if (s->rows > MAX_ROWS)
        return fail_line(s, "%llu rows: expected at most %u",
                         (unsigned long long)s->rows, MAX_ROWS);
    return check_plausible(s);
}

static int check_values(struct source *s, const char *text)
{
    double ignored;

    for (unsigned i = 0; i < s->kind.values; i++) {
        text = number_take_real(text + strspn(text, " \t"), &ignored);
        if (!text || (*text && !strchr(" \t\r\n\v\f", *text)))
            return fail_line(s, "expected %u numbers", s->kind.values + 2);
    }
    if (!is_blank(text))
        return fail_line(s, "expected %u numbers and no more",
                         s->kind.values + 2);
    return 0;
}

static int check_entry(struct source *s)
{
    const char *text = s->text;
    uint64_t row, column;

    if (!read_whole(&text, &row) || !read_whole(&text, &column))
        return fail_line(s, "expected a row and a column as whole numbers");
    if (!row || !column)
        return fail_line(s, "row %llu, column %llu: MatrixMarket counts from 1",
                         (unsigned long long)row, (unsigned long long)column);
    if (row > s->rows || column > s->rows)
        return fail_line(s, "row %llu, column %llu: there are %llu of each",
                         (unsigned long long)row, (unsigned long long)column,
                         (unsigned long long)s->rows);
    if (s->kind.lower_only && column > row)
        return fail_line(s,
                         "row %llu, column %llu: only the lower triangle "
                         "belongs in a file of this symmetry",
                         (unsigned long long)row, (unsigned long long)column);
    if (s->kind.strictly_lower && column == row)
        return fail_line(s,
                         "row %llu, column %llu: a skew-symmetric file has "
                         "no diagonal",
                         (unsigned long long)row, (unsigned long long)column);
    s->entries_seen++;
    return check_values(s, text);
}

static int check_end(struct source *s, int rc)
{
    if (rc != 0)
        return rc;
    if (s->stage == AT_BANNER)
        return fail_line(s, "not a MatrixMarket file: it is empty");
    if (s->stage == AT_SIZE)
        return fail_line(s, "the file ends before its size is stated");
    return fail_line(s, "the file ends here, after %llu of %llu entries",
                     (unsigned long long)s->entries_seen,
                     (unsigned long long)s->entries);
}

static int next_line(struct source *s)
{
    int rc = s->stage == AT_BANNER ? get_line(s) : get_data_line(s);

    if (check_end(s, rc) < 0)
        return -1;
    switch (s->stage) {
    case AT_BANNER:
        s->stage = AT_SIZE;
        return check_banner(s);
    case AT_SIZE:
        s->stage = AT_ENTRIES;
        return check_size(s);
    case AT_ENTRIES:
        break;
    }
    return check_entry(s);
}

/* The read function of CHOLMOD's stream. */
static ssize_t hand_out_line(void *cookie, char *to, size_t room)
{
    struct source *s = cookie;

    s->failed = s->failed || next_line(s) < 0;
    /* CHOLMOD loses memory at an early end of file, not at a bad line. */
    const char *text = s->failed ? "!" : s->text;
    size_t len = strcspn(text, "\n");
    if (len + 1 > room)
        return -1;
    memcpy(to, text, len);
    to[len] = '\n';
    return (ssize_t)len + 1;
}

/* CHOLMOD leaves one triangle of a real symmetric or Hermitian matrix out, and
 * of no other. */
static void mtx_fill(struct matrix *m, const cholmod_triplet *t)
{
    const SuiteSparse_long *i = t->i, *j = t->j;
    bool mirrored = t->stype != 0;

    *m = (struct matrix){.rows = (uint32_t)t->nrow};
    m->row_ptr = xcalloc(t->nrow + 2, sizeof *m->row_ptr);

    /* Counted two places up, so that after filling [r] is where r starts. */
    for (size_t k = 0; k < t->nnz; k++) {
        m->row_ptr[i[k] + 2]++;
        if (mirrored && i[k] != j[k])
            m->row_ptr[j[k] + 2]++;
    }
    for (size_t r = 0; r < t->nrow; r++)
        m->row_ptr[r + 2] += m->row_ptr[r + 1];
    m->col = xcalloc(m->row_ptr[t->nrow + 1], sizeof *m->col);
    for (size_t k = 0; k < t->nnz; k++) {
        m->col[m->row_ptr[i[k] + 1]++] = (uint32_t)j[k];
        if (mirrored && i[k] != j[k])
            m->col[m->row_ptr[j[k] + 1]++] = (uint32_t)i[k];
    }
    matrix_unique(m);
}

/* "bcsstk18" of "data/bcsstk18.mtx.gz". */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = xstrdup(slash ? slash + 1 : path);
    size_t len = strlen(name);

    if (len > 3 && !strcmp(name + len - 3, ".gz"))
        name[len -= 3] = 0;
    if (len > 4 && !strcmp(name + len - 4, ".mtx"))
        name[len - 4] = 0;
    return name;
}

static int check_nothing_left(struct source *s)
{
    int rc = get_data_line(s);

    if (rc > 0)
        return fail_line(s, "another entry after the stated %llu",
                         (unsigned long long)s->entries);
    return rc;
}

static int read_source(struct matrix *m, struct source *s)
{
    cookie_io_functions_t functions = {.read = hand_out_line};
    cholmod_common common;
    char buffer[2 * LINE_ROOM];
    int rc;
    FILE *stream = fopencookie(s, "r", functions);

    if (!stream)
        return fail_work(s->err, "%s: cannot be read: %s", s->path,
                         strerror(errno));
    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
    cholmod_l_start(&common);
    common.print = 0;         /* or it prints what went wrong */
    common.prefer_binary = 1; /* or it makes up a definite matrix */

    cholmod_triplet *t = cholmod_l_read_triplet(stream, &common);
    if (s->failed)
        rc = -1;
    else if (common.status == CHOLMOD_OUT_OF_MEMORY ||
             common.status == CHOLMOD_TOO_LARGE)
        rc = fail_work(s->err, "%s: not enough memory for %llu entries",
                       s->path, (unsigned long long)s->entries);
    else if (!t)
        rc =
            fail_line(s, "CHOLMOD does not take this line (%d)", common.status);
    else
        rc = check_nothing_left(s);
    if (rc == 0)
        mtx_fill(m, t);
    cholmod_l_free_triplet(&t, &common);
    cholmod_l_finish(&common);
    fclose(stream);
    return rc;
}

/* The deflate format cannot pack more than 1032 to 1. */
static uint64_t most_text(int fd, gzFile gz)
{
    struct stat status;

    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
        return UINT64_MAX;
    return (uint64_t)status.st_size * (gzdirect(gz) ? 1 : 1032);
}

int matrix_read(struct matrix *m, const char *path, struct err *err)
{
    struct source s = {.path = path, .err = err};
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return fail(err, "%s: cannot be opened: %s", path, strerror(errno));
    s.gz = gzdopen(fd, "rb");
    if (!s.gz) {
        close(fd);
        return fail_work(err, "%s: cannot be read: out of memory", path);
    }
    gzbuffer(s.gz, 1 << 17);
    s.max_text_B = most_text(fd, s.gz);

    int rc = read_source(m, &s);
    gzclose(s.gz);
    if (rc == 0)
        m->name = name_of(path);
    return rc;
}

const struct workload spmv_workload = {
    .prefix = "spmv:",
    .words = "spmv:FILE",
    .summary = "the product of a sparse matrix, .mtx or .mtx.gz, by rows",
    .help = "Each GPU owns a part of the rows and of the vector (--partition), "
            "and needs the values\nof the columns in its rows.",
    .options = MATRIX_OPTIONS,
    .platform = "lassen",
    .matrix = matrix_read,
};
