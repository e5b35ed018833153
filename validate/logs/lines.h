/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - functions that the readers of log formats share: lines without the
 * marks of launchers, numbers of any locale, facts of command lines. */
#ifndef VALIDATE_LOGS_LINES_H
#define VALIDATE_LOGS_LINES_H

#include "validate/logs/log.h"
#include "workloads/trace/input.h"
#include "workloads/trace/scan.h"

struct log_lines {
    const char *at, *end;
    unsigned line; /* number of the last line that log_next() returned */
};

/* Returns the lines of a log. */
struct log_lines log_lines_of(const struct input *in);
/* Reads the next line, without the mark of its process that a launcher put
 * before it, "[1,0]<stdout>:" or "0: ". Returns false at the end. */
bool log_next(struct log_lines *s, struct scan *line);

/* Returns whether the text occurs in the line. */
bool log_has(struct scan line, const char *text);
/* Returns the rest of the line after the first occurrence of the text; an empty
 * one at NULL if it does not occur. */
struct scan log_after(struct scan line, const char *text);
/* Splits a line into at most `most` words; returns how many it has. */
size_t log_words(struct scan *words, size_t most, struct scan line);
/* Copies a word or a line, cut to fit, without blanks at its ends; bytes that
 * are not printable become '?', because the text becomes part of names. */
void log_copy(char *to, size_t room, struct scan text);

/* Reads a number above or equal to 0. A comma is a decimal one if it is alone
 * and there is no point, and a separator of thousands otherwise; a decimal one
 * is noted. */
bool log_real(struct log *l, unsigned line, struct scan word, double *out);
/* Reads a size in bytes, perhaps with separators of thousands. */
bool log_size(struct scan word, uint64_t *out);

/* Counts a line that was not read as it is. */
void log_note(struct log *l, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a line "NCCL_ALGO set by environment to Ring." of NCCL_DEBUG. */
void log_setting(struct log *l, struct scan line);
/* Adds a run with the user's facts, over which the caller writes those that the
 * log states. The pointer is valid until the next run is
 * added. */
struct log_facts *log_add_run(struct log *l);
/* Adds a row of the last run. If it has no time, or more bytes than
 * measurements have, that is noted, and it returns false. */
bool log_add_row(struct log *l, const struct log_row *row);

/* Sets a number of ranks, nodes or pairs if n is a whole one from 1 to 10^6;
 * returns whether it is. */
bool log_set_count(uint32_t *to, double n);
/* Reads the numbers of ranks and nodes, and the memory of OSU's benchmarks,
 * from a command line of srun or mpirun; other lines change nothing. */
void log_command(struct log_facts *f, struct scan line);
/* Sets the operation of a run by a name such as all_reduce, Allreduce,
 * ReduceScatter or bcast; other names are kept in small letters,
 * and LOG_UNNAMED stands for none. */
void log_operation(char *to, size_t room, const char *name);
/* Returns the bytes as sluice counts them, if a benchmark counts those of a
 * rank's block; 0 if the number of ranks is needed, but not known. */
uint64_t log_whole(const char *operation, uint64_t block, uint32_t ranks);

#endif
