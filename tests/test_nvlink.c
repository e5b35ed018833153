/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links between the GPUs of the shipped machines: every pair of
 * tests/data/nvlink.csv, and the rate of a flow between any two GPUs. An engine
 * is made in a child process, because a process has only one of SimGrid in its
 * life. */
#include "platforms/platform.h"
#include "base/csv.h"
#include "sim/network/engine.h"
#include "tests/check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define GB 1e9
#define EXACT 1e-9

/* The rate of a pair that NVLink does not connect: on a DGX-1V 9.2 GB/s through
 * both sockets, on Summit a GPU's link to its socket; 0 if there is no such
 * pair. */
static const struct shipped {
    const char *name;
    unsigned sockets, gpus, nics;
    double apart_GBps;
} machines[] = {{"daisy", 1, 4, 0, 0},    {"dgx-1v", 2, 8, 4, 9.2},
                {"dgx-2", 2, 16, 8, 0},   {"dgx-a100", 2, 8, 8, 0},
                {"dgx-h100", 2, 8, 8, 0}, {"summit", 2, 6, 2, 43.64}};
enum { NMACHINES = sizeof machines / sizeof machines[0] };

static struct csv links;
static struct machine m;
static struct engine *engine;

static void end_at(void *arg)
{
    *(double *)arg = engine_now(engine);
}

static void send(unsigned from, unsigned to, double *end)
{
    engine_flow(engine, engine_gpu(&m, 0, from), engine_gpu(&m, 0, to), GB, 0,
                NIC_OF_SOCKET, end_at, end);
}

static void run(void)
{
    struct err err = {0};

    if (engine_run(engine, &err) < 0) {
        err_print(&err);
        CHECK(!"runs");
    }
}

static bool is_row(size_t row, const char *platform, const char *a,
                   const char *b)
{
    return !strcmp(csv_text(&links, row, "platform"), platform) &&
           !strcmp(csv_text(&links, row, "a"), a) &&
           !strcmp(csv_text(&links, row, "b"), b);
}

/* Returns the rate in GB/s; 0 if these two are not in the table. */
static double linked(const char *platform, const char *a, const char *b)
{
    struct err err = {0};
    double GBps = 0;

    for (size_t row = 0; row < links.nrows; row++)
        if (is_row(row, platform, a, b) || is_row(row, platform, b, a))
            CHECK_EQ(csv_number(&links, row, "GBps", &GBps, &err), 0);
    return GBps;
}

static double pair_GBps(const struct shipped *s, unsigned a, unsigned b)
{
    char one[16], other[16];

    snprintf(one, sizeof one, "gpu%u", a);
    snprintf(other, sizeof other, "gpu%u", b);
    double direct = linked(s->name, one, other);
    double up = linked(s->name, one, "nvswitch");
    double down = linked(s->name, "nvswitch", other);
    return direct > 0 ? direct : up > 0 ? fmin(up, down) : s->apart_GBps;
}

/* Checks that each NVLink of the file is in the table, with 25 GB/s a link, and
 * that there is no other. */
static void check_wires(const struct shipped *s)
{
    size_t found = 0, wanted = 0;

    for (size_t i = 0; i < m.nwires; i++) {
        const struct device *a = &m.devices[m.wires[i].ends[0]];
        const struct device *b = &m.devices[m.wires[i].ends[1]];
        if (a->kind != DEVICE_GPU || strncmp(m.wires[i].type, "nvlink", 6) != 0)
            continue;
        CHECK_NEAR(m.wires[i].bandwidth_Bps / GB, linked(s->name, a->id, b->id),
                   EXACT);
        found++;
    }
    for (size_t row = 0; row < links.nrows; row++) {
        struct err err = {0};
        double GBps = 0, count = 0;
        if (strcmp(csv_text(&links, row, "platform"), s->name) != 0)
            continue;
        CHECK(csv_number(&links, row, "GBps", &GBps, &err) == 0 &&
              csv_number(&links, row, "links", &count, &err) == 0);
        CHECK_NEAR(GBps, 25 * count, EXACT);
        wanted++;
    }
    CHECK_EQ(found, wanted);
    CHECK(wanted > 0);
}

/* Sends 1 GB between each two GPUs, alone. */
static void each_pair(const struct shipped *s)
{
    for (unsigned a = 0; a < m.ngpus; a++)
        for (unsigned b = 0; b < m.ngpus; b++) {
            double begin = engine_now(engine), end;
            if (a == b)
                continue;
            send(a, b, &end);
            run();
            CHECK_NEAR(end - begin, 1 / pair_GBps(s, a, b), 1e-6);
        }
}

/* Sends between all pairs at once. If each has a direct wire, it is as if
 * alone; if all use a switch, a GPU's link carries its flows to all others. */
static void all_pairs(const struct shipped *s)
{
    bool by_switch = linked(s->name, "gpu0", "nvswitch") > 0;
    double begin = engine_now(engine), end[32][32] = {{0}};

    if (s->apart_GBps > 0)
        return;
    for (unsigned a = 0; a < m.ngpus; a++)
        for (unsigned b = 0; b < m.ngpus; b++)
            if (a != b)
                send(a, b, &end[a][b]);
    run();
    for (unsigned a = 0; a < m.ngpus; a++)
        for (unsigned b = 0; b < m.ngpus; b++)
            if (a != b)
                CHECK_NEAR(end[a][b] - begin,
                           (by_switch ? m.ngpus - 1 : 1) / pair_GBps(s, a, b),
                           1e-6);
}

/* Sends n flows that share the wire between the sockets, with each GPU in
 * one. */
static void across(const struct shipped *s)
{
    static const unsigned dgx[][2] = {{0, 5}, {1, 4}, {2, 7}, {3, 6}};
    static const unsigned summit[][2] = {{0, 3}, {1, 4}, {2, 5}};
    bool is_summit = !strcmp(s->name, "summit");
    const unsigned(*pairs)[2] = is_summit ? summit : dgx;
    unsigned n = is_summit ? 3 : 4;
    double begin = engine_now(engine), end[4];

    if (s->apart_GBps <= 0)
        return;
    for (unsigned i = 0; i < n; i++)
        send(pairs[i][0], pairs[i][1], &end[i]);
    run();
    for (unsigned i = 0; i < n; i++)
        CHECK_NEAR(end[i] - begin, n / (is_summit ? 64 : 9.2), 1e-6);
}

static void check_flows(const struct shipped *s, enum engine_kind kind)
{
    struct err err = {0};
    int status;

    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        check_failures = check_count = 0;
        engine = engine_new(kind, &m, 1, &err);
        if (!engine)
            _exit(err_print(&err));
        each_pair(s);
        all_pairs(s);
        across(s);
        fflush(NULL);
        _exit(check_failures != 0 || check_count == 0);
    }
    waitpid(pid, &status, 0);
    if (status)
        fprintf(stderr, "%s on %s failed\n", engine_kind_names[kind], s->name);
    CHECK_EQ(status, 0);
}

/* Checks that each NIC serves its share of the GPUs and of the cores, on its
 * socket. */
static void check_nics(const struct shipped *s)
{
    unsigned served[64] = {0}, *nic;

    if (!s->nics)
        return;
    nic = xcalloc((size_t)m.ncores + m.ngpus, sizeof *nic);
    machine_nearest_nics(&m, nic);
    for (unsigned c = 0; c < m.ncores; c++) {
        CHECK_EQ(machine_nic(&m, nic[c])->socket, machine_core_socket(&m, c));
        served[nic[c]]++;
    }
    for (unsigned n = 0; n < s->nics; n++)
        CHECK_EQ(served[n], m.ncores / s->nics);
    for (unsigned g = 0; g < m.ngpus; g++)
        CHECK_EQ(nic[m.ncores + g], g * s->nics / m.ngpus);
    free(nic);
}

/* Checks the numbers that a simulation of graph kernels reads. */
static void check_gpu(void)
{
    const struct gpu_model *g = &m.gpu;

    CHECK(g->memory_Bps >= 900e9 && g->l2_B >= 6 * 0x1p20);
    CHECK(g->sms >= 80 && g->threads_per_sm == 2048);
    CHECK(g->launch_s >= 1e-6 && g->launch_s <= 1e-5 && g->launch_source);
    CHECK(g->sync_s >= 1e-6 && g->sync_s <= 1e-5 && g->sync_source);
    CHECK(g->remote_atomic_s >= 1e-6 && g->remote_atomic_s <= 3e-6);
    CHECK(g->remote_atomic_source && g->packet.source);
    CHECK_EQ(g->packet.granule_B, 32);
    CHECK_EQ(g->packet.payload_B, 128);
    /* 32 B have more than half of the wire (Chen et al. 2022, Fig. 2). */
    CHECK(g->packet.header_B < 32);
    if (m.network.nodes > 1)
        CHECK(machine_put_s(&m) >= 6e-6 && machine_put_s(&m) <= 6.3e-6);
}

static void check_machine(const struct shipped *s)
{
    struct err err = {0};

    if (platform_load(&m, s->name, NULL, 0, &err) < 0) {
        err_print(&err);
        CHECK(!"loads");
        return;
    }
    CHECK_EQ(m.nsockets, s->sockets);
    CHECK_EQ(m.ngpus, s->gpus);
    CHECK_EQ(m.nnics, s->nics);
    check_wires(s);
    check_nics(s);
    check_gpu();
    check_flows(s, ENGINE_FLUID);
    check_flows(s, ENGINE_SIMGRID);
    machine_clear(&m);
}

int main(void)
{
    struct err err = {0};

    if (csv_load(&links, "tests/data/nvlink.csv", &err) < 0)
        return err_print(&err);
    for (size_t i = 0; i < NMACHINES; i++)
        check_machine(&machines[i]);
    csv_clear(&links);
    return check_result();
}
