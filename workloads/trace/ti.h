/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ti.h - declarations that the files of the reader of time-independent traces
 * share: the lines of each rank, and the actions. */
#ifndef WORKLOADS_TRACE_TI_H
#define WORKLOADS_TRACE_TI_H

#include "workloads/trace/input.h"
#include "workloads/trace/pending.h"
#include "workloads/trace/scan.h"
#include "workloads/trace/trace.h"

struct ti_rank {
    struct input in;       /* its own file, or its part of the shared file */
    const char *first;     /* its first line, in the first page of `in` */
    uint64_t line;         /* number of the line before in.at */
    uint64_t before;       /* number of the line before `first` */
    unsigned default_B;    /* size of the type of calls that give none */
    uint64_t next_request; /* number of its next request */
    uint64_t both[2];      /* requests of a sendRecv */
    uint64_t *counts;      /* room for 2 * ranks; NULL until it is needed */
    struct trace_event then[2]; /* further events of the line, nthen of them */
    unsigned nthen;
    struct pending requests;
};

struct ti {
    struct ti_rank *ranks;
    char **files; /* as opened: one per rank, or one */
    size_t nfiles;
    bool numbered; /* a uint64_t before each line is its number */
    bool shared;   /* `whole` has the lines of all ranks */
    struct input whole;
    char **unknown; /* names of unknown actions */
    size_t nunknown;
    bool has_comms; /* the remark about communicators was made */
};

/* Returns whether the first line that is neither empty nor a comment begins as
 * one of a trace. */
bool ti_looks_like(const char *head, size_t n);
/* Returns whether the path is such a file, a folder of such files, or an index
 * that names them. */
bool ti_is(const char *path, const char *head, size_t n);
/* Returns whether a line is empty or a comment. */
bool ti_says_nothing(struct scan line);
/* Opens one file of all ranks, and takes ownership of the path. */
int ti_open_one(struct trace *t, struct ti *ti, char *path, struct err *err);
/* Opens the files, and finds the lines of each rank. */
int ti_open_files(struct trace *t, struct ti *ti, struct err *err);
void ti_close_files(struct ti *ti, uint32_t ranks);

/* The line that is being read. */
struct ti_line {
    struct trace *t;
    struct ti_rank *r;
    uint32_t rank;
    struct scan s; /* the rest of the line */
    struct trace_event *e;
    struct err *err;
};

struct ti_action {
    const char *name;
    uint8_t length;
    int (*read)(struct ti_line *l, const struct ti_action *a);
    uint8_t call, collective;
    bool blocks;
};

/* Returns the action with this name; NULL if it is unknown. */
const struct ti_action *ti_find_action(struct scan word);
/* Fails with "expected WHAT, got" and the next word. */
int ti_fail_word(struct ti_line *l, const char *what);

#endif
