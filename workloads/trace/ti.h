/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ti.h - what the two files of the reader of time-independent traces share:
 * where the lines of each rank are. */
#ifndef WORKLOADS_TRACE_TI_H
#define WORKLOADS_TRACE_TI_H

#include "workloads/trace/input.h"
#include "workloads/trace/pending.h"
#include "workloads/trace/scan.h"
#include "workloads/trace/trace.h"

struct ti_rank {
    struct input in;       /* its own file, or its part of one of all */
    const char *first;     /* its first line, at a whole page or behind one */
    uint64_t line;         /* number of the line before in.at */
    uint64_t before;       /* the same of `first` */
    unsigned default_B;    /* size of the type where none is said */
    uint64_t next_request; /* its requests count up */
    uint64_t both[2];      /* of a sendRecv */
    uint64_t *counts;      /* room for 2 * ranks; NULL: not needed yet */
    struct trace_event then[2]; /* what follows of one line */
    unsigned nthen;
    struct pending requests;
};

struct ti {
    struct ti_rank *ranks;
    char **files; /* as opened: of each rank, or one */
    size_t nfiles;
    bool numbered; /* each line has its number before it, a uint64_t */
    bool shared;   /* `whole` has all ranks' lines */
    struct input whole;
    char **unknown; /* names of actions that are not known */
    size_t nunknown;
    bool has_comms; /* communicators were made, and it is said */
};

/* The first line that says something begins as one of a trace. */
bool ti_looks_like(const char *head, size_t n);
/* Or its path is that of a folder of, or of an index that names, such files. */
bool ti_is(const char *path, const char *head, size_t n);
/* An empty line, or a comment. */
bool ti_says_nothing(struct scan line);
/* One file of all ranks; takes the path. */
int ti_open_one(struct trace *t, struct ti *ti, char *path, struct err *err);
/* Finds the lines of each rank. */
int ti_open_files(struct trace *t, struct ti *ti, struct err *err);
void ti_close_files(struct ti *ti, uint32_t ranks);

/* The line that is read. */
struct ti_line {
    struct trace *t;
    struct ti_rank *r;
    uint32_t rank;
    struct scan s; /* what is left of it */
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

/* NULL: unknown. */
const struct ti_action *ti_find_action(struct scan word);
/* "expected WHAT, got" the next word. */
int ti_fail_word(struct ti_line *l, const char *what);

#endif
