/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log.h - the output of benchmarks of communication as rows of one structure:
 * an operation, its bytes, its ranks and its time. A format is one file and one
 * line in list.def. A log may have several runs, lines of other programs
 * between its own, and rows without a time: a reader keeps the rows that are
 * complete, and counts the others once for each reason.
 */
#ifndef VALIDATE_LOGS_LOG_H
#define VALIDATE_LOGS_LOG_H

#include "base/csv.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operations that are no collectives (collective_kind_names); any other name is
 * that of an operation which is not simulated. */
#define LOG_LATENCY "latency"                 /* one way, two ranks */
#define LOG_MULTI_LATENCY "multi_latency"     /* one way, pairs at once */
#define LOG_BANDWIDTH "bandwidth"             /* windows of messages, one way */
#define LOG_BIDIRECTIONAL "bidirectional"     /* windows, both ways */
#define LOG_MULTI_BANDWIDTH "multi_bandwidth" /* windows, pairs at once */
#define LOG_UNNAMED "unnamed"                 /* the log does not say which */
#define LOG_COPY "copy_"                      /* followed by H2D, D2H or D2D */

/* Facts that the head of a run states, or that the user adds. */
struct log_facts {
    char operation[48]; /* "" if unknown, as the members below */
    char gpu[64];       /* as the log names it: "NVIDIA H100 80GB HBM3" */
    char library[64];   /* "NCCL 2.18.3" */
    char memory[2][8];  /* "host" or "device", of the sender and the receiver */
    uint32_t ranks, nodes;  /* 0 if unknown */
    unsigned pairs, window; /* 0 if unknown */
    uint32_t by_thread; /* GPUs that a thread of the CPU drives; 0 if unknown */
    bool in_graph;      /* the calls are those of a CUDA graph */
};

struct log_row {
    char operation[48];
    /* Of a collective as in struct collective_words, of others the size of a
     * message or copy. */
    uint64_t bytes;
    double time_s; /* of an operation; of one message of a window */
    bool out_of_place;
    unsigned gpus[2];   /* LOG_COPY: the ends that are GPUs */
    char algorithm[32]; /* "RING/SIMPLE", as the log names it, or "" */
    unsigned line;
    size_t run;
};

struct log_note {
    char text[128];
    size_t lines;
    unsigned first; /* the first of these lines */
};

struct log_format;
struct input; /* workloads/trace/input.h */

struct log {
    const char *path; /* borrowed */
    const struct log_format *format;
    struct log_facts more; /* the user's, with which each run begins */
    struct log_facts *runs;
    size_t nruns;
    struct log_row *rows; /* in the order of the log */
    size_t nrows;
    /* Environment variables of NCCL that the log names: "NCCL_ALGO=Ring". */
    char **settings;
    size_t nsettings;
    struct log_note *notes; /* about lines that were not read as they are */
    size_t nnotes;
};

struct log_format {
    const char *name;
    const char *summary;
    /* The columns or keys that a log must have, for errors. */
    const char *columns;
    /* Returns whether only logs of this format have such a line. */
    bool (*is)(const char *begin, const char *end);
    /* Adds the runs and rows. Fails only if the head of a table lacks a column
     * that its rows need. */
    int (*read)(struct log *l, const struct input *in, struct err *err);
};

#define LOG_FORMAT(x) extern const struct log_format x##_log;
#include "validate/logs/list.def"
#undef LOG_FORMAT
extern const struct log_format *const log_formats[];
extern const size_t nlog_formats;

/* Reads facts "KEY=VALUE" of logs that do not state them: collective, ranks,
 * nodes, memory, gpus_per_thread. */
int log_facts_read(struct log_facts *f, const char *const *words, size_t n,
                   struct err *err) MUST_CHECK;

/* Returns the format of a file; NULL if it is no log. */
const struct log_format *log_format_of(const char *path);
/* Reads a log. `more` has facts that hold for runs which do not state them, or
 * is NULL. Fails if the log has no row that can be read. The caller clears
 * it. */
int log_load(struct log *l, const char *path, const struct log_facts *more,
             struct err *err) MUST_CHECK;
/* Does the same as a log of a format; NULL for the one that recognises it. */
int log_load_as(struct log *l, const char *path, const struct log_format *as,
                const struct log_facts *more, struct err *err) MUST_CHECK;
void log_clear(struct log *l);

/* Makes a table of the rows, with the columns of log_columns and the lines of
 * the log; comments have the facts. The caller clears it. */
void log_table(struct csv *t, const struct log *l);
extern const char *const log_columns[];
/* Loads a log as a table, or else a CSV file. If `notes` is not NULL, it has
 * the notes of the log, which the caller frees. */
int log_or_csv(struct csv *t, const char *path, const struct log_facts *more,
               struct log_note **notes, size_t *nnotes,
               struct err *err) MUST_CHECK;

#endif
