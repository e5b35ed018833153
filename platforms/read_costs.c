/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the costs of copies and of the work of GPUs. */
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1000 };

static int read_row(struct copy_cost *row, const struct json *o,
                    struct err *err)
{
    static const char *const where_names[] = {"on_socket", "on_node", "on_gpu"};
    static const enum locality where_of[] = {ON_SOCKET, ON_NODE, SHARED_CACHE};
    unsigned dir, where;

    if (ONLY_KEYS(o, err, "direction", "locality", "processes", "up_to_bytes",
                  "alpha_us", "beta_ns_per_byte", "source") < 0 ||
        read_name(o, "direction", copy_dir_names, NCOPY_DIRS, &dir, err) < 0 ||
        read_name(o, "locality", where_names, 3, &where, err) < 0 ||
        read_unsigned(o, "processes", 1, 4096, &row->processes, err) < 0 ||
        read_limit(o, &row->up_to_B, err) < 0 ||
        read_not_negative(o, "alpha_us", 1e-6, &row->alpha_s, err) < 0 ||
        read_not_negative(o, "beta_ns_per_byte", 1e-9, &row->beta_s_per_B,
                          err) < 0 ||
        source_read(&row->source, o, "source", err) < 0)
        return -1;
    row->dir = (enum copy_dir)dir;
    row->locality = where_of[where];
    if (row->locality == SHARED_CACHE && row->dir != D2D)
        return fail(err, "locality: only D2D copies are on_gpu");
    return 0;
}

static int check_row(const struct copy_table *t, size_t i, struct err *err)
{
    const struct copy_cost *row = &t->rows[i];

    for (size_t k = 0; k < i; k++) {
        const struct copy_cost *other = &t->rows[k];
        if (other->dir == row->dir && other->locality == row->locality &&
            other->processes == row->processes &&
            other->up_to_B == row->up_to_B)
            return fail(err, ": the same case as rows[%zu]", k);
    }
    if (row->processes == 1 && row->alpha_s < t->engine_s)
        return fail(err,
                    "alpha_us: expected at least the engine_us of %g that is "
                    "a part of it, got %g",
                    t->engine_s * 1e6, row->alpha_s * 1e6);
    return 0;
}

static int read_costs_rows(struct copy_table *t, const struct json *array,
                           struct err *err)
{
    size_t n = json_size(array);
    const struct json *o;

    if (n > MAX_ROWS)
        return fail(err, "rows: expected at most %d rows, got %zu", MAX_ROWS,
                    n);
    t->rows = xcalloc(n, sizeof *t->rows);
    for (size_t i = 0; i < n; i++) {
        if (read_element(array, "rows", i, &o, err) < 0)
            return -1;
        t->nrows++;
        if (read_row(&t->rows[i], o, err) < 0 || check_row(t, i, err) < 0)
            return fail_at_place(err, "rows[%zu]", i);
    }
    return 0;
}

static int read_mps_overhead(struct copy_table *t, const struct json *copies,
                             struct err *err)
{
    struct json *o;

    if (!json_member(copies, "mps_overhead"))
        return 0;
    if (json_get_object(copies, "mps_overhead", &o, err) < 0)
        return -1;
    if (ONLY_KEYS(o, err, "from_bytes", "host", "gpu", "source") < 0 ||
        json_get_count(o, "from_bytes", &t->mps_from_B, err) < 0 ||
        read_not_negative(o, "host", 1, &t->mps_host_more, err) < 0 ||
        read_not_negative(o, "gpu", 1, &t->mps_gpu_more, err) < 0 ||
        source_read(&t->mps_source, o, "source", err) < 0)
        return fail_at_place(err, "mps_overhead");
    return 0;
}

static int read_mps_clients(struct copy_table *t, const struct json *o,
                            struct err *err)
{
    if (!json_member(o, "mps_clients"))
        return 0;
    if (read_unsigned(o, "mps_clients", 1, 1000000, &t->mps_clients, err) < 0)
        return -1;
    return source_read(&t->mps_clients_source, o, "mps_clients_source", err);
}

static int read_returns(struct copy_table *t, const struct json *o,
                        struct err *err)
{
    if (!json_member(o, "h2d_returns_up_to_bytes"))
        return 0;
    if (json_get_count(o, "h2d_returns_up_to_bytes", &t->returns_up_to_B, err) <
        0)
        return -1;
    return source_read(&t->returns_source, o, "h2d_returns_source", err);
}

int read_copies(struct machine *m, const struct json *o, struct err *err)
{
    struct copy_table *t = &m->copies;
    struct json *rows;

    if (ONLY_KEYS(o, err, "mps", "engine_us", "engine_source",
                  "engine_turn_bytes", "time_slice_us",
                  "time_slice_below_bytes", "time_slice_source", "rows",
                  "gpus_are_one", "contexts", "mps_overhead",
                  "h2d_returns_up_to_bytes", "h2d_returns_source",
                  "mps_clients", "mps_clients_source") < 0 ||
        read_mps_clients(t, o, err) < 0 ||
        (json_member(o, "contexts") &&
         json_get_bool(o, "contexts", &t->contexts, err) < 0) ||
        read_mps_overhead(t, o, err) < 0 || read_returns(t, o, err) < 0 ||
        (json_member(o, "gpus_are_one") &&
         json_get_bool(o, "gpus_are_one", &t->gpus_are_one, err) < 0) ||
        (json_member(o, "engine_turn_bytes") &&
         json_get_count(o, "engine_turn_bytes", &t->engine_turn_B, err) < 0) ||
        json_get_bool(o, "mps", &t->mps, err) < 0 ||
        read_not_negative(o, "engine_us", 1e-6, &t->engine_s, err) < 0 ||
        source_read(&t->engine_source, o, "engine_source", err) < 0 ||
        read_not_negative(o, "time_slice_us", 1e-6, &t->slice_s, err) < 0 ||
        json_get_count(o, "time_slice_below_bytes", &t->slice_below_B, err) <
            0 ||
        source_read(&t->slice_source, o, "time_slice_source", err) < 0 ||
        json_get_array(o, "rows", &rows, err) < 0)
        return -1;
    return read_costs_rows(t, rows, err);
}

/* A number that may have a source of its own, or be left out. */
static int read_sourced(const struct json *o, const char *key, double *out,
                        const char *source_key, struct number_source **source,
                        struct err *err)
{
    if (read_optional_cost(o, key, 1e-6, out, err) < 0)
        return -1;
    return json_member(o, source_key) ? source_read(source, o, source_key, err)
                                      : 0;
}

static int read_costs_read_count(const struct json *o, const char *key,
                                 unsigned *out, struct err *err)
{
    return json_member(o, key) ? read_unsigned(o, key, 1, 1000000, out, err)
                               : 0;
}

static int read_packet(struct nvlink_packet *p, const struct json *o,
                       struct err *err)
{
    if (ONLY_KEYS(o, err, "granule_bytes", "payload_bytes", "header_bytes",
                  "source") < 0 ||
        read_unsigned(o, "granule_bytes", 1, 65536, &p->granule_B, err) < 0 ||
        read_unsigned(o, "payload_bytes", 1, 65536, &p->payload_B, err) < 0 ||
        read_unsigned(o, "header_bytes", 0, 65536, &p->header_B, err) < 0 ||
        source_read(&p->source, o, "source", err) < 0)
        return -1;
    if (p->payload_B % p->granule_B)
        return fail(err,
                    "payload_bytes: expected a multiple of the granule of %u, "
                    "got %u",
                    p->granule_B, p->payload_B);
    return 0;
}

/* A number of its own, or another that stands for it. */
static int read_or(const struct json *o, const char *key, double other,
                   double *out, struct err *err)
{
    *out = other;
    return json_member(o, key) ? read_cost(o, key, 1e-9, out, err) : 0;
}

static int check_hit(const char *hit, double hit_s, double miss_s,
                     struct err *err)
{
    return hit_s <= miss_s ? 0
                           : fail(err,
                                  "%s: expected at most what a miss takes, %g, "
                                  "got %g",
                                  hit, miss_s * 1e9, hit_s * 1e9);
}

/* Atomics take the time of reads if none is given for them. */
static int read_access(struct gpu_access *a, const struct json *o,
                       struct err *err)
{
    if (ONLY_KEYS(
            o, err, "hit_ns", "miss_ns", "atomic_hit_ns", "atomic_miss_ns",
            "float_atomic_hit_ns", "float_atomic_miss_ns", "float_sum_hit_ns",
            "float_sum_miss_ns", "same_address_ns", "float_same_address_ns",
            "latency_hit_ns", "latency_miss_ns", "stream_GBps", "source") < 0 ||
        read_optional_cost(o, "float_same_address_ns", 1e-9,
                           &a->float_same_address_s, err) < 0 ||
        read_optional(o, "stream_GBps", 1e9, &a->stream_Bps, err) < 0 ||
        read_cost(o, "hit_ns", 1e-9, &a->hit_s, err) < 0 ||
        read_cost(o, "miss_ns", 1e-9, &a->miss_s, err) < 0 ||
        read_or(o, "atomic_hit_ns", a->hit_s, &a->atomic_hit_s, err) < 0 ||
        read_or(o, "atomic_miss_ns", a->miss_s, &a->atomic_miss_s, err) < 0 ||
        read_or(o, "float_atomic_hit_ns", a->atomic_hit_s,
                &a->float_atomic_hit_s, err) < 0 ||
        read_or(o, "float_atomic_miss_ns", a->atomic_miss_s,
                &a->float_atomic_miss_s, err) < 0 ||
        read_or(o, "float_sum_hit_ns", a->float_atomic_hit_s,
                &a->float_sum_hit_s, err) < 0 ||
        read_or(o, "float_sum_miss_ns", a->float_atomic_miss_s,
                &a->float_sum_miss_s, err) < 0 ||
        read_cost(o, "same_address_ns", 1e-9, &a->same_address_s, err) < 0 ||
        read_cost(o, "latency_hit_ns", 1e-9, &a->latency_hit_s, err) < 0 ||
        read_cost(o, "latency_miss_ns", 1e-9, &a->latency_miss_s, err) < 0 ||
        source_read(&a->source, o, "source", err) < 0 ||
        check_hit("hit_ns", a->hit_s, a->miss_s, err) < 0 ||
        check_hit("atomic_hit_ns", a->atomic_hit_s, a->atomic_miss_s, err) <
            0 ||
        check_hit("float_atomic_hit_ns", a->float_atomic_hit_s,
                  a->float_atomic_miss_s, err) < 0 ||
        check_hit("float_sum_hit_ns", a->float_sum_hit_s, a->float_sum_miss_s,
                  err) < 0)
        return -1;
    return check_hit("latency_hit_ns", a->latency_hit_s, a->latency_miss_s,
                     err);
}

/* The mpi's table for messages between GPUs of two nodes, or if there is none,
 * one without a limit of the rate, with another alpha. */
static void put_table(struct machine *m, double alpha_s,
                      const struct number_source *source)
{
    enum msg_path path = machine_gpu_path(m);
    const struct message_table *mpi = &m->messages[RUNTIME_MPI][path][OFF_NODE];
    struct message_table *t = &m->messages[RUNTIME_SHMEM][path][OFF_NODE];
    const struct segment any = {.protocol = PROTOCOL_EAGER,
                                .up_to_B = UINT64_MAX,
                                .nic = NIC_OF_SOCKET};

    t->nsegments = mpi->nsegments ? mpi->nsegments : 1;
    t->segments = xcalloc(t->nsegments, sizeof *t->segments);
    t->other_rack_s = mpi->other_rack_s;
    t->other_rack_source = source_copy(mpi->other_rack_source);
    for (size_t i = 0; i < t->nsegments; i++) {
        t->segments[i] = mpi->nsegments ? mpi->segments[i] : any;
        t->segments[i].alpha_s = alpha_s;
        t->segments[i].source = source_copy(source);
    }
}

/* A short way to say runtimes.shmem of GPU memory off node. */
static int read_put(struct machine *m, const struct json *o, struct err *err)
{
    const char *path = msg_path_names[machine_gpu_path(m)];
    struct number_source *source = NULL;
    double alpha_s = 0;

    if (read_sourced(o, "shmem_put_us", &alpha_s, "shmem_put_source", &source,
                     err) < 0) {
        source_free(source);
        return -1;
    }
    bool twice =
        m->messages[RUNTIME_SHMEM][machine_gpu_path(m)][OFF_NODE].nsegments > 0;
    if (alpha_s > 0 && !twice)
        put_table(m, alpha_s, source ? source : m->gpu.source);
    source_free(source);
    if (alpha_s > 0 && twice)
        return fail(err,
                    "shmem_put_us: runtimes.shmem.%s.off_node says what a put "
                    "takes",
                    path);
    return 0;
}

static int read_gdrcopy(struct gpu_model *g, const struct json *o,
                        struct err *err)
{
    if (!json_member(o, "gdrcopy_us"))
        return 0;
    if (read_sourced(o, "gdrcopy_us", &g->gdrcopy_s, "gdrcopy_source",
                     &g->gdrcopy_source, err) < 0 ||
        read_positive(o, "gdrcopy_GBps", 1e9, &g->gdrcopy_Bps, err) < 0)
        return -1;
    return json_get_count(o, "gdrcopy_up_to_bytes", &g->gdrcopy_up_to_B, err);
}

static int read_cpu_sums(struct gpu_model *g, const struct json *o,
                         struct err *err)
{
    if (!json_member(o, "cpu_sums_up_to_bytes"))
        return json_member(o, "cpu_sums_ns_per_byte")
                   ? fail(err, "cpu_sums_ns_per_byte: up to how many bytes? "
                               "expected cpu_sums_up_to_bytes, too")
                   : 0;
    if (json_get_count(o, "cpu_sums_up_to_bytes", &g->cpu_sums_up_to_B, err) <
            0 ||
        read_optional_cost(o, "cpu_sums_ns_per_byte", 1e-9,
                           &g->cpu_sums_s_per_B, err) < 0)
        return -1;
    return source_read(&g->cpu_sums_source, o, "cpu_sums_source", err);
}

/* sm_ and a compute capability, or gfx and a number in hexadecimal. */
static int read_arch(struct gpu_model *g, const struct json *o, struct err *err)
{
    static const char decimal[] = "0123456789", hex[] = "0123456789abcdef";

    if (!json_member(o, "arch"))
        return 0;
    if (read_text(o, "arch", &g->arch, err) < 0)
        return -1;
    bool sm = !strncmp(g->arch, "sm_", 3), gfx = !strncmp(g->arch, "gfx", 3);
    size_t digits = sm || gfx ? strspn(g->arch + 3, sm ? decimal : hex) : 0;
    if (digits >= 2 && digits <= 4 && !g->arch[3 + digits])
        return 0;
    return fail(err, "arch: expected one such as sm_90 or gfx942, got \"%s\"",
                g->arch);
}

int read_gpu(struct machine *m, const struct json *o, struct err *err)
{
    struct gpu_model *g = &m->gpu;
    struct json *packet, *access;

    if (ONLY_KEYS(
            o, err, "arch", "memory_GBps", "l2_MiB", "sms", "threads_per_sm",
            "source", "kernel_launch_us", "kernel_launch_source",
            "stream_sync_us", "stream_sync_source", "remote_atomic_us",
            "remote_atomic_source", "shmem_put_us", "shmem_put_source",
            "nvlink_packet", "access", "calls", "ipc_event_us",
            "ipc_event_source", "gdrcopy_us", "gdrcopy_GBps",
            "gdrcopy_up_to_bytes", "gdrcopy_source", "cpu_sums_up_to_bytes",
            "cpu_sums_ns_per_byte", "cpu_sums_source") < 0 ||
        read_arch(g, o, err) < 0 ||
        read_optional(o, "memory_GBps", 1e9, &g->memory_Bps, err) < 0 ||
        read_optional(o, "l2_MiB", 0x1p20, &g->l2_B, err) < 0 ||
        read_costs_read_count(o, "sms", &g->sms, err) < 0 ||
        read_costs_read_count(o, "threads_per_sm", &g->threads_per_sm, err) <
            0 ||
        source_read(&g->source, o, "source", err) < 0 ||
        read_sourced(o, "kernel_launch_us", &g->launch_s,
                     "kernel_launch_source", &g->launch_source, err) < 0 ||
        read_sourced(o, "stream_sync_us", &g->sync_s, "stream_sync_source",
                     &g->sync_source, err) < 0 ||
        read_sourced(o, "ipc_event_us", &g->ipc_event_s, "ipc_event_source",
                     &g->ipc_event_source, err) < 0 ||
        read_gdrcopy(g, o, err) < 0 || read_cpu_sums(g, o, err) < 0 ||
        read_sourced(o, "remote_atomic_us", &g->remote_atomic_s,
                     "remote_atomic_source", &g->remote_atomic_source,
                     err) < 0 ||
        read_put(m, o, err) < 0)
        return -1;
    if (json_member(o, "access")) {
        if (json_get_object(o, "access", &access, err) < 0)
            return -1;
        if (read_access(&g->access, access, err) < 0)
            return fail_at_place(err, "access");
    }
    if (read_gpu_calls(g, o, err) < 0)
        return -1;
    if (!json_member(o, "nvlink_packet"))
        return 0;
    if (json_get_object(o, "nvlink_packet", &packet, err) < 0)
        return -1;
    return read_packet(&g->packet, packet, err) < 0
               ? fail_at_place(err, "nvlink_packet")
               : 0;
}
