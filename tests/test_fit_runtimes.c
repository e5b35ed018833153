/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of communication runtimes from measured rows: the fit returns the costs
 * that made the rows, and bad input is refused. */
#include "validate/calibrate/fit_runtimes.h"

#include "tests/check.h"
#include "tests/scratch.h"

#define HEAD                                                                   \
    "machine,mpi,runtime,operation,hosts,threads,window,pending,bytes,"        \
    "packet_bytes,packets_per_host,iterations,time_s,config,run_id\n"

struct text {
    char text[32768];
    size_t n;
};

static void row(struct text *t, const char *runtime, const char *operation,
                int threads, int pending, double bytes, double s)
{
    bool pool = !strcmp(runtime, "lci");

    /* One of three rows of a point is an outlier. */
    for (int i = 0; i < 3; i++)
        t->n += (size_t)snprintf(
            t->text + t->n, sizeof t->text - t->n,
            "m,mpi,%s,%s,2,%d,1,%d,%.0f,%d,%d,8,%.9g,default,r\n", runtime,
            operation, threads, pending, bytes, pool ? 4096 : 0, pool ? 32 : 0,
            i == 1 ? 50 * s : s);
}

/* Computed by hand: a call is 0.25 us and 20 ns more for each further thread; a
 * message takes its sender 1.25 us with the call and 0.5 ns/B, its receiver 2
 * us and 1 ns/B. */
static void ends(struct text *t, const char *runtime)
{
    for (int threads = 1; threads <= 4; threads *= 2)
        row(t, runtime, "call", threads, 0, 64,
            0.25e-6 + 20e-9 * (threads - 1));
    for (double bytes = 8; bytes <= 32768; bytes *= 8) {
        row(t, runtime, "sender_cpu", 1, 0, bytes, 1.25e-6 + 0.5e-9 * bytes);
        row(t, runtime, "receiver_cpu", 1, 0, bytes, 2e-6 + 1e-9 * bytes);
        row(t, runtime, "latency", 1, 0, bytes, 1); /* not fitted */
    }
    row(t, runtime, "poll", 1, 1, 0, 0.1e-6);
    row(t, runtime, "copy", 1, 1, 1 << 20, (1 << 20) / 4e9);
}

static char *measured(void)
{
    struct text t = {0};

    t.n = (size_t)snprintf(t.text, sizeof t.text, HEAD);
    ends(&t, "mpi_probe");
    for (int n = 1; n <= 1024; n *= 32) {
        row(&t, "mpi_probe", "test", 1, n, 0, 0.05e-6);
        row(&t, "mpi_probe", "entry", 1, n, 1, 0.2e-6 + 3e-9 * n);
    }
    ends(&t, "lci");
    row(&t, "mpi_rma", "call", 1, 0, 64, 0.4e-6);
    row(&t, "mpi_rma", "complete", 1, 1, 64, 1.5e-6);
    row(&t, "mpi_rma", "window", 1, 1, 1 << 20, 1e-3);
    return scratch_file("runtime.csv", t.text);
}

static double cost(const struct json *doc, const char *runtime, const char *key)
{
    const struct json *o = json_member(
        json_member(json_member(doc, "runtimes"), runtime), "costs");
    const struct json *v = json_member(o, key);

    return v ? json_number(v) : -1;
}

static void test_numbers(void)
{
    static const struct {
        const char *runtime, *key;
        double value;
    } expected[] = {
        {"mpi_probe", "call_us", 0.25},  {"mpi_probe", "call_thread_ns", 20},
        {"mpi_probe", "send_us", 1},     {"mpi_probe", "send_ns_per_byte", 0.5},
        {"mpi_probe", "recv_us", 2},     {"mpi_probe", "recv_ns_per_byte", 1},
        {"mpi_probe", "poll_us", 0.1},   {"mpi_probe", "test_us", 0.05},
        {"mpi_probe", "entry_ns", 3},    {"mpi_probe", "copy_GBps", 4},
        {"mpi_probe", "flush_us", 7}, /* unchanged */
        {"lci", "send_us", 1},           {"lci", "packet_bytes", 4096},
        {"lci", "packets_per_host", 32}, {"lci", "test_us", -1},
        {"mpi_rma", "call_us", 0.4},     {"mpi_rma", "complete_us", 1.5},
        {"mpi_rma", "window_us", 1000},  {"mpi_rma", "copy_GBps", -1},
        {"mpi_rma", "send_us", -1},
    };
    char *path = measured();
    struct runtime_points points;
    struct fit_runtimes f;
    struct err err = {0};
    struct json *doc = json_parse(
        "{\"runtimes\": {\"mpi_probe\": {\"costs\": {\"flush_us\": 7, "
        "\"call_us\": 9}}}}",
        "doc", &err);

    CHECK(doc && runtime_points_are(path));
    CHECK(runtime_points_load(&points, path, &err) == 0);
    CHECK(fit_runtimes(&f, doc, &points, &err) == 0);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        CHECK_NEAR(cost(doc, expected[i].runtime, expected[i].key),
                   expected[i].value, 2e-3);
    CHECK(f.nrows &&
          !strcmp(f.rows[0].path, "runtimes.mpi_probe.costs.call_us"));
    CHECK_NEAR(f.rows[0].old, 9, 1e-9);
    fit_runtimes_clear(&f);
    runtime_points_clear(&points);
    json_free(doc);
    free(path);
}

static void refused(const char *rows, const char *text)
{
    char all[1024];
    struct runtime_points points;
    struct fit_runtimes f = {0};
    struct err err = {0};
    struct json *doc = json_parse("{}", "doc", &err);

    snprintf(all, sizeof all, HEAD "%s", rows);
    char *path = scratch_file("refused.csv", all);
    int result = runtime_points_load(&points, path, &err);
    if (result == 0) {
        result = fit_runtimes(&f, doc, &points, &err);
        runtime_points_clear(&points);
    }
    CHECK(result < 0);
    CHECK_HAS(err.text, text);
    fit_runtimes_clear(&f);
    json_free(doc);
    free(path);
}

int main(void)
{
    scratch_make();
    test_numbers();
    refused("", "no rows");
    refused("m,mpi,lci,call,2,1,1,0,64,8192,64,8,0,d,r\n",
            "time_s: expected a time above 0, got 0");
    refused("m,mpi,lci,call,x,1,1,0,64,8192,64,8,1,d,r\n", "hosts");
    refused("m,mpi,,call,2,1,1,0,64,8192,64,8,1,d,r\n",
            "runtime: expected a name");
    refused("m,mpi,lci,round,4,1,1,0,64,8192,64,8,1,d,r\n",
            "expected calls of mpi_probe, mpi_rma or lci between two hosts");
    scratch_clear();
    return check_result();
}
