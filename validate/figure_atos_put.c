/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 4: a put into the memory of a GPU of another node, which a GPU starts. */
#include "validate/figure.h"

#include "sim/child.h"
#include "sim/engine.h"
#include "sim/exec.h"

#include <inttypes.h>

enum { SMALLEST = 2, LARGEST = 28, NSIZES = LARGEST - SMALLEST + 1, PUTS = 64 };

/* Put after put of one size. */
struct run {
    const struct machine *m;
    struct engine *e;
    uint64_t bytes;
    unsigned left; /* to begin */
    bool blocking; /* the next begins when this one has arrived; else a message
                      gap after it began */
    double end_s;
};

struct job {
    const struct machine *m;
    double *blocking_s, *streaming_s; /* NSIZES each: PUTS of them */
};

static void begin(void *arg);

static void arrived(void *arg)
{
    struct run *r = arg;

    r->end_s = engine_now(r->e);
    if (r->blocking && r->left)
        begin(r);
}

/* The last byte is there, as late as a put of no bytes is. */
static void flowed(void *arg)
{
    struct run *r = arg;

    engine_after(r->e, r->m->gpu.shmem_put_s, arrived, r);
}

static void begin(void *arg)
{
    struct run *r = arg;

    r->left--;
    engine_flow(r->e, engine_gpu(r->m, 0, 0), engine_gpu(r->m, 1, 0),
                (double)r->bytes, 0, NIC_OF_SOCKET, flowed, r);
    if (!r->blocking && r->left)
        engine_after(r->e,
                     r->m->nnics ? machine_nic(r->m, 0)->message_gap_s : 0,
                     begin, r);
}

static int time_puts(double *s, struct engine *e, const struct machine *m,
                     uint64_t bytes, bool blocking, struct err *err)
{
    struct run r = {m, e, bytes, PUTS, blocking, 0};

    engine_rewind(e);
    double from = engine_now(e);
    engine_after(e, 0, begin, &r);
    if (engine_run(e, err) < 0)
        return -1;
    *s = r.end_s - from;
    return 0;
}

/* In a child: a process has one engine. */
static int time_all(void *arg, struct err *err)
{
    struct job *j = arg;
    struct engine *e = engine_new(exec_engine(), j->m, 2, err);
    int result = e ? 0 : -1;

    for (int i = 0; i < NSIZES && result == 0; i++) {
        uint64_t bytes = UINT64_C(1) << (SMALLEST + i);
        result = time_puts(&j->blocking_s[i], e, j->m, bytes, true, err);
        if (result == 0)
            result = time_puts(&j->streaming_s[i], e, j->m, bytes, false, err);
    }
    return result;
}

static void print_rows(FILE *csv, const struct job *j)
{
    fprintf(csv, "bytes,latency_s,bandwidth_Bps,streaming_Bps\n");
    for (int i = 0; i < NSIZES; i++) {
        uint64_t bytes = UINT64_C(1) << (SMALLEST + i);
        double all = (double)bytes * PUTS;
        fprintf(csv, "%" PRIu64 ",%.9g,%.9g,%.9g\n", bytes,
                j->blocking_s[i] / PUTS, all / j->blocking_s[i],
                all / j->streaming_s[i]);
    }
}

int figure_atos_put(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err)
{
    if (in->m->network.nodes < 2 || !(in->m->gpu.shmem_put_s > 0))
        return fail(err, "%s has no gpu.shmem_put_us, or one node",
                    in->m->name);
    size_t bytes = (size_t)2 * NSIZES * sizeof(double);
    double *times = child_shared(bytes);
    struct job j = {in->m, times, times + NSIZES};
    int result = child_run(time_all, &j, err);
    if (result == 0)
        print_rows(csv, &j);
    fprintf(vars, "from = %d\nto = %d\nstep = 4\n", SMALLEST, LARGEST);
    child_unshare(times, bytes);
    return result;
}
