/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - what a framework calls, and does one after the other, in each step:
 * counts of operations, read off its code. What an operation takes is the
 * machine's (platforms/gpu_calls.def). A thread of the CPU and a stream of its
 * GPU work side by side. */
#ifndef STRATEGIES_AGENTS_STEP_H
#define STRATEGIES_AGENTS_STEP_H

#include "base/err.h"
#include "platforms/machine.h"

struct json;

/* The lists of a step, by their keys in a preset. */
enum step_part {
    /* A persistent kernel's are called once. */
    STEP_BEFORE,       /* the kernel that does the work, its launch included */
    STEP_AFTER,        /* that, until the CPU knows what was found */
    STEP_RAISE,        /* discrete kernels: before the threshold rises */
    STEP_SEND,         /* more than one GPU: once, before what was found goes */
    STEP_SEND_PEER,    /* for each GPU that something goes to */
    STEP_RECEIVE_PEER, /* for each GPU that something came from */
    STEP_RECEIVE,      /* more than one GPU: once, when all is there */
    STEP_CAME, /* instead of that, where anything came; then only a transfer of
                  something has latency. Level by level. */
    STEP_TURN, /* of a persistent kernel's worker: from taking a vertex until
                  what it found can be taken */
    NSTEP_PARTS
};
extern const char *const step_part_names[NSTEP_PARTS];

struct step_calls {
    uint32_t n[NGPU_CALLS]; /* how often each stands in the list, for checks */
    struct step_call {
        uint32_t call, count;
    } * list;
    size_t length;
};

struct step {
    bool given;
    struct step_calls parts[NSTEP_PARTS];
    char *source; /* what the counts were read off */
};

/* Of a preset: its `step`; nothing, where there is none. Lists in it under
 * "several", of more than one GPU, and under the name of the algorithm are
 * instead of others. */
int step_read(struct step *s, const struct json *preset, const char *algorithm,
              bool several, struct err *err) MUST_CHECK;
/* Where none is given: a launch, and the wait for it; and where the CPU sends
 * what was found, it reads how much before. */
void step_plain(struct step *s, bool cpu_sends);
void step_clear(struct step *s);

/* Its lists say when a copy to another GPU is called: those take no alpha. */
bool step_copies(const struct step *s);
/* The machine has all that the lists call; several: those of more than one
 * GPU, too. */
int step_check(const struct step *s, const struct machine *m, bool several,
               struct err *err) MUST_CHECK;

/* Until when the CPU's thread, and the stream, are busy. */
struct step_clock {
    double host_s, stream_s;
    bool copying; /* the stream ends with a copy, which others follow at once */
};

/* A call takes the CPU, then the stream; a wait takes the CPU when the stream
 * has done all before it. */
void step_do(struct step_clock *k, const struct step *s, enum step_part part,
             const struct gpu_calls *c);
/* A kernel's work, once it is launched. */
void step_work(struct step_clock *k, double work_s);
/* Both are done. */
double step_clock_s(const struct step_clock *k);
/* The list by itself. */
double step_part_s(const struct step *s, enum step_part part,
                   const struct gpu_calls *c);

#endif
