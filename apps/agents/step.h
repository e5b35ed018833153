/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - the operations that a framework calls, one after the other, in each
 * step: counts of them, read off its code. The cost of an operation is the
 * machine's (platforms/gpu_calls.def). A thread of the CPU and a stream of its
 * GPU work at the same time. */
#ifndef APPS_AGENTS_STEP_H
#define APPS_AGENTS_STEP_H

#include "base/err.h"
#include "platforms/machine.h"

struct json;

/* The lists of a step, by their keys in a preset. */
enum step_part {
    /* The calls of a persistent kernel are made once. */
    STEP_BEFORE, /* before the work, the launch of its kernel included */
    STEP_AFTER,  /* after the kernel, until the CPU knows its results */
    STEP_RAISE,  /* discrete kernels: before the threshold rises */
    /* If there are several GPUs: once, before updates are sent. */
    STEP_SEND,
    STEP_SEND_PEER,    /* for each GPU that updates are sent to */
    STEP_RECEIVE_PEER, /* for each GPU that updates came from */
    /* If there are several GPUs: once, when all updates have arrived. */
    STEP_RECEIVE,
    /* Replaces STEP_RECEIVE in steps in which any update came, and then only a
     * transfer that is not empty has latency. Level by level. */
    STEP_CAME,
    /* For a worker of a persistent kernel: from the time it dequeues a vertex
     * until the vertices that it found can be dequeued. */
    STEP_TURN,
    NSTEP_PARTS
};
extern const char *const step_part_names[NSTEP_PARTS];

struct step_calls {
    /* Occurrences of each call in the list, for checks. */
    uint32_t n[NGPU_CALLS];
    struct step_call {
        uint32_t call, count;
    } * list;
    size_t length;
};

struct step {
    bool given;
    struct step_calls parts[NSTEP_PARTS];
    char *source; /* the code from which the counts were read */
};

/* Reads the `step` of a preset, if it has one. In it, lists under "several" are
 * for several GPUs and lists under an algorithm's name for that algorithm; they
 * replace the common ones. */
int step_read(struct step *s, const struct json *preset, const char *algorithm,
              bool several, struct err *err) MUST_CHECK;
/* Sets the step of a preset that gives none: a launch and the wait for it; and
 * if the CPU sends the updates, it first reads how many there are. */
void step_plain(struct step *s, bool cpu_sends);
void step_clear(struct step *s);

/* Returns whether its lists contain the copies to other GPUs. Such copies then
 * have no alpha, because the time of the call is in the list. */
bool step_copies(const struct step *s);
/* Checks that the machine has a cost for each call; `several` includes the
 * lists for several GPUs. */
int step_check(const struct step *s, const struct machine *m, bool several,
               struct err *err) MUST_CHECK;

/* The times until which the CPU's thread and the stream are busy. */
struct step_clock {
    double host_s, stream_s;
    /* The stream ends with a copy, which another can follow at once. */
    bool copying;
};

/* Does a list: a call occupies the CPU, then the stream; a wait occupies the
 * CPU once the stream has done everything before it. */
void step_do(struct step_clock *k, const struct step *s, enum step_part part,
             const struct gpu_calls *c);
/* Adds the work of a kernel that has been launched. */
void step_work(struct step_clock *k, double work_s);
/* Returns the time at which both are done. */
double step_clock_s(const struct step_clock *k);
/* Returns the time of a list on its own. */
double step_part_s(const struct step *s, enum step_part part,
                   const struct gpu_calls *c);

#endif
