/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits logs into lines, words and numbers, and collects their rows. */
#include "validate/logs/lines.h"

#include "base/printable.h"
#include "workloads/collective.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A size beyond these is no measurement; with at most MOST_RANKS blocks it fits
 * into 64 bits. */
#define MOST_BYTES ((uint64_t)1 << 43)
static const double MOST_TIME_S = 1e6;
enum { MOST_RANKS = 1000000 };

struct log_lines log_lines_of(const struct input *in)
{
    return (struct log_lines){in->begin, in->end, 0};
}

/* Returns the line after the mark "[1,0]<stdout>:" of mpirun, or "0: " of
 * srun. */
static struct scan without_mark(struct scan line)
{
    struct scan s = line;
    uint64_t rank;

    if (s.at < s.end && *s.at == '[') {
        struct scan after = log_after(line, "<stdout>:");
        if (!after.at)
            after = log_after(line, "<stderr>:");
        return after.at ? after : line;
    }
    scan_blanks(&s);
    if (scan_digits(&s, &rank) && s.end - s.at >= 2 && s.at[0] == ':' &&
        s.at[1] == ' ') {
        s.at += 2;
        return s;
    }
    return line;
}

bool log_next(struct log_lines *s, struct scan *line)
{
    if (!s->at || s->at >= s->end)
        return false;
    *line = without_mark(scan_line(s->at, s->end, &s->at));
    s->line++;
    return true;
}

struct scan log_after(struct scan line, const char *text)
{
    size_t n = strlen(text);
    const char *found =
        line.at < line.end
            ? memmem(line.at, (size_t)(line.end - line.at), text, n)
            : NULL;

    return found ? (struct scan){found + n, line.end}
                 : (struct scan){NULL, NULL};
}

bool log_has(struct scan line, const char *text)
{
    return log_after(line, text).at;
}

size_t log_words(struct scan *words, size_t most, struct scan line)
{
    size_t n = 0;

    while (!scan_done(&line)) {
        struct scan word = scan_word(&line);
        if (n < most)
            words[n] = word;
        n++;
    }
    return n;
}

void log_copy(char *to, size_t room, struct scan text)
{
    const char *bad;

    scan_blanks(&text);
    while (text.end > text.at && scan_is_blank(text.end[-1]))
        text.end--;
    size_t n = (size_t)(text.end - text.at);
    if (n >= room)
        n = room - 1;
    memcpy(to, text.at, n);
    to[n] = 0;
    for (size_t i = 0; i < n; i++)
        if (!to[i])
            to[i] = '?';
    for (size_t at = 0; (bad = printable_fault(to + at));
         at = (size_t)(bad - to) + 1)
        to[bad - to] = '?';
}

/* --- numbers -------------------------------------------------------------- */

/* Copies a number with a point in place of a decimal comma, and without the
 * separators of thousands. Returns false if it is longer than numbers are. */
static bool plain_number(char *to, size_t room, struct scan word, bool *comma)
{
    size_t commas = 0, n = 0;
    bool point = false;

    for (const char *c = word.at; c < word.end; c++) {
        commas += *c == ',';
        point |= *c == '.';
    }
    *comma = commas == 1 && !point;
    for (const char *c = word.at; c < word.end; c++) {
        if (n + 1 >= room || !*c)
            return false;
        if (*c != ',' || *comma)
            to[n++] = *c;
        if (*c == ',' && *comma)
            to[n - 1] = '.';
    }
    to[n] = 0;
    return n > 0;
}

bool log_real(struct log *l, unsigned line, struct scan word, double *out)
{
    char text[48];
    bool comma;
    double v;

    if (!plain_number(text, sizeof text, word, &comma) ||
        !number_real(text, &v) || v < 0)
        return false;
    if (comma)
        log_note(l, line, "a comma was taken as a decimal point");
    *out = v;
    return true;
}

bool log_size(struct scan word, uint64_t *out)
{
    char text[48];
    size_t n = 0;

    for (const char *c = word.at; c < word.end; c++) {
        if (n + 1 >= sizeof text || !*c)
            return false;
        if (*c != ',' || c == word.at)
            text[n++] = *c;
    }
    text[n] = 0;
    return number_whole(text, out) && *out < MOST_BYTES;
}

/* --- rows ----------------------------------------------------------------- */

void log_note(struct log *l, unsigned line, const char *format, ...)
{
    struct log_note note = {.lines = 1, .first = line};
    va_list args;

    va_start(args, format);
    vsnprintf(note.text, sizeof note.text, format, args);
    va_end(args);
    for (size_t i = 0; i < l->nnotes; i++)
        if (!strcmp(l->notes[i].text, note.text)) {
            l->notes[i].lines++;
            return;
        }
    l->notes = xrealloc(l->notes, l->nnotes + 1, sizeof *l->notes);
    l->notes[l->nnotes++] = note;
}

struct log_facts *log_add_run(struct log *l)
{
    l->runs = xrealloc(l->runs, l->nruns + 1, sizeof *l->runs);
    l->runs[l->nruns] = l->more;
    return &l->runs[l->nruns++];
}

bool log_add_row(struct log *l, const struct log_row *row)
{
    if (!(row->time_s > 0) || row->time_s > MOST_TIME_S) {
        log_note(l, row->line, "no time");
        return false;
    }
    if (row->bytes >= MOST_BYTES) {
        log_note(l, row->line, "more bytes than a collective may have");
        return false;
    }
    /* The room doubles at powers of two. */
    if (!(l->nrows & (l->nrows - 1)))
        l->rows =
            xrealloc(l->rows, l->nrows ? 2 * l->nrows : 1, sizeof *l->rows);
    l->rows[l->nrows] = *row;
    l->rows[l->nrows++].run = l->nruns - 1;
    return true;
}

/* --- facts ---------------------------------------------------------------- */

bool log_set_count(uint32_t *to, double n)
{
    if (!(n >= 1) || n > MOST_RANKS || n != (double)(uint32_t)n)
        return false;
    *to = (uint32_t)n;
    return true;
}

/* Sets a count by the option "-np 16", "-np16", "--nodes=2" if it is there. */
static void option_count(uint32_t *out, const struct scan *words, size_t n,
                         const char *option)
{
    size_t len = strlen(option);
    uint64_t v;

    for (size_t i = 0; i < n; i++) {
        struct scan w = words[i];
        if ((size_t)(w.end - w.at) < len || memcmp(w.at, option, len) != 0)
            continue;
        w.at += len;
        if (w.at < w.end && *w.at == '=')
            w.at++;
        if (w.at == w.end && i + 1 < n)
            w = words[i + 1];
        if (scan_digits(&w, &v) && w.at == w.end)
            (void)log_set_count(out, (double)v);
    }
}

/* Sets the memory of both ends if the last two words are letters, as behind
 * osu_latency: "D D" or "H D". */
static void osu_letters(struct log_facts *f, const struct scan *words, size_t n)
{
    for (size_t i = 0; i < 2 && n >= 2; i++) {
        struct scan w = words[n - 2 + i];
        if (scan_is(w, "D") || scan_is(w, "MD") || scan_is(w, "M"))
            strcpy(f->memory[i], "device");
        else if (scan_is(w, "H"))
            strcpy(f->memory[i], "host");
    }
}

void log_command(struct log_facts *f, struct scan line)
{
    enum { MOST_WORDS = 128 };
    struct scan words[MOST_WORDS];
    bool srun = log_has(line, "srun "),
         mpirun = log_has(line, "mpirun ") || log_has(line, "mpiexec ");

    if (!srun && !mpirun)
        return;
    size_t n = log_words(words, MOST_WORDS, line);
    n = n < MOST_WORDS ? n : MOST_WORDS;
    option_count(&f->ranks, words, n, "-n");
    option_count(&f->ranks, words, n, "-np");
    if (srun) {
        option_count(&f->ranks, words, n, "--ntasks");
        option_count(&f->nodes, words, n, "-N");
        option_count(&f->nodes, words, n, "--nodes");
    }
    if (log_has(line, "osu_"))
        osu_letters(f, words, n);
}

void log_operation(char *to, size_t room, const char *name)
{
    /* Names that differ from ours by more than their letters' case and
     * underscores. */
    static const struct {
        const char *theirs, *ours;
    } others[] = {{"bcast", "broadcast"},
                  {"reducescatterblock", "reduce_scatter"},
                  {"reducescatter", "reduce_scatter"}};
    char small[48];
    size_t n = 0;

    for (const char *c = name; *c && n + 1 < sizeof small; c++)
        if (isalnum((unsigned char)*c))
            small[n++] = (char)tolower((unsigned char)*c);
    small[n] = 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strcmp(small, others[i].theirs)) {
            snprintf(to, room, "%s", others[i].ours);
            return;
        }
    snprintf(to, room, "%s", *small ? small : LOG_UNNAMED);
}

uint64_t log_whole(const char *operation, uint64_t block, uint32_t ranks)
{
    bool of_block =
        !strcmp(operation, "allgather") || !strcmp(operation, "alltoall");

    return of_block ? block * ranks : block;
}

void log_setting(struct log *l, struct scan line)
{
    struct scan value = log_after(line, " set by environment to ");

    if (!value.at)
        return;
    const char *end = value.at - strlen(" set by environment to ");
    const char *at = end;
    while (at > line.at && at[-1] > ' ')
        at--;
    if (end - at < 5 || memcmp(at, "NCCL_", 5) != 0)
        return;
    if (value.end > value.at && value.end[-1] == '.')
        value.end--;
    size_t name = (size_t)(end - at), room = name + 1;
    room += (size_t)(value.end - value.at) + 1;
    char *setting = xcalloc(room, 1);
    log_copy(setting, name + 1, (struct scan){at, end});
    setting[name] = '=';
    log_copy(setting + name + 1, room - name - 1, value);
    for (size_t i = 0; i < l->nsettings; i++)
        if (!strcmp(l->settings[i], setting)) { /* each rank prints it */
            free(setting);
            return;
        }
    l->settings = xrealloc(l->settings, l->nsettings + 1, sizeof *l->settings);
    l->settings[l->nsettings++] = setting;
}
