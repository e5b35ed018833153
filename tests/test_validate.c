/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulator compared with the measurements that come with it, and the
 * reading of measurements: kinds, medians, and refusals. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "validate/measure/measured.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static struct machine lassen, summit;

static const struct error_summary *group(const struct error_summary *list,
                                         size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name))
            return &list[i];
    return NULL;
}

/* Checks that the median |error| of a group of a file is at most `limit`. */
static void near(const struct machine *m, const char *file, const char *name,
                 size_t points, double limit)
{
    struct measured f;
    struct err err = {0};
    size_t n;
    char path[128];

    snprintf(path, sizeof path, "results/measured/%s.csv", file);
    if (measured_load(&f, path, m, &err) < 0 ||
        measured_simulate(&f, m, 8000, NULL, NULL, &err) < 0) {
        err_print(&err);
        CHECK(!"simulated");
        return;
    }
    struct error_summary *list = measured_summary(&f, 1, &n);
    const struct error_summary *g = group(list, n, name);
    CHECK(g != NULL);
    if (g) {
        CHECK(g->points >= points);
        if (!(g->median <= limit))
            fprintf(stderr, "%s: %s: %.1f %%, at most %.1f %%\n", file, name,
                    100 * g->median, 100 * limit);
        CHECK(g->median <= limit);
    }
    free(list);
    measured_clear(&f);
}

static void beside_measurements(void)
{
    near(&lassen, "lassen_spectrum_ping_pong", "ping_pong", 200, 0.05);
    near(&lassen, "lassen_spectrum_maxrate", "maxrate", 700, 0.15);
    near(&lassen, "lassen_spectrum_node_pong", "node_pong", 600, 0.15);
    near(&lassen, "lassen_spectrum_memcpy_mult", "memcpy_mult", 300, 0.15);
    near(&lassen, "lassen_spectrum_mult_pong", "mult_pong/cpu", 1000, 0.12);
    near(&lassen, "lassen_spectrum_mult_pong", "mult_pong/gpu", 100, 0.05);
    near(&lassen, "lassen_spectrum_all_to_all_v",
         "all_to_all_v/isend_irecv/cuda_aware", 32, 0.20);
    near(&lassen, "lassen_spectrum_all_to_all_v",
         "all_to_all_v/isend_irecv/copy_to_cpu", 32, 0.25);
    near(&summit, "summit_spectrum_ping_pong", "ping_pong", 100, 0.25);
    near(&summit, "summit_spectrum_node_pong", "node_pong", 500, 0.25);
    near(&summit, "summit_spectrum_memcpy_mult", "memcpy_mult", 100, 0.25);
}

/* --- reading -------------------------------------------------------------- */

static char *written(const char *text, const char *suffix)
{
    char *path = xasprintf("%s/sluice-test-%ld-%s.csv",
                           getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
                           (long)getpid(), suffix);
    FILE *f = fopen(path, "w");

    if (f) {
        fputs(text, f);
        fclose(f);
    }
    return path;
}

static int load(struct measured *f, const char *text, const char *suffix,
                struct err *err)
{
    char *path = written(text, suffix);
    int result = measured_load(f, path, &lassen, err);

    unlink(path);
    free(path);
    return result;
}

static void refused(const char *text, const char *want)
{
    struct measured f;
    struct err err = {0};

    CHECK(load(&f, text, "bad", &err) < 0);
    CHECK_HAS(err.text, want);
}

/* Checks that all rows of the file are left out, for this reason. */
static void left_out(const char *text, const char *why)
{
    struct measured f;
    struct err err = {0};

    CHECK(load(&f, text, "left_out", &err) == 0);
    CHECK_EQ(f.npoints, 0);
    CHECK_EQ(f.nnotes, 1);
    CHECK(f.nnotes && f.notes[0].left_out && f.notes[0].rows == 1);
    if (f.nnotes)
        CHECK_HAS(f.notes[0].text, why);
    measured_clear(&f);
}

#define PP "device,locality,rank_a,rank_b,socket_a,socket_b,bytes,time_s\n"

static void refusals(void)
{
    refused("", "no rows");
    refused(PP, "no rows");
    refused("a,b\n1,2\n", "no known set of columns");
    refused("a,a\n1,2\n", ":1: two columns named a");
    refused(PP "cpu,on_socket,0,1,0,0,8\n", ":2: expected 8 fields, got 7");
    refused("# x\n" PP "cpu,on_socket,0,1,0,0,8,nan\n",
            ":3: time_s: expected a number, got 'nan'");
    refused(PP "cpu,on_socket,0,1,0,0,8,-1\n", "expected a time above 0");
    refused(PP "cpu,on_socket,0,1,0,0,8.5,1\n", "bytes: expected a whole");
    refused(PP "tpu,on_socket,0,1,0,0,8,1\n", "expected cpu or gpu, got 'tpu'");
    refused("active_pairs,pairs_socket0,bytes_per_message,device,time_s\n"
            "3,4,8,cpu,1\n",
            "3 pairs, 4 of them on socket 0");
    refused(
        "device,locality,rank_a,rank_b,bytes,time_s\ncpu,off_node,0,4,8,1\n",
        "no column named socket_a");
}

/* Values that this machine lacks, and missing measurements, are no errors. */
static void leave_outs(void)
{
    left_out(PP "cpu,on_socket,0,1,0,7,8,1\n", "lassen has no socket 7");
    left_out(PP "cpu,on_socket,,1,0,0,8,1\n", "rank_a is empty");
    left_out(PP "cpu,on_socket,0,1,0,0,8,\n", "no time");
    left_out("method," PP "rccl,gpu,off_node,0,4,0,0,8,1\n", "rccl");
    left_out("active_pairs,pairs_socket0,bytes_per_message,device,time_s\n"
             "41,20,8,cpu,1\n",
             "40 cores a node, too few for 41");
    left_out("device,messages,bytes_per_message,total_bytes,in_bounds,time_s\n"
             "cpu,2,524288,1048576,0,1\n",
             "in_bounds is 0");
    left_out("level,nnz,strategy,nodes,program,time_s\n"
             "0,35976004,cuda_aware,4,other,1\n",
             "program other");
}

/* Three runs of one ping-pong are one point, their median. */
static void median_of_runs(void)
{
    struct measured f;
    struct err err = {0};

    CHECK(load(&f,
               PP "cpu,off_node,0,4,0,0,8,3e-6\n"
                  "cpu,off_node,0,4,0,0,8,1e-6\n"
                  "cpu,off_node,0,4,0,0,8,2e-6\n"
                  "gpu,off_node,0,4,0,0,8,9e-6\n",
               "median", &err) == 0);
    CHECK_EQ(f.npoints, 2);
    CHECK_EQ(f.points[0].nrows, 3);
    CHECK_NEAR(f.points[0].measured_s, 2e-6, 1e-12);
    CHECK(!strcmp(f.points[1].group, "ping_pong/gpu/off_node"));
    measured_clear(&f);
}

/* Properties that are not simulated separate points; repetitions are their
 * noise; another MPI has groups of its own. */
static void apart_and_noise(void)
{
    struct measured f;
    struct err err = {0};
    size_t n;

    CHECK(load(&f,
               "mpi,config,series,run_id," PP
               "spectrum,default,a,1,cpu,off_node,0,4,0,0,8,1e-6\n"
               "spectrum,default,a,2,cpu,off_node,0,4,0,0,8,1.2e-6\n"
               "spectrum,default,a,3,cpu,off_node,0,4,0,0,8,0.7e-6\n"
               "spectrum,default;x/y,a,1,cpu,off_node,0,4,0,0,8,3e-6\n"
               "spectrum,default,b,1,cpu,off_node,0,4,0,0,8,4e-6\n"
               "mvapich,default,a,1,cpu,off_node,0,4,0,0,8,5e-6\n",
               "apart", &err) == 0);
    CHECK_EQ(f.npoints, 4);
    CHECK(!strcmp(f.points[0].name, "ping_pong/cpu/off_node/series=a"));
    CHECK_NEAR(f.points[0].noise, 0.2, 1e-9);
    CHECK(!strcmp(f.points[1].name,
                  "ping_pong/cpu/off_node/config=x_y,series=a"));
    CHECK(isnan(f.points[1].noise));
    CHECK(!strcmp(f.points[2].name, "ping_pong/cpu/off_node/series=b"));
    CHECK(
        !strcmp(f.points[3].name, "ping_pong [mvapich]/cpu/off_node/series=a"));
    CHECK(!strcmp(f.points[3].group, "ping_pong/cpu/off_node"));
    for (size_t i = 0; i < f.npoints; i++) {
        f.points[i].simulated_s = 0.9 * f.points[i].measured_s;
        f.points[i].baseline_s = i ? NAN : 1.5e-6;
    }
    struct error_summary *list = measured_summary(&f, 1, &n);
    const struct error_summary *g = group(list, n, f.points[0].name);
    CHECK(g && group(list, n, "ping_pong [mvapich]"));
    if (g) {
        CHECK_NEAR(g->bias, -0.1, 1e-9);
        CHECK_NEAR(g->median, 0.1, 1e-9);
        CHECK_NEAR(g->noise, 0.2, 1e-9);
        CHECK_NEAR(g->baseline, 0.5, 1e-9);
    }
    free(list);
    measured_pool(&f); /* 0.7, 1, 1.2, 3, 4, 5 */
    CHECK_EQ(f.npoints, 1);
    CHECK_EQ(f.points[0].nrows, 6);
    CHECK_NEAR(f.points[0].measured_s, 2.1e-6, 1e-12);
    measured_clear(&f);
    CHECK(mpi_is("cray-mpich", "cray-mpich-8.1.30") &&
          mpi_is("spectrum", "none") && !mpi_is("spectrum", "spectrum2"));
}

/* An empty socket or locality follows from the ranks: 4 a node, 2 a socket. */
static void empty_cells(void)
{
    struct measured f;
    struct err err = {0};

    CHECK(load(&f,
               PP "cpu,off_node,0,4,0,,8,1e-6\n"
                  "cpu,,0,2,,,8,1e-6\n"
                  "cpu,,0,1,,,8,1e-6\n",
               "empty", &err) == 0);
    CHECK_EQ(f.npoints, 3);
    CHECK_EQ(f.points[0].x.core[1], 0);
    CHECK(!strcmp(f.points[1].group, "ping_pong/cpu/on_node"));
    CHECK_EQ(f.points[1].x.core[1], 20);
    CHECK(!strcmp(f.points[2].group, "ping_pong/cpu/shared_cache"));
    CHECK_EQ(f.nnotes, 1);
    CHECK(f.nnotes && !f.notes[0].left_out && f.notes[0].rows == 3);
    measured_clear(&f);
}

static double simulated(const char *text, const char *suffix)
{
    struct measured f;
    struct err err = {0};

    if (load(&f, text, suffix, &err) < 0 ||
        measured_simulate(&f, &lassen, 0, NULL, NULL, &err) < 0) {
        err_print(&err);
        return -1;
    }
    double s = f.points[0].simulated_s;
    measured_clear(&f);
    return s;
}

static double alpha_beta(const struct segment *s, double bytes)
{
    return s->alpha_s + s->beta_s_per_B * bytes;
}

/*
 * mult_pong with one message is a ping-pong; with n, the sender's CPU share of
 * each is added, because it sends n before it receives any.
 */
static void mult_pong(void)
{
    const char *head =
        "device,messages,bytes_per_message,total_bytes,in_bounds,time_s\n";
    const struct segment *s =
        machine_segment(&lassen, RUNTIME_MPI, PATH_HOST, OFF_NODE, 64);
    char *one = xasprintf("%scpu,1,64,64,1,2e-6\n", head);
    char *ten = xasprintf("%scpu,10,64,640,1,2e-6\n", head);
    char *gpu = xasprintf("%sgpu,1,64,64,1,2e-6\n", head);

    CHECK_NEAR(simulated(one, "mult"), alpha_beta(s, 64), 2e-3);
    double more = simulated(ten, "mult");
    CHECK(more > alpha_beta(s, 64) + 9 * s->send_s / 2);
    /* Answers are also received one after the other. */
    CHECK(more > alpha_beta(s, 64) + 9 * s->recv_s / 2);
    CHECK(more < 10 * alpha_beta(s, 64));
    CHECK_NEAR(
        simulated(gpu, "mult"),
        alpha_beta(
            machine_segment(&lassen, RUNTIME_MPI, PATH_GDR, OFF_NODE, 64), 64),
        1e-6);
    free(one);
    free(ten);
    free(gpu);
}

/* Returns whether ranks take turns on a GPU, in an all-to-all with this
 * head. */
static int mps_off(const char *head, const char *machine)
{
    struct measured f;
    struct err err = {0};
    char *text = xasprintf("%smachine,nodes,ranks_per_node,implementation,"
                           "strategy,bytes_per_gpu_pair,time_s\n"
                           "%s,2,40,isend_irecv,dup_devptr,8,1e-4\n",
                           head, machine);
    int off = load(&f, text, "mps", &err) < 0 ? -1 : f.points[0].x.mps_off;

    if (off >= 0)
        measured_clear(&f);
    free(text);
    return off;
}

/* The head counts, and no name; config says whether ranks of a GPU take turns
 * on it. */
static void what_the_file_says(void)
{
    const char *mult =
        "device,messages,bytes_per_message,total_bytes,in_bounds,time_s\n"
        "cpu,2,64,128,1,2e-6\n";
    const char *on = "# measured: copies on one node of Lassen, MPS on\n",
               *denied = "# note: on Lassen MPS is started; it was not "
                         "effective there\n";
    const char *a2a = "nodes,ranks_per_node,implementation,strategy,"
                      "bytes_per_gpu_pair,time_s,config\n"
                      "2,40,isend_irecv,dup_devptr,8,1e-4,MPS_on\n"
                      "2,40,isend_irecv,dup_devptr,16,1e-4,MPS_off\n"
                      "2,40,isend_irecv,dup_devptr,32,1e-4,host_memory\n";
    char *parts = xasprintf("# measured: mult_pong_split: text\n%s", mult);
    char *whole = xasprintf("# measured: mult_pong: text\n%s", mult);
    struct measured f;
    struct err err = {0};

    CHECK(load(&f, parts, "parts", &err) == 0);
    CHECK(!strcmp(f.points[0].group, "mult_pong_split/cpu"));
    measured_clear(&f);
    CHECK(load(&f, whole, "split", &err) == 0);
    CHECK(!strcmp(f.points[0].group, "mult_pong/cpu"));
    measured_clear(&f);
    CHECK(load(&f, a2a, "a2a", &err) == 0);
    CHECK(!f.points[0].x.mps_off && f.points[1].x.mps_off &&
          !f.points[2].x.mps_off);
    measured_clear(&f);
    CHECK(mps_off(on, "lassen") == 0);
    CHECK(mps_off(denied, "lassen") == 1);
    CHECK(mps_off(denied, "summit") == 0); /* it does not apply to Summit */
    free(parts);
    free(whole);
}

/* The number of nodes is any, in one rack or in several, but not more than the
 * machine has. */
static void other_node_counts(void)
{
    const char *head = "nodes,ranks_per_node,implementation,strategy,"
                       "bytes_per_gpu_pair,time_s,run_id\n";
    const char *runs = "# run: run_id=7 nodes_per_rack=2+1+1 file=x\n";
    char *near =
        xasprintf("%s4,40,isend_irecv,copy_to_cpu,4096,1e-4,7\n", head);
    char *far = xasprintf("%s%s", runs, near);
    char *none = xasprintf("%s0,40,isend_irecv,copy_to_cpu,8,1,7\n", head);
    char *many = xasprintf("%s999999,40,isend_irecv,copy_to_cpu,8,1,7\n", head);

    double one_rack = simulated(near, "a2a");
    CHECK(one_rack > 0);
    /* Latency between racks is added, but congestion is also lower than in
     * one. */
    CHECK(simulated(far, "a2a") != one_rack);
    left_out(many, "lassen has 792 nodes, not 999999");
    refused(none, "nodes: expected at least 1, got 0");
    refused("level,nnz,strategy,nodes,time_s\n0,9,cuda_aware,0,1\n",
            "nodes: expected at least 1, got 0");
    free(near);
    free(far);
    free(none);
    free(many);
}

/* Staging by hand is a copy, a message, a copy. */
static void ping_pong_3step(void)
{
    double b = 65536;
    double want = alpha_beta(
        machine_segment(&lassen, RUNTIME_MPI, PATH_HOST, OFF_NODE, 65536), b);

    for (int d = H2D; d <= D2H; d++) {
        const struct copy_cost *c =
            machine_copy(&lassen, (enum copy_dir)d, ON_SOCKET, 1, 65536);
        want += c->alpha_s + c->beta_s_per_B * b;
    }
    CHECK_NEAR(simulated("# measured: ping_pong_3step\n" PP
                         "gpu,off_node,0,4,0,0,65536,6e-5\n",
                         "pp"),
               want, 1e-3);
}

/*
 * Every GPU's data reach every GPU by a call of the library, whole or, by
 * MPI_Alltoall, each rank its part of whole elements: 1024 B over 10 ranks are
 * 10 x 100 B. In GPU memory it equals staging by hand. They do, too, in the
 * iteration that sluice-native repeats, which sends GPU memory itself.
 */
static void library_all_to_all(void)
{
    struct experiment x = {.of = &all_to_all_v_benchmark,
                           .bytes = 1024,
                           .nodes = 3,
                           .ranks_per_node = 40,
                           .library = true};
    enum { GPUS = 12 };

    for (int i = 0; i < 12; i++) {
        uint64_t got[GPUS][GPUS] = {0};
        struct plan p;
        struct err err = {0};
        x.strategy = (unsigned)i % 4;
        x.split = i >= 4 && i < 8;
        x.iteration = i >= 8;
        x.library = !x.iteration;
        unsigned rounds = x.iteration ? 1 : all_to_all_v_benchmark.rounds;
        bool parts = x.split && x.strategy > COPY_TO_CPU;
        CHECK(experiment_plan(&p, &lassen, &x, &err) == 0);
        for (size_t k = 0; k < p.nops; k++)
            if (p.ops[k].kind == OP_MSG && p.ops[k].phase == PHASE_OFF_NODE) {
                CHECK((p.ops[k].src_gpu != NO_GPU) ==
                      (x.iteration && x.strategy == CUDA_AWARE));
                got[p.ops[k].src / 10][p.ops[k].dst / 10] += p.ops[k].bytes;
            }
        for (int g = 0; g < GPUS; g++)
            for (int d = 0; d < GPUS; d++)
                CHECK_EQ(got[g][d], rounds * (parts ? 1000 : 1024));
        plan_clear(&p);
    }
    const char *head = "nodes,ranks_per_node,implementation,strategy,"
                       "bytes_per_gpu_pair,time_s\n2,40,mpi_collective";
    char *aware = xasprintf("%s,cuda_aware,4096,1e-4\n", head);
    char *staged = xasprintf("%s,copy_to_cpu,4096,1e-4\n", head);
    CHECK_NEAR(simulated(aware, "aware"), simulated(staged, "staged"), 1e-12);
    free(aware);
    free(staged);
}

/* The exchange alone takes less time than the product; the group names which it
 * is. */
static void products(void)
{
    const char *head = "level,nnz,strategy,nodes,program,time_s\n"
                       "0,35976004,copy_to_cpu,4";
    char *full = xasprintf("%s,full,1e-4\n", head);
    char *halo = xasprintf("%s,comm_only,1e-4\n", head);
    struct measured f;
    struct err err = {0};

    CHECK(simulated(halo, "spmv") < simulated(full, "spmv"));
    CHECK(load(&f, halo, "spmv", &err) == 0);
    CHECK(!strcmp(f.points[0].group, "spmv_comm_only/copy_to_cpu"));
    measured_clear(&f);
    free(full);
    free(halo);
}

/* A queue of one is a message; with many, the order costs nothing here. */
static void matching(void)
{
    const char *head = "locality,receive_order,messages,time_s\n";
    const struct segment *s =
        machine_segment(&lassen, RUNTIME_MPI, PATH_HOST, OFF_NODE, 1);
    char *one = xasprintf("%soff_node,in_order,1,1e-6\n", head);
    char *many = xasprintf("%soff_node,in_order,50,1e-6\n", head);
    char *back = xasprintf("%soff_node,reversed,50,1e-6\n", head);

    CHECK_NEAR(simulated(one, "matching"), alpha_beta(s, 1), 2e-3);
    CHECK(simulated(many, "matching") >
          simulated(one, "matching") + 49 * s->send_s / 2);
    CHECK(simulated(back, "matching") >= simulated(many, "matching"));
    free(one);
    free(many);
    free(back);
}

#define HALO                                                                   \
    "nodes,gpus_per_node,gpus,grid_edge_cells,backend,time_per_step_s\n"

/*
 * A step is a kernel and 8 packings, each waited for, and 8 unpackings, which
 * are only launched, one after the other; and at most all 8 messages in
 * addition. The kernel is one GPU's time, divided, here between two.
 */
static void halo_step(void)
{
    double wait_s = lassen.gpu.launch_s + lassen.gpu.sync_s;
    double kernel_s = (1e-3 - wait_s) / 2;
    double work_s = kernel_s + 9 * wait_s + 8 * lassen.gpu.launch_s;
    const struct segment *far =
        machine_segment(&lassen, RUNTIME_MPI, PATH_GDR, OFF_NODE, 8000);
    double took = simulated(HALO "2,1,2,1000,cray_mpich_gpu_aware,1\n"
                                 "1,1,1,1000,cray_mpich_gpu_aware,1e-3\n"
                                 "1,1,1,1000,cray_mpich_gpu_aware,2e-3\n",
                            "halo");

    CHECK(took > work_s);
    CHECK(took < work_s + 8 * (alpha_beta(far, 8000) + 1e-6) + 1e-6);
    left_out(HALO "2,1,2,1000,stream_triggered_send,1\n", "stream_triggered");
    left_out(HALO "1,1,1,1000,cray_mpich_gpu_aware,1\n", "one GPU");
    left_out(HALO "2,8,16,1000,cray_mpich_gpu_aware,1\n",
             "lassen has 4 GPUs a node, not 8");
    refused(HALO "2,0,0,1000,cray_mpich_gpu_aware,1\n", "above 0");
}

#define MULTI                                                                  \
    "device,method,locality,same_numa,domain,domains_active,pairs_per_domain," \
    "pairs_total,pairs_socket0,bytes_per_message,time_s\n"

/* A single pair is a ping-pong: of the halves of a domain (here of two ranks,
 * which share a cache), or of two nodes; by hand with two copies. */
static void multi_pair(void)
{
    double b = 65536, copies = 0;

    CHECK_NEAR(
        simulated(MULTI "cpu,mpi,on_socket,1,numa,1,1,1,1,65536,1\n", "multi"),
        alpha_beta(machine_segment(&lassen, RUNTIME_MPI, PATH_HOST,
                                   SHARED_CACHE, 65536),
                   b),
        1e-3);
    /* The other half of a node of 40 ranks is the other socket. */
    CHECK_NEAR(simulated(MULTI "cpu,mpi,on_node,0,node,1,1,1,1,65536,1\n"
                               "cpu,mpi,on_node,0,node,1,20,20,20,65536,1\n",
                         "multi"),
               alpha_beta(machine_segment(&lassen, RUNTIME_MPI, PATH_HOST,
                                          ON_NODE, 65536),
                          b),
               1e-3);
    for (int d = H2D; d <= D2H; d++) {
        const struct copy_cost *c =
            machine_copy(&lassen, (enum copy_dir)d, ON_SOCKET, 1, 65536);
        copies += c->alpha_s + c->beta_s_per_B * b;
    }
    CHECK_NEAR(simulated(MULTI
                         "gpu,copy_to_cpu,off_node,0,gpu,1,1,1,1,65536,1\n",
                         "multi"),
               copies + alpha_beta(machine_segment(&lassen, RUNTIME_MPI,
                                                   PATH_HOST, OFF_NODE, 65536),
                                   b),
               1e-3);
    left_out("config," MULTI
             "default;CPX,gpu,gpu_aware,off_node,0,gpu,1,1,1,1,8,1\n",
             "CPX: GPUs cut into 6, the 4 of lassen are whole");
    left_out(MULTI "cpu,mpi,on_node,0,node,1,32,32,32,8,1\n",
             "lassen has 40 cores a node, not 64");
    left_out(MULTI "gpu,gpu_aware,off_node,0,gpu,24,1,24,6,8,1\n",
             "lassen has 4 GPUs a node, not 24");
    refused(MULTI "cpu,mpi,on_node,0,node,2,3,7,3,8,1\n",
            "2 domains of 3 pairs have not 7");
}

int main(void)
{
    struct err err = {0};

    if (platform_load(&lassen, "lassen", NULL, 0, &err) < 0 ||
        platform_load(&summit, "summit", NULL, 0, &err) < 0)
        return err_print(&err);
    refusals();
    leave_outs();
    apart_and_noise();
    empty_cells();
    median_of_runs();
    mult_pong();
    what_the_file_says();
    other_node_counts();
    ping_pong_3step();
    multi_pair();
    library_all_to_all();
    matching();
    products();
    halo_step();
    beside_measurements();
    machine_clear(&lassen);
    machine_clear(&summit);
    return check_result();
}
