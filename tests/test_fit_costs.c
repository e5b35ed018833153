/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of a GPU from measured rows: the fit returns the costs that made the
 * rows, a file of few rows determines little, and bad input is refused. */
#include "validate/calibrate/fit_costs.h"

#include "tests/check.h"
#include "tests/scratch.h"

#include <math.h>

#define HEAD                                                                   \
    "# run: gpu=\"2 x NVIDIA T1, driver 1\" command=\"x\"\n"                   \
    "machine,mpi,operation,gpu_a,gpu_b,bytes,threads,together,in_flight,"      \
    "samples,median_ns,p90_ns,config,run_id\n"

struct text {
    char text[65536];
    size_t n;
};

static void line(struct text *t, const char *operation, const char *gpu_b,
                 double bytes, unsigned threads, unsigned together, double ns)
{
    t->n += (size_t)snprintf(
        t->text + t->n, sizeof t->text - t->n,
        "m,mpi,%s,0,%s,%.0f,%u,%u,8,200,%.9g,%.9g,default,r\n", operation,
        gpu_b, bytes, threads, together, ns, 1.1 * ns);
}

/* Returns the time by the law, with an L2 of 20 MiB. */
static double law(double bytes, double hit, double miss)
{
    double h = fmin(1, 20 * 0x1p20 / bytes);

    return hit * h + miss * (1 - h);
}

static void sweeps(struct text *t, const char *gpu_b, double slower)
{
    for (double bytes = 0x1p20; bytes <= 0x1p34; bytes *= 2) {
        line(t, "read", gpu_b, bytes, 4096, 1,
             slower * law(bytes, 0.007, 0.03));
        line(t, "read", gpu_b, bytes, 4096, 8, 0.001); /* not by the law */
        line(t, "read", gpu_b, bytes, 64, 1, 1);
        line(t, "atomic_min", gpu_b, bytes, 4096, 1,
             slower * law(bytes, 0.012, 0.07));
        line(t, "float_add", gpu_b, bytes, 4096, 1,
             slower * law(bytes, 0.013, 0.05));
        line(t, "float_sum", gpu_b, bytes, 4096, 1,
             slower * law(bytes, 0.01, 0.06));
        line(t, "read_chain", gpu_b, bytes, 32, 1,
             slower * law(bytes, 200, 600) / 32);
    }
    line(t, "stream", gpu_b, 0x1p28, 4096, 1, slower * 0.004);
    line(t, "stream", gpu_b, 0x1p34, 4096, 1, slower * 0.002);
    line(t, "stream", gpu_b, 0x1p34, 4096, 4, 0.001);
    line(t, "float_sum_few", gpu_b, 4, 4096, 1, slower * 1.75);
    line(t, "float_sum_few", gpu_b, 64, 4096, 1, slower * 0.2);
    line(t, "counter", gpu_b, 4, 64, 1, 7);
    line(t, "counter", gpu_b, 4, 4096, 1, slower * 0.02);
}

/* Waits are the call, the stream's time and 3 us; kernels take 1.5 us more. */
static void calls(struct text *t)
{
    static const struct {
        const char *name, *gpu_b;
        double call, stream, wait;
    } all[] = {{"kernel", "", 4000, 1500, 10000},
               {"copy_to_gpu", "", 1400, 2400, 6800},
               {"copy_to_host", "", 1800, 2600, 7400},
               {"memset", "", 900, 1800, 5700},
               {"event_record", "", 800, 3000, 6400},
               {"event_wait", "", 200, 180, 1500},
               {"peer_copy", "1", 1600, 2500, 7100}};
    char name[64];

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        snprintf(name, sizeof name, "%s_call", all[i].name);
        line(t, name, all[i].gpu_b, 4, 0, 1, all[i].call);
        snprintf(name, sizeof name, "%s_stream", all[i].name);
        line(t, name, all[i].gpu_b, 4, 0, 1, all[i].stream);
        snprintf(name, sizeof name, "%s_wait", all[i].name);
        line(t, name, all[i].gpu_b, 4, 0, 1, all[i].wait);
    }
    /* These are for the whole GPU; a code takes 1 us more. */
    line(t, "kernel_call", "", 0, 4096, 1, 4100);
    line(t, "kernel_wait", "", 0, 4096, 1, 11000);
    line(t, "little_wait", "", 4, 256, 1, 10000);
    line(t, "little_codes_wait", "", 4, 256, 1, 11000);
    line(t, "little_store_wait", "", 4, 256, 1, 11300);
    /* These end when both have waited: 0.7 and 0.5 us more than the call's
     * increase. */
    line(t, "both_kernel_call", "", 0, 1, 1, 4500);
    line(t, "both_kernel_wait", "", 0, 1, 1, 11200);
    line(t, "both_memset_call", "", 4, 0, 1, 900);
    line(t, "both_memset_wait", "", 4, 0, 1, 6200);
    line(t, "both_peer_copy_call", "1", 4, 0, 1, 2500);
    /* Behind a kernel it is 4 + 1.8 of calls, 2.6, 3 and 8 us more. The first
     * is over before the copy is called. */
    line(t, "chain_wait", "", 4, 256, 1, 9300);
    line(t, "chain_wait", "", 4, 256, 8, 10400);
    line(t, "chain_wait", "", 4, 256, 64, 21600);
    line(t, "step_chain_wait", "", 4, 256, 1, 12400);
    line(t, "step_chain_wait", "", 4, 256, 8, 19400);
    line(t, "step_chain_wait", "", 4, 256, 64, 30000);
    line(t, "event_query_call", "", 0, 0, 1, 1300);
    line(t, "event_pass", "0", 0, 0, 1, 90);
    line(t, "event_pass", "1", 0, 0, 1, 5700);
    line(t, "grid_sync", "", 0, 4096, 1, 1450);
    line(t, "grid_sync", "", 0, 512, 1, 1100);
    line(t, "wake_thread", "", 0, 0, 1, 4700);
    line(t, "barrier", "", 0, 0, 1, 4400);
    line(t, "barrier_spin", "", 0, 0, 1, 80);
}

static int load(struct cost_points *p, const struct text *t, struct err *err)
{
    char *path = scratch_bytes("costs.csv", t->text, t->n);
    int result = cost_points_load(p, path, err);

    CHECK(result < 0 || cost_points_are(path));
    free(path);
    return result;
}

static struct text begun(void)
{
    struct text t = {.n = sizeof HEAD - 1};

    memcpy(t.text, HEAD, sizeof HEAD);
    return t;
}

static double at(const struct json *doc, const char *part, const char *key)
{
    const struct json *gpu = json_member(doc, "gpu");
    const struct json *of = part ? json_member(gpu, part) : gpu;
    const struct json *v = json_member(of, key);

    return v ? json_number(v) : NAN;
}

static struct json *document(const char *text)
{
    struct err err;
    struct json *doc = json_parse(text, "made up", &err);

    CHECK(doc);
    return doc;
}

static void test_recovered(void)
{
    static const struct {
        const char *part, *key;
        double value;
    } all[] = {{"access", "hit_ns", 0.007},
               {"access", "miss_ns", 0.03},
               {"access", "atomic_hit_ns", 0.012},
               {"access", "atomic_miss_ns", 0.07},
               {"access", "float_atomic_hit_ns", 0.013},
               {"access", "float_atomic_miss_ns", 0.05},
               {"access", "float_sum_hit_ns", 0.01},
               {"access", "float_sum_miss_ns", 0.06},
               {"access", "float_same_address_ns", 1.75},
               {"access", "same_address_ns", 0.64},
               {"access", "latency_hit_ns", 200},
               {"access", "stream_GBps", 2000},
               {NULL, "l2_MiB", 20},
               {"calls", "launch_us", 4},
               {"calls", "launch_stream_us", 3},
               {"calls", "launch_whole_us", 4.1},
               {"calls", "launch_whole_stream_us", 4.9},
               {"calls", "peer_store_us", 1.3},
               {"calls", "meet_us", 0.6},
               {"calls", "sync_us", 3},
               {"calls", "copy_to_gpu_us", 1.4},
               {"calls", "copy_to_gpu_stream_us", 2.4},
               {"calls", "copy_to_host_stream_us", 2.6},
               {"calls", "copy_behind_us", 8},
               {"calls", "memset_us", 0.9},
               {"calls", "event_record_us", 0.8},
               {"calls", "event_record_stream_us", 0.09},
               {"calls", "event_wait_us", 0.2},
               {"calls", "event_wait_stream_us", 5.7},
               {"calls", "event_query_us", 1.3},
               {"calls", "peer_copy_us", 1.6},
               {"calls", "peer_copy_stream_us", 2.5},
               {"calls", "wake_thread_us", 4.7},
               {"calls", "barrier_us", 4.4},
               {"calls", "grid_sync_us", 1.45}};
    struct json *doc = document("{\"gpu\": {\"sms\": 5}}");
    struct cost_points p;
    struct text t = begun();
    struct fit_costs f;
    struct err err;

    /* The rows of the other GPU's memory are first and must not count. */
    sweeps(&t, "1", 5);
    sweeps(&t, "0", 1);
    calls(&t);
    CHECK_EQ(load(&p, &t, &err), 0);
    CHECK(!strcmp(p.from, "costs.csv (2 x NVIDIA T1)"));
    CHECK_EQ(fit_costs(&f, doc, &p, 1, &err), 0);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        CHECK_NEAR(at(doc, all[i].part, all[i].key), all[i].value, 0.01);
    const struct json *several =
        json_member(json_member(json_member(doc, "gpu"), "calls"), "several");
    CHECK(several);
    CHECK_NEAR(json_number(json_member(several, "launch_us")), 4.5, 0.01);
    CHECK_NEAR(json_number(json_member(several, "launch_whole_us")), 4.5, 0.01);
    CHECK_NEAR(json_number(json_member(several, "peer_copy_us")), 2.5, 0.01);
    /* These are of the largest footprint, of which a thousandth is hits. */
    CHECK_NEAR(at(doc, "access", "latency_miss_ns"), 600, 0.01);
    CHECK_NEAR(at(doc, NULL, "sms"), 5, 0);
    for (size_t i = 0; i < f.nrows; i++)
        CHECK(f.rows[i].residual < 0.01 && isnan(f.rows[i].old));
    fit_costs_clear(&f);
    /* A second fit is equal, because the numbers do not depend on those that
     * are there. */
    CHECK_EQ(fit_costs(&f, doc, &p, 1, &err), 0);
    for (size_t i = 0; i < f.nrows; i++)
        CHECK_NEAR(f.rows[i].old, f.rows[i].fitted.value, 0);
    fit_costs_clear(&f);
    cost_points_clear(&p);
    json_free(doc);
}

/* With several files each number is the median of those that have it. */
static void test_files(void)
{
    static const double barrier[] = {4000, 6000, 5000};
    struct json *doc = document("{}");
    struct cost_points p[3];
    struct fit_costs f;
    struct err err;

    for (int i = 0; i < 3; i++) {
        struct text t = begun();
        line(&t, "barrier", "", 0, 0, 1, barrier[i]);
        if (i == 1)
            line(&t, "wake_thread", "", 0, 0, 1, 4700);
        CHECK_EQ(load(&p[i], &t, &err), 0);
    }
    CHECK_EQ(fit_costs(&f, doc, p, 3, &err), 0);
    CHECK_EQ(f.nrows, 2);
    CHECK_NEAR(at(doc, "calls", "barrier_us"), 5, 0);
    CHECK_NEAR(at(doc, "calls", "wake_thread_us"), 4.7, 0);
    fit_costs_clear(&f);
    for (int i = 0; i < 3; i++)
        cost_points_clear(&p[i]);
    json_free(doc);
}

/* If accesses were not measured, the document's numbers stay. */
static void test_part(void)
{
    struct json *doc =
        document("{\"gpu\": {\"access\": {\"hit_ns\": 1, \"source\": "
                 "{\"kind\": \"assumed\", \"text\": \"s\"}}}}");
    struct cost_points p;
    struct text t = begun();
    struct fit_costs f;
    struct err err;

    line(&t, "barrier", "", 0, 0, 1, 4400);
    CHECK_EQ(load(&p, &t, &err), 0);
    CHECK_EQ(fit_costs(&f, doc, &p, 1, &err), 0);
    CHECK_EQ(f.nrows, 1);
    CHECK_NEAR(at(doc, "access", "hit_ns"), 1, 0);
    CHECK_NEAR(at(doc, "calls", "barrier_us"), 4.4, 0);
    fit_costs_clear(&f);
    cost_points_clear(&p);
    json_free(doc);
}

static void not_fitted(const struct text *t, const char *said)
{
    struct json *doc = document("{}");
    struct cost_points p;
    struct fit_costs f;
    struct err err;

    CHECK_EQ(load(&p, t, &err), 0);
    CHECK_EQ(fit_costs(&f, doc, &p, 1, &err), -1);
    CHECK_HAS(err.text, said);
    fit_costs_clear(&f);
    cost_points_clear(&p);
    json_free(doc);
}

static void test_refused(void)
{
    static const struct {
        const char *row, *said;
    } bad[] = {
        {"m,p,read,0,0,4,1,1,8,9,-1,2,c,r\n", ":3: expected a median above 0"},
        {"m,p,read,0,0,4,1,1,8,9,2,1,c,r\n", "90th percentile"},
        {"m,p,read,0,0,x,1,1,8,9,1,2,c,r\n", "bytes"},
        {"m,p,read,0,0,4,-1,1,8,9,1,2,c,r\n", "threads"},
        {"m,p,,0,0,4,1,1,8,9,1,2,c,r\n", "operation: expected a name"},
        {"m,p,a,0,0,4,1,1,8,9,1,2,c,r\nm,p,a,0,0,4,1,1,8,9,1,2,c,r\n",
         ":4: the same as line 3 once more"},
        {"", "no rows"},
    };
    struct cost_points p;
    struct text t;
    struct err err;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        t = begun();
        t.n += (size_t)snprintf(t.text + t.n, sizeof t.text - t.n, "%s",
                                bad[i].row);
        CHECK_EQ(load(&p, &t, &err), -1);
        CHECK_HAS(err.text, bad[i].said);
    }
    t = begun();
    line(&t, "barrier_spin", "", 0, 0, 1, 80);
    not_fitted(&t, "determines no cost");
    t = begun();
    for (double bytes = 0x1p20; bytes <= 0x1p24; bytes *= 2)
        line(&t, "read", "0", bytes, 4096, 1, 0.007);
    not_fitted(&t, "read: expected 6 footprints or more");
    char *path = scratch_bytes("other.csv", "a,b\n1,2\n", 8);
    CHECK(!cost_points_are(path));
    CHECK_EQ(cost_points_load(&p, path, &err), -1);
    CHECK_HAS(err.text, "not the columns of sluice-native graph-costs");
    free(path);
}

int main(void)
{
    scratch_make();
    test_recovered();
    test_part();
    test_files();
    test_refused();
    scratch_clear();
    return check_result();
}
