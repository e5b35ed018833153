/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the lines of MatrixMarket files: common entries by a fast parser, and
 * every other line with all checks. */
#include "workloads/mtx_line.h"

#include "base/number.h"
#include "base/printable.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

/* 1024 bytes, the limit of the format, and a newline. */
#define LONGEST_B 1025
#define MAX_ROWS (UINT32_MAX - 1)
#define MAX_ROWS_PER_ENTRY 1000

int mtx_fail_here(struct mtx_lines *s)
{
    err_widen(s->err, "%s:%llu", s->path, (unsigned long long)s->line);
    return -1;
}

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\r\n\v\f")];
}

/* Reads a whole number after blanks; UINT64_MAX if it is too large. */
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

/* Fails if the size stated is implausible, because nothing that is allocated
 * may be much larger than the file. */
static int check_plausible(struct mtx_lines *s)
{
    /* An entry has two indices and its values, each of at least a digit and a
     * separator; the last newline may be missing. */
    uint64_t entry_B = 4 + 2 * (uint64_t)s->kind.values;

    if (s->entries > s->max_text_B / entry_B + 1)
        return mtx_fail(s,
                        "%llu entries stated: the file is too small for "
                        "more than %llu",
                        (unsigned long long)s->entries,
                        (unsigned long long)(s->max_text_B / entry_B + 1));
    if (s->rows / MAX_ROWS_PER_ENTRY > s->entries)
        return mtx_fail(s,
                        "%llu rows with %llu entries: expected at least "
                        "one for every %d rows",
                        (unsigned long long)s->rows,
                        (unsigned long long)s->entries, MAX_ROWS_PER_ENTRY);
    return 0;
}

static int check_size(struct mtx_lines *s, const char *text)
{
    uint64_t columns;

    if (!read_whole(&text, &s->rows) || !read_whole(&text, &columns) ||
        !read_whole(&text, &s->entries) || !is_blank(text))
        return mtx_fail(s, "expected three whole numbers: rows, columns, "
                           "entries");
    if (s->rows != columns)
        return mtx_fail(s,
                        "%llu rows and %llu columns: expected a square "
                        "matrix",
                        (unsigned long long)s->rows,
                        (unsigned long long)columns);
    if (!s->rows || !s->entries)
        return mtx_fail(s, "%llu rows and %llu entries: the matrix is empty",
                        (unsigned long long)s->rows,
                        (unsigned long long)s->entries);
    if (s->rows > MAX_ROWS)
        return mtx_fail(s, "%llu rows: expected at most %u",
                        (unsigned long long)s->rows, MAX_ROWS);
    return check_plausible(s);
}

static int check_values(struct mtx_lines *s, const char *text)
{
    for (unsigned i = 0; i < s->kind.values; i++) {
        text = number_skip_real(text + strspn(text, " \t"));
        if (!text || (*text && !strchr(" \t\r\n\v\f", *text)))
            return mtx_fail(s, "expected %u numbers", s->kind.values + 2);
    }
    if (!is_blank(text))
        return mtx_fail(s, "expected %u numbers and no more",
                        s->kind.values + 2);
    return 0;
}

static int check_entry(struct mtx_lines *s, const char *text)
{
    uint64_t row, column;

    if (s->seen == s->entries)
        return mtx_fail(s, "another entry after the stated %llu",
                        (unsigned long long)s->entries);
    if (!read_whole(&text, &row) || !read_whole(&text, &column))
        return mtx_fail(s, "expected a row and a column as whole numbers");
    if (!row || !column)
        return mtx_fail(s, "row %llu, column %llu: MatrixMarket counts from 1",
                        (unsigned long long)row, (unsigned long long)column);
    if (row > s->rows || column > s->rows)
        return mtx_fail(s, "row %llu, column %llu: there are %llu of each",
                        (unsigned long long)row, (unsigned long long)column,
                        (unsigned long long)s->rows);
    if (s->kind.lower_only && column > row)
        return mtx_fail(s,
                        "row %llu, column %llu: only the lower triangle "
                        "belongs in a file of this symmetry",
                        (unsigned long long)row, (unsigned long long)column);
    if (s->kind.strictly_lower && column == row)
        return mtx_fail(s,
                        "row %llu, column %llu: a skew-symmetric file has "
                        "no diagonal",
                        (unsigned long long)row, (unsigned long long)column);
    s->seen++;
    s->last = (struct mtx_pair){(uint32_t)(row - 1), (uint32_t)(column - 1)};
    return check_values(s, text);
}

static int check_banner(struct mtx_lines *s, const char *text)
{
    return mtx_banner(&s->kind, text, s->err) < 0 ? mtx_fail_here(s) : 0;
}

static int check_text(struct mtx_lines *s, const char *text)
{
    bool data = text[0] != '%' && !is_blank(text);

    switch (s->stage) {
    case MTX_AT_BANNER:
        s->stage = MTX_AT_SIZE;
        return check_banner(s, text);
    case MTX_AT_SIZE:
        if (!data)
            return 0;
        s->stage = MTX_AT_ENTRIES;
        return check_size(s, text);
    case MTX_AT_ENTRIES:
        break;
    }
    if (!data)
        return 0;
    return check_entry(s, text) < 0 ? -1 : 1;
}

int mtx_line(struct mtx_lines *s, const char *line, size_t len)
{
    char text[LONGEST_B + 1];
    size_t kept = len < LONGEST_B ? len : LONGEST_B;

    s->line++;
    if (memchr(line, 0, kept))
        return mtx_fail(s, "a zero byte: not a text file");
    memcpy(text, line, kept);
    text[kept] = 0;
    const char *begin = s->line == 1 ? skip_byte_order_mark(text) : text;
    if (len > LONGEST_B && begin[0] != '%')
        return mtx_fail(s, "the line is longer than 1024 bytes");
    return check_text(s, begin);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* Reads an index from 1, and converts it to one from 0. */
static const char *take_long_index(const char *p, uint64_t *index)
{
    const char *digits = p;
    uint64_t value = 0;

    for (; is_digit(*p); p++)
        value = 10 * value + (uint64_t)(*p - '0');
    if (p == digits || p - digits > 18)
        return NULL;
    *index = value - 1;
    return p;
}

/* Returns the number of the first n of eight digits, where n is 1 to 8 and the
 * digits are values from 0 to 9, the first in the lowest byte: neighbours are
 * combined to pairs, fours, and eight. */
static inline uint64_t join_digits(uint64_t digits, unsigned n)
{
    digits <<= 64 - 8 * n;
    digits = digits * 10 + (digits >> 8);
    return ((digits & UINT64_C(0xff000000ff)) * UINT64_C(0xf424000000064) +
            (digits >> 16 & UINT64_C(0xff000000ff)) *
                UINT64_C(0x271000000001)) >>
           32;
}

/* Returns eight bytes as values of digits, the first in the lowest byte.
 * *others marks the bytes that are not digits: its lowest bit belongs to the
 * first of them. Reading past the end of a piece is safe, because eight zeros
 * follow (lines.h). */
static inline uint64_t eight_digits(const char *p, uint64_t *others)
{
    uint64_t digits;

    memcpy(&digits, p, sizeof digits);
    digits = le64toh(digits) ^ UINT64_C(0x3030303030303030);
    *others = ((digits + UINT64_C(0x7676767676767676)) | digits) &
              UINT64_C(0x8080808080808080);
    return digits;
}

static inline unsigned first_of(uint64_t others)
{
    return (unsigned)__builtin_ctzll(others) / 8;
}

/* Reads an index from 1 after blanks, and converts it to one from 0. */
static inline const char *take_index(const char *p, uint64_t *index)
{
    uint64_t others, digits = eight_digits(p = skip_blanks(p), &others);

    if (!others || others & 0x80)
        return take_long_index(p, index);
    unsigned n = first_of(others);
    *index = join_digits(digits, n) - 1;
    return p + n;
}

static inline const char *skip_digits(const char *p)
{
    uint64_t others;

    while (eight_digits(p, &others), !others)
        p += 8;
    return p + first_of(others);
}

/* Skips a number below 10^300; others are checked by the slow parser. */
static inline const char *skip_value(const char *p)
{
    const char *whole = p += *p == '-', *part, *power;
    ptrdiff_t digits = (p = skip_digits(p)) - whole;

    if (digits > 200)
        return NULL;
    if (*p == '.') {
        part = ++p;
        digits += (p = skip_digits(p)) - part;
    }
    if (!digits || (*p != 'e' && *p != 'E'))
        return digits ? p : NULL;
    power = p += 1 + (p[1] == '-' || p[1] == '+');
    p = skip_digits(p);
    return p > power && p - power < 3 ? p : NULL;
}

/* The parameters for the check of common entries. */
struct common {
    struct mtx_kind kind;
    uint64_t rows;
};

/* Reads a line if it is a common entry, as nearly all are, and returns the next
 * line. Returns NULL if it may be another entry, or is wrong. */
static inline const char *take_entry(struct common c, const char *p,
                                     struct mtx_pair *pair)
{
    const char *line = p;
    uint64_t row, col;

    if (!(p = take_index(p, &row)) || !(*p == ' ' || *p == '\t') ||
        !(p = take_index(p, &col)) || row >= c.rows || col >= c.rows)
        return NULL;
    for (unsigned i = 0; i < c.kind.values; i++)
        if (!(*p == ' ' || *p == '\t') || !(p = skip_value(skip_blanks(p))))
            return NULL;
    p = skip_blanks(p);
    p += *p == '\r';
    if (*p != '\n' || p - line >= LONGEST_B)
        return NULL;
    if (c.kind.lower_only && row < col + c.kind.strictly_lower)
        return NULL;
    *pair = (struct mtx_pair){(uint32_t)row, (uint32_t)col};
    return p + 1;
}

/* Reads common entries, and returns the first line that is none, or the end. */
static const char *read_common(struct mtx_lines *s, const char *text,
                               const char *end, struct mtx_pairs *out)
{
    struct common c = {s->kind, s->rows};
    struct mtx_pairs pairs = *out; /* a copy, because it stays in registers */
    struct mtx_pair pair;
    uint64_t most = pairs.n + (s->entries - s->seen);
    const char *next;

    while (text < end && pairs.n < most &&
           (next = take_entry(c, text, &pair))) {
        mtx_pairs_add(&pairs, pair);
        text = next;
    }
    s->line += pairs.n - out->n;
    s->seen += pairs.n - out->n;
    *out = pairs;
    return text;
}

int mtx_lines_read(struct mtx_lines *s, const char *text, size_t len,
                   struct mtx_pairs *out)
{
    const char *end = text + len;

    /* An entry has at least four bytes of digits and separators. */
    mtx_pairs_reserve(out, len / 4);
    while ((text = read_common(s, text, end, out)) < end) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        int rc = mtx_line(s, text, (size_t)(++next - text));
        if (rc < 0)
            return -1;
        if (rc > 0)
            mtx_pairs_add(out, s->last);
        text = next;
    }
    return 0;
}
