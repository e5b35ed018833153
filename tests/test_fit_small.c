/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small machine with a slow NIC, measured in sluice-native's format, with
 * noise and disturbances: from a base that is wrong in everything, calibration
 * finds its numbers within the intervals that it states, and its
 * breakpoints. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "platforms/platform.h"
#include "base/random.h"
#include "validate/calibrate/fit.h"

#include <stdbool.h>

static const char QUAD[] = "tests/data/quad.json";

static double unit(uint64_t *r)
{
    return (double)random_below(r, 1u << 30) / (1u << 30);
}

/* Adds 3 % of noise, and makes one time in ten up to five times as long. */
static double disturbed(double s, uint64_t *r)
{
    double noise = 0;

    for (int i = 0; i < 12; i++)
        noise += unit(r) - 0.5; /* standard deviation 1 */
    s *= 1 + 0.03 * noise;
    return unit(r) < 0.1 ? s * (1.5 + 3.5 * unit(r)) : s;
}

enum { BATCHES = 8 };

static void print_head(FILE *f, const char *columns)
{
    fprintf(f,
            "# measured: made up\n# run: run_id=r1 date=never hosts=a+b "
            "ranks_per_node=4 command=\"none\"\nmachine,mpi,%s,config,run_id\n",
            columns);
}

static char *ping_pongs(const struct machine *m, uint64_t *r)
{
    char *path = scratch_path("ping_pong.csv");
    FILE *f = fopen(path, "w");

    print_head(f, "device,locality,rank_a,rank_b,socket_a,socket_b,bytes,"
                  "time_s,same_rack");
    for (int far = 0; far < 2; far++)
        for (uint64_t bytes = 4; bytes <= 4u << 20; bytes *= 2)
            for (int i = 0; i < BATCHES; i++) {
                const struct segment *s =
                    machine_segment(m, RUNTIME_MPI, PATH_HOST,
                                    far ? OFF_NODE : ON_SOCKET, bytes);
                double t = s->alpha_s + s->beta_s_per_B * (double)bytes;
                fprintf(f, "quad,none,cpu,%s,0,%d,0,0,%llu,%.6e,1,x,r1\n",
                        far ? "off_node" : "on_socket", far ? 4 : 3,
                        (unsigned long long)bytes, disturbed(t, r));
            }
    fclose(f);
    return path;
}

static char *copies(const struct machine *m, uint64_t *r)
{
    char *path = scratch_path("memcpy.csv");
    FILE *f = fopen(path, "w");

    print_head(f, "direction_performed,cpu_socket,gpu_a,gpu_b,locality,bytes,"
                  "time_s");
    for (enum copy_dir dir = H2D; dir <= D2H; dir++)
        for (uint64_t bytes = 4; bytes <= 4u << 20; bytes *= 2)
            for (int i = 0; i < BATCHES; i++) {
                const struct copy_cost *c =
                    machine_copy(m, dir, ON_SOCKET, 1, bytes);
                double t = c->alpha_s + c->beta_s_per_B * (double)bytes;
                fprintf(f, "quad,none,%s,0,1,,on_socket,%llu,%.6e,x,r1\n",
                        copy_dir_names[dir], (unsigned long long)bytes,
                        disturbed(t, r));
            }
    fclose(f);
    return path;
}

/* Writes the times of the simulated benchmark; 1 s if there are none yet. The
 * caller frees the path. */
static char *maxrate(const struct measured *times, unsigned least, uint64_t *r)
{
    char *path = scratch_path("maxrate.csv");
    FILE *f = fopen(path, "w");
    size_t n = 0;

    print_head(f, "device,active_pairs,pairs_socket0,bytes_per_message,time_s");
    for (unsigned pairs = least; pairs <= 4; pairs++)
        for (uint64_t bytes = 1024; bytes <= 512u << 10; bytes *= 2, n++)
            for (int i = 0; i < (times ? BATCHES : 1); i++)
                fprintf(f, "quad,none,cpu,%u,%u,%llu,%.6e,x,r1\n", pairs, pairs,
                        (unsigned long long)bytes,
                        times ? disturbed(times->points[n].simulated_s, r) : 1);
    fclose(f);
    return path;
}

static void load(struct measured *f, char *path, const struct machine *m)
{
    struct err err = {0};

    if (measured_load(f, path, m, &err) < 0) {
        err_print(&err);
        CHECK(!"what was written can be read");
    }
    free(path);
}

static struct json *changed(char *const *settings, size_t n)
{
    struct err err = {0};
    struct json *doc =
        platform_json(QUAD, (const char *const *)settings, n, &err);

    if (!doc)
        err_print(&err);
    return doc;
}

/* Returns a base in which all numbers and breakpoints differ. */
static struct json *wrong_base(void)
{
    static char *const settings[] = {
        "node.wire_types.nic.bandwidth_GBps=12",
        "network.process_GBps=12",
        "messages.cpu.on_socket.segments.0.up_to_bytes=512",
        "messages.cpu.on_socket.segments.0.alpha_us=7",
        "messages.cpu.on_socket.segments.0.beta_ns_per_byte=7",
        "messages.cpu.on_socket.segments.1.alpha_us=7",
        "messages.cpu.on_socket.segments.1.beta_ns_per_byte=7",
        "messages.cpu.off_node.segments.0.up_to_bytes=8192",
        "messages.cpu.off_node.segments.0.alpha_us=7",
        "messages.cpu.off_node.segments.0.beta_ns_per_byte=0",
        "messages.cpu.off_node.segments.1.alpha_us=7",
        "messages.cpu.off_node.segments.1.beta_ns_per_byte=7",
        "copies.rows.0.up_to_bytes=524288",
        "copies.rows.0.beta_ns_per_byte=0",
        "copies.rows.1.alpha_us=40",
        "copies.rows.2.alpha_us=50"};

    return changed(settings, sizeof settings / sizeof settings[0]);
}

static double at(const struct json *doc, const char *path)
{
    char part[128];
    const struct json *v = doc;

    for (; *path && v;
         path += path[strlen(part)] == '.' ? strlen(part) + 1 : strlen(part)) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(path, "."), path);
        v = json_is_array(v) ? json_at(v, strtoul(part, NULL, 10))
                             : json_member(v, part);
    }
    return json_number(v);
}

static void breakpoints(const struct json *doc)
{
    static const char *const messages[] = {"on_socket", "off_node"};
    static const double limit[] = {4096, 65536};

    for (int i = 0; i < 2; i++) {
        const struct json *s = json_member(
            json_member(json_member(json_member(doc, "messages"), "cpu"),
                        messages[i]),
            "segments");
        CHECK_EQ(json_size(s), 2);
        CHECK_EQ(json_number(json_member(json_at(s, 0), "up_to_bytes")),
                 limit[i]);
        CHECK_HAS(json_string(json_member(json_at(s, 0), "protocol")), "eager");
        CHECK_HAS(json_string(json_member(json_at(s, 1), "protocol")),
                  "rendezvous");
        CHECK_HAS(json_string(json_member(json_member(json_at(s, 1), "source"),
                                          "from")),
                  "ping_pong.csv");
    }
    CHECK_EQ(at(doc, "copies.rows.0.up_to_bytes"), 32768);
    CHECK_EQ(json_size(json_member(json_member(doc, "copies"), "rows")), 3);
}

/* Counts the fitted lines' numbers, and those whose interval contains the
 * truth. */
struct tally {
    size_t numbers, within;
};

static void compare(struct tally *t, const struct fit *f,
                    const struct json *truth)
{
    for (size_t i = 0; i < f->nrows; i++) {
        const struct fit_row *r = &f->rows[i];
        if (r->to > 0 || r->kept || r->note ||
            (strncmp(r->path, "messages", 8) != 0 &&
             strncmp(r->path, "copies.rows", 11) != 0))
            continue;
        double want = at(truth, r->path);
        t->numbers++;
        t->within += fabs(r->fitted.value - want) <= r->fitted.half;
        CHECK_NEAR(r->fitted.value, want, 0.15);
    }
}

static void one_machine(double nic_GBps, uint64_t seed, struct tally *t)
{
    char nic[80], process[80], eager[80], large[80];
    char *const settings[] = {nic, process, eager, large};
    uint64_t r = seed;
    struct err err = {0};
    struct machine m, wrong;
    struct measured files[3];

    snprintf(nic, sizeof nic, "node.wire_types.nic.bandwidth_GBps=%g",
             nic_GBps);
    snprintf(process, sizeof process, "network.process_GBps=%g", nic_GBps);
    snprintf(eager, sizeof eager,
             "messages.cpu.off_node.segments.0.beta_ns_per_byte=%g",
             1 / nic_GBps);
    snprintf(large, sizeof large,
             "messages.cpu.off_node.segments.1.beta_ns_per_byte=%g",
             1 / nic_GBps);
    struct json *truth = changed(settings, 4), *doc = wrong_base();
    if (!truth || !doc || platform_read(&m, truth, &err) < 0 ||
        platform_read(&wrong, doc, &err) < 0) {
        CHECK(!"the platforms can be read");
        return;
    }
    load(&files[0], maxrate(NULL, 1, &r), &m);
    CHECK_EQ(measured_simulate(&files[0], &m, 0, NULL, NULL, &err), 0);
    char *path = maxrate(&files[0], 1, &r);
    measured_clear(&files[0]);
    load(&files[0], path, &m);
    load(&files[1], ping_pongs(&m, &r), &m);
    load(&files[2], copies(&m, &r), &m);
    struct fit fit = {.doc = doc, .m = &wrong, .files = files, .nfiles = 3};
    fit_platform(&fit);
    /* At 12.5 MB/s the breakpoint stays that of the base, because the handshake
     * is 7 % of a message there, less than the fit can detect. */
    if (nic_GBps > 0.1)
        breakpoints(doc);
    CHECK_NEAR(at(doc, "node.wire_types.nic.bandwidth_GBps"), nic_GBps, 0.05);
    CHECK_NEAR(at(doc, "network.process_GBps"), nic_GBps, 0.03);
    if (nic_GBps > 0.1)
        compare(t, &fit, truth);
    fit_clear(&fit);
    for (int i = 0; i < 3; i++)
        measured_clear(&files[i]);
    machine_clear(&m);
    machine_clear(&wrong);
    json_free(truth);
    json_free(doc);
}

/* Writes times in which n pairs take n times as long as one. */
static char *in_step(void)
{
    char *path = scratch_path("maxrate.csv");
    FILE *f = fopen(path, "w");

    print_head(f, "device,active_pairs,pairs_socket0,bytes_per_message,time_s");
    for (unsigned pairs = 1; pairs <= 4; pairs++)
        for (unsigned bytes = 1024; bytes <= 512u << 10; bytes *= 2)
            fprintf(f, "quad,none,cpu,%u,%u,%u,%.9e,x,r1\n", pairs, pairs,
                    bytes, pairs * bytes / 125e6);
    fclose(f);
    return path;
}

/* Writes a ping-pong of 125 MB/s, except for one size at twice that rate. */
static char *burst(void)
{
    char *path = scratch_path("ping_pong.csv");
    FILE *f = fopen(path, "w");

    print_head(f, "device,locality,rank_a,rank_b,socket_a,socket_b,bytes,"
                  "time_s,same_rack");
    for (unsigned bytes = 1024; bytes <= 512u << 10; bytes *= 2)
        fprintf(f, "quad,none,cpu,off_node,0,4,0,0,%u,%.9e,1,x,r1\n", bytes,
                bytes / (bytes == 4096 ? 250e6 : 125e6));
    fclose(f);
    return path;
}

static const char nic_rate[] = "node.wire_types.nic.bandwidth_GBps";

/* Checks a number that is fitted to one file, and the number of its points;
 * frees the path. */
static void check_one(char *path, const char *key, double want, double within,
                      size_t points)
{
    static char *const settings[] = {"node.wire_types.nic.bandwidth_GBps=12"};
    struct json *doc = changed(settings, 1);
    struct err err = {0};
    struct measured file;
    struct machine m;

    if (!doc || platform_read(&m, doc, &err) < 0) {
        CHECK(!"the platform can be read");
        return;
    }
    load(&file, path, &m);
    struct fit fit = {.doc = doc, .m = &m, .files = &file, .nfiles = 1};
    fit_platform(&fit);
    CHECK_NEAR(at(doc, key), want, within);
    for (size_t i = 0; i < fit.nrows; i++)
        if (!strcmp(fit.rows[i].path, key))
            CHECK_EQ(fit.rows[i].points, points);
    fit_clear(&fit);
    measured_clear(&file);
    machine_clear(&m);
    json_free(doc);
}

/* Pairs are not assumed to be in step if there is no single pair to compare
 * with. */
static void none_alone(void)
{
    struct json *truth = changed(NULL, 0);
    struct err err = {0};
    struct measured file;
    struct machine m;
    uint64_t r = 1;

    if (!truth || platform_read(&m, truth, &err) < 0) {
        CHECK(!"the platform can be read");
        return;
    }
    load(&file, maxrate(NULL, 2, &r), &m);
    CHECK_EQ(measured_simulate(&file, &m, 0, NULL, NULL, &err), 0);
    char *path = maxrate(&file, 2, &r);
    measured_clear(&file);
    machine_clear(&m);
    json_free(truth);
    /* There are 6 sizes from 16 KiB and 3 numbers of pairs. */
    check_one(path, nic_rate, 0.125, 0.05, 18);
}

int main(void)
{
    struct tally t = {0};

    scratch_make();
    for (uint64_t seed = 1; seed <= 20; seed++)
        one_machine(0.125, seed, &t);
    printf("%zu of %zu numbers are within their 95 %% intervals\n", t.within,
           t.numbers);
    /* The intervals promise 95 in 100, but the weights of outliers are
     * guesses. */
    CHECK(t.numbers >= 200 && t.within * 100 >= t.numbers * 88);
    one_machine(0.0125, 1, NULL);
    /* These are the rates of one pair, for the 6 sizes from 16 KiB. */
    check_one(in_step(), nic_rate, 0.125, 1e-6, 6);
    check_one(burst(), "network.process_GBps", 0.25, 1e-6, 1);
    none_alone();
    scratch_clear();
    return check_result();
}
