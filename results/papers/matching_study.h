/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matching_study.h - what Klenk, Froening, Eberle and Dennison 2017 studied:
 * the rates of matching engines by the laws, those measured on an H200, and
 * queues of traces at hand. */
#ifndef RESULTS_PAPERS_MATCHING_STUDY_H
#define RESULTS_PAPERS_MATCHING_STUDY_H

#include "base/err.h"
#include "sim/transport/matching.h"
#include "validate/measure/match_points.h"

#include <stdbool.h>
#include <stddef.h>

/* The presets of platforms/matching. */
enum matching_device { ON_K80, ON_M40, ON_GTX1080, ON_H200, ON_CPU, NDEVICES };
extern const char *const matching_devices[NDEVICES];

/* One trace of results/klenk/queues.csv, over its ranks. */
struct queue_trace {
    char application[32], name[32], origin[16]; /* paper, real, synthetic */
    unsigned ranks, missing, n; /* n: rows, ranks that are there */
    double *umq, *prq;          /* n longest of each, by rising length */
    double *share;              /* n: of the most frequent tuple, rising */
    double messages, receives, any_source, any_tag;
    unsigned peers, communicators; /* most of a rank */
    unsigned tags;                 /* of all ranks */
};

struct matching_study {
    struct matching device[NDEVICES];
    struct match_points h200; /* results/h200/gpu/match.csv */
    struct queue_trace *traces;
    size_t ntraces;
};

/* sets: changes of platforms; those that begin with "matching." change the
 * constants of all devices. */
int matching_study_open(struct matching_study *s, const char *const *sets,
                        size_t nsets, struct err *err) MUST_CHECK;
void matching_study_close(struct matching_study *s);

/* A queue of n messages and n receives. */
struct matching_case {
    enum matcher engine;
    double n, matched; /* a share of n */
    enum match_order order;
    unsigned queues; /* partitioned: queues; hash: CTAs; 0: one */
    bool compact;
    unsigned resident; /* CTAs at a time; 0: the device's */
};
/* Matches a second by the laws on a device, with a clock (Hz; 0: its own). */
double matching_rate(const struct matching_study *s, enum matching_device on,
                     double clock_Hz, struct matching_case c);
/* On an H200, each CTA on a multiprocessor of its own; NAN: not measured. */
double matching_measured(const struct matching_study *s, struct matching_case c,
                         unsigned wildcards);

/* A quantile of rising values, 0 to 1, by linear interpolation. */
double matching_quantile(const double *v, unsigned n, double q);

#endif
