/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matching_study.h - the study of Klenk, Froening, Eberle and Dennison 2017:
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
    /* origin: paper, real, synthetic. */
    char application[32], name[32], origin[16];
    /* n: number of rows, which are the ranks that it has. */
    unsigned ranks, missing, n;
    double *umq, *prq; /* lengths of the n longest of each, ascending */
    double *share;     /* n shares of the most frequent tuple, ascending */
    double messages, receives, any_source, any_tag;
    unsigned peers, communicators; /* maximum over the ranks */
    unsigned tags;                 /* number over all ranks */
};

struct matching_study {
    struct matching device[NDEVICES];
    struct match_points h200; /* results/h200/gpu/match.csv */
    struct queue_trace *traces;
    size_t ntraces;
};

/* Opens the study. `sets` are changes of platforms; those that begin with
 * "matching." change the constants of all devices. */
int matching_study_open(struct matching_study *s, const char *const *sets,
                        size_t nsets, struct err *err) MUST_CHECK;
void matching_study_close(struct matching_study *s);

/* A queue of n messages and n receives. */
struct matching_case {
    enum matcher engine;
    double n, matched; /* matched: a share of n */
    enum match_order order;
    unsigned queues; /* partitioned: queues; hash: CTAs; 0 for one */
    bool compact;
    unsigned resident; /* CTAs at a time; 0 for the device's number */
};
/* Returns the matches per second by the laws on a device, with a clock in Hz; 0
 * for the device's own. */
double matching_rate(const struct matching_study *s, enum matching_device on,
                     double clock_Hz, struct matching_case c);
/* Returns the measured rate on an H200, with each CTA on a multiprocessor of
 * its own; NAN if not measured. */
double matching_measured(const struct matching_study *s, struct matching_case c,
                         unsigned wildcards);

/* Returns the quantile q, 0 to 1, of ascending values by linear
 * interpolation. */
double matching_quantile(const double *v, unsigned n, double q);

#endif
