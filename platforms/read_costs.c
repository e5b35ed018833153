/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the costs of copies and of the work of GPUs. */
#include "platforms/keys.h"
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1000 };

/* --- copies --------------------------------------------------------------- */

/* Copies inside a GPU have the index of processes that share a cache. */
static const char *const where_names[NLOCALITIES] = {[SHARED_CACHE] = "on_gpu",
                                                     [ON_SOCKET] = "on_socket",
                                                     [ON_NODE] = "on_node"};
enum { NWHERES = ON_NODE + 1 };

#define AT(field) offsetof(struct copy_cost, field)
static const struct key row_rows[] = {
    {"direction", KEY_WORD, AT(dir), KEY_ALWAYS, .words = copy_dir_names,
     .nwords = NCOPY_DIRS, .help = "from host to device, and so on"},
    {"locality", KEY_WORD, AT(locality), KEY_ALWAYS, .words = where_names,
     .nwords = NWHERES,
     .help = "on_node: across sockets; on_gpu: D2D inside one GPU"},
    {"processes", KEY_WHOLE, AT(processes), KEY_ALWAYS, .least = 1,
     .most = 4096, .help = "processes that copy at once"},
    {"up_to_bytes", KEY_BYTES, AT(up_to_B), .initial = KEY_NO_LIMIT,
     .help = "the largest copy of the row (left out: any)"},
    {"alpha_us", KEY_FROM_0, AT(alpha_s), KEY_ALWAYS,
     .help = "time of a copy without bytes"},
    {"beta_ns_per_byte", KEY_FROM_0, AT(beta_s_per_B), KEY_ALWAYS,
     .help = "time of each byte of a process"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the numbers are from"},
};
#undef AT
const struct key_table copy_row_keys = {
    "copies.rows[]",
    "alpha + beta * bytes of a copy by one of several processes",
    KEY_ROWS(row_rows), KEY_NO_CASES, .benchmark = "memcpy"};

#define AT(field) offsetof(struct copy_table, field)
static const struct key mps_overhead_rows[] = {
    {"from_bytes", KEY_BYTES, AT(mps_from_B), KEY_ALWAYS,
     .help = "copies of so many bytes and more take longer with MPS"},
    {"host", KEY_FROM_0, AT(mps_host_more), KEY_ALWAYS,
     .help = "by this part of beta between host and GPU"},
    {"gpu", KEY_FROM_0, AT(mps_gpu_more), KEY_ALWAYS,
     .help = "by this part of beta otherwise"},
    {"source", KEY_SOURCE, AT(mps_source), KEY_ALWAYS,
     .help = "where the numbers are from"},
};
const struct key_table mps_overhead_keys = {
    "copies.mps_overhead", "what MPS costs large copies",
    KEY_ROWS(mps_overhead_rows), KEY_NO_CASES, .benchmark = "memcpy"};

static const struct key copies_rows[] = {
    {"mps", KEY_FLAG, AT(mps), KEY_ALWAYS,
     .help = "the Multi-Process Service runs"},
    {"mps_clients", KEY_WHOLE, AT(mps_clients), .least = 1, .most = 1000000,
     .source = "mps_clients_source",
     .help = "processes that MPS serves on a GPU at most (left out: any "
             "number)"},
    {"mps_clients_source", KEY_SOURCE, AT(mps_clients_source),
     .with = "mps_clients", .help = "where it is from"},
    {"mps_overhead", KEY_OTHER, .help = "what MPS costs large copies"},
    {"engine_us", KEY_FROM_0, AT(engine_s), KEY_ALWAYS,
     .source = "engine_source", .benchmark = "memcpy_mult",
     .help = "part of alpha for which the GPU serves a copy alone"},
    {"engine_source", KEY_SOURCE, AT(engine_source), KEY_ALWAYS,
     .help = "where it is from"},
    {"engine_turn_bytes", KEY_BYTES, AT(engine_turn_B),
     .source = "engine_source",
     .help = "bytes after which a copy gives its engine to the next one (left "
             "out: all of it)"},
    {"time_slice_us", KEY_FROM_0, AT(slice_s), KEY_ALWAYS,
     .source = "time_slice_source", .benchmark = "memcpy_mult",
     .help = "without MPS: a small copy holds the GPU so long if the one "
             "before was of another process"},
    {"time_slice_below_bytes", KEY_BYTES, AT(slice_below_B), KEY_ALWAYS,
     .source = "time_slice_source", .benchmark = "memcpy_mult",
     .help = "copies below this are small"},
    {"time_slice_source", KEY_SOURCE, AT(slice_source), KEY_ALWAYS,
     .help = "where it is from"},
    {"contexts", KEY_FLAG, AT(contexts),
     .help = "without MPS one process at a time has the GPU, for kernels, "
             "copies between GPUs or inside one, and small copies to it; a "
             "change of process takes time_slice_us"},
    {"gpus_are_one", KEY_FLAG, AT(gpus_are_one),
     .help = "the GPUs of a node stand for one that processes share: one set "
             "of copy engines, and without MPS its messages take turns"},
    {"h2d_returns_up_to_bytes", KEY_BYTES, AT(returns_up_to_B),
     .source = "h2d_returns_source",
     .help = "copies to the GPU of at most so many bytes return before they "
             "are there"},
    {"h2d_returns_source", KEY_SOURCE, AT(returns_source),
     .with = "h2d_returns_up_to_bytes", .help = "where it is from"},
    {"rows", KEY_OTHER, .needed = KEY_ALWAYS, .help = "a list of costs"},
};
#undef AT
const struct key_table copies_keys = {
    "copies", "copies between host and GPU memory; needed if there are GPUs",
    KEY_ROWS(copies_rows), KEY_NO_CASES, .benchmark = "memcpy"};

static int read_row(struct copy_cost *row, const struct json *o,
                    struct err *err)
{
    if (keys_read(&copy_row_keys, row, o, 0, err) < 0)
        return -1;
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
    return keys_read(&mps_overhead_keys, t, o, 0, err) < 0
               ? fail_at_place(err, "mps_overhead")
               : 0;
}

int read_copies(struct machine *m, const struct json *o, struct err *err)
{
    struct json *rows;

    if (keys_read(&copies_keys, &m->copies, o, 0, err) < 0 ||
        read_mps_overhead(&m->copies, o, err) < 0 ||
        json_get_array(o, "rows", &rows, err) < 0)
        return -1;
    return read_costs_rows(&m->copies, rows, err);
}

/* --- GPUs ----------------------------------------------------------------- */

#define AT(field) offsetof(struct nvlink_packet, field)
static const struct key packet_rows[] = {
    {"granule_bytes", KEY_WHOLE, AT(granule_B), KEY_ALWAYS, .least = 1,
     .most = 65536, .help = "the least payload of a packet"},
    {"payload_bytes", KEY_WHOLE, AT(payload_B), KEY_ALWAYS, .least = 1,
     .most = 65536, .help = "the most payload of a packet"},
    {"header_bytes", KEY_WHOLE, AT(header_B), KEY_ALWAYS, .most = 65536,
     .help = "bytes that a packet has more on the wire"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the numbers are from"},
};
#undef AT
const struct key_table packet_keys = {
    "gpu.nvlink_packet", "the packets of a put over NVLink",
    KEY_ROWS(packet_rows), KEY_NO_CASES, .benchmark = "pack"};

static int read_packet(void *out, const struct json *o, struct err *err)
{
    struct nvlink_packet *p = out;

    if (keys_read(&packet_keys, p, o, 0, err) < 0)
        return -1;
    if (p->payload_B % p->granule_B)
        return fail(err,
                    "payload_bytes: expected a multiple of the granule of %u, "
                    "got %u",
                    p->granule_B, p->payload_B);
    return 0;
}

#define AT(field) offsetof(struct gpu_access, field)
static const struct key access_rows[] = {
    {"hit_ns", KEY_COST, AT(hit_s), KEY_ALWAYS,
     .help = "a read or write in the L2 cache"},
    {"miss_ns", KEY_COST, AT(miss_s), KEY_ALWAYS,
     .help = "a read or write elsewhere"},
    {"atomic_hit_ns", KEY_COST, AT(atomic_hit_s), .as = "hit_ns",
     .help = "an atomic on an integer in the L2 cache"},
    {"atomic_miss_ns", KEY_COST, AT(atomic_miss_s), .as = "miss_ns",
     .help = "an atomic on an integer elsewhere"},
    {"float_atomic_hit_ns", KEY_COST, AT(float_atomic_hit_s),
     .as = "atomic_hit_ns", .help = "an addition to a float in the L2 cache"},
    {"float_atomic_miss_ns", KEY_COST, AT(float_atomic_miss_s),
     .as = "atomic_miss_ns", .help = "an addition to a float elsewhere"},
    {"float_sum_hit_ns", KEY_COST, AT(float_sum_hit_s),
     .as = "float_atomic_hit_ns",
     .help = "the same of a thread that does not ask for the value before"},
    {"float_sum_miss_ns", KEY_COST, AT(float_sum_miss_s),
     .as = "float_atomic_miss_ns", .help = "the same elsewhere"},
    {"same_address_ns", KEY_COST, AT(same_address_s), KEY_ALWAYS,
     .help = "an atomic if all are on one address"},
    {"float_same_address_ns", KEY_COST, AT(float_same_address_s),
     .help = "an addition to a float if all are on one address (left out: "
             "such additions do not wait for each other)"},
    {"stream_GBps", KEY_POSITIVE, AT(stream_Bps),
     .help = "words of 4 bytes that are read one after the other, each by a "
             "thread of its own (left out: gpu.memory_GBps)"},
    {"latency_hit_ns", KEY_COST, AT(latency_hit_s), KEY_ALWAYS,
     .help = "one access alone in the L2 cache"},
    {"latency_miss_ns", KEY_COST, AT(latency_miss_s), KEY_ALWAYS,
     .help = "one access alone elsewhere"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the times are from"},
};
#undef AT
const struct key_table access_keys = {
    "gpu.access",
    "the time of a sector of 32 bytes somewhere in memory, of the whole GPU "
    "if all of it is busy; algorithms on graphs need it",
    KEY_ROWS(access_rows), KEY_NO_CASES, .benchmark = "gpu"};

/* Refuses a hit that takes longer than a miss. */
static int check_hit(const struct gpu_access *a, const char *hit,
                     const char *miss, struct err *err)
{
    const char *of = (const char *)a;
    double hit_s =
        *(const double *)(const void *)(of + key_find(&access_keys, hit)->at);
    double miss_s =
        *(const double *)(const void *)(of + key_find(&access_keys, miss)->at);

    return hit_s <= miss_s
               ? 0
               : fail(err, "%s: expected at most what a miss takes, %g, got %g",
                      hit, miss_s * 1e9, hit_s * 1e9);
}

static int read_access(void *out, const struct json *o, struct err *err)
{
    static const char *const pairs[][2] = {
        {"hit_ns", "miss_ns"},
        {"atomic_hit_ns", "atomic_miss_ns"},
        {"float_atomic_hit_ns", "float_atomic_miss_ns"},
        {"float_sum_hit_ns", "float_sum_miss_ns"},
        {"latency_hit_ns", "latency_miss_ns"}};

    if (keys_read(&access_keys, out, o, 0, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (check_hit(out, pairs[i][0], pairs[i][1], err) < 0)
            return -1;
    return 0;
}

/* Makes a table for puts: mpi's for messages between GPUs of two nodes, or if
 * there is none, one without a limit of the rate, with another alpha. */
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

/* Reads shmem_put_us, a short form of runtimes.shmem of GPU memory off node. */
static int read_put(struct machine *m, const struct json *o, struct err *err)
{
    enum msg_path path = machine_gpu_path(m);
    struct number_source *source = NULL;
    double alpha_s = 0;

    if (json_member(o, "shmem_put_us") &&
        read_cost(o, "shmem_put_us", 1e-6, &alpha_s, err) < 0)
        return -1;
    if (json_member(o, "shmem_put_source") &&
        source_read(&source, o, "shmem_put_source", err) < 0)
        return -1;
    bool twice = m->messages[RUNTIME_SHMEM][path][OFF_NODE].nsegments > 0;
    if (alpha_s > 0 && !twice)
        put_table(m, alpha_s, source ? source : m->gpu.source);
    source_free(source);
    return alpha_s > 0 && twice
               ? fail(err,
                      "shmem_put_us: runtimes.shmem.%s.off_node says what a "
                      "put takes",
                      msg_path_names[path])
               : 0;
}

/* Refuses an arch if it is neither sm_ and a compute capability, nor gfx and a
 * number in hexadecimal. */
static int check_arch(const struct gpu_model *g, struct err *err)
{
    static const char decimal[] = "0123456789", hex[] = "0123456789abcdef";

    if (!g->arch)
        return 0;
    bool sm = !strncmp(g->arch, "sm_", 3), gfx = !strncmp(g->arch, "gfx", 3);
    size_t digits = sm || gfx ? strspn(g->arch + 3, sm ? decimal : hex) : 0;
    if (digits >= 2 && digits <= 4 && !g->arch[3 + digits])
        return 0;
    return fail(err, "arch: expected one such as sm_90 or gfx942, got \"%s\"",
                g->arch);
}

#define AT(field) offsetof(struct gpu_model, field)
static const struct key gpu_rows[] = {
    {"arch", KEY_TEXT, AT(arch),
     .help = "as compilers call it: sm_90, gfx942; nccl needs it"},
    {"memory_GBps", KEY_POSITIVE, AT(memory_Bps),
     .help = "bandwidth of its memory"},
    {"l2_MiB", KEY_POSITIVE, AT(l2_B), .help = "its L2 cache"},
    {"sms", KEY_WHOLE, AT(sms), .least = 1, .most = 1000000,
     .help = "streaming multiprocessors, or compute units"},
    {"threads_per_sm", KEY_WHOLE, AT(threads_per_sm), .least = 1,
     .most = 1000000, .help = "threads that are resident on one at once"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where numbers without a source of their own are from"},
    {"kernel_launch_us", KEY_COST, AT(launch_s),
     .source = "kernel_launch_source",
     .help = "from the CPU's call to the kernel's start"},
    {"kernel_launch_source", KEY_SOURCE, AT(launch_source),
     .help = "where it is from"},
    {"stream_sync_us", KEY_COST, AT(sync_s), .source = "stream_sync_source",
     .help = "from a kernel's end until the CPU has seen it"},
    {"stream_sync_source", KEY_SOURCE, AT(sync_source),
     .help = "where it is from"},
    {"ipc_event_us", KEY_COST, AT(ipc_event_s), .source = "ipc_event_source",
     .help = "from the end of a copy by CUDA IPC until other processes know "
             "it by an event"},
    {"ipc_event_source", KEY_SOURCE, AT(ipc_event_source),
     .help = "where it is from"},
    {"gdrcopy_us", KEY_COST, AT(gdrcopy_s), .with = "gdrcopy_up_to_bytes",
     .source = "gdrcopy_source",
     .help = "a small copy between host and GPU by the CPU itself"},
    {"gdrcopy_GBps", KEY_POSITIVE, AT(gdrcopy_Bps), .with = "gdrcopy_us",
     .source = "gdrcopy_source", .help = "the rate of such copies"},
    {"gdrcopy_up_to_bytes", KEY_BYTES, AT(gdrcopy_up_to_B),
     .with = "gdrcopy_us", .source = "gdrcopy_source",
     .help = "the largest of them"},
    {"gdrcopy_source", KEY_SOURCE, AT(gdrcopy_source),
     .help = "where it is from"},
    {"cpu_sums_up_to_bytes", KEY_BYTES, AT(cpu_sums_up_to_B),
     .with = "cpu_sums_ns_per_byte", .source = "cpu_sums_source",
     .help = "vectors in GPU memory up to this are added by the CPU in MPI's "
             "collectives"},
    {"cpu_sums_ns_per_byte", KEY_COST, AT(cpu_sums_s_per_B),
     .source = "cpu_sums_source",
     .help = "how much longer that takes than in host memory"},
    {"cpu_sums_source", KEY_SOURCE, AT(cpu_sums_source),
     .with = "cpu_sums_up_to_bytes", .help = "where it is from"},
    {"remote_atomic_us", KEY_COST, AT(remote_atomic_s),
     .source = "remote_atomic_source",
     .help = "a kernel's put or atomic over NVLink"},
    {"remote_atomic_source", KEY_SOURCE, AT(remote_atomic_source),
     .help = "where it is from"},
    {"shmem_put_us", KEY_OTHER, .source = "shmem_put_source",
     .help = "a kernel's put into another node: short for runtimes.shmem of "
             "GPU memory off_node, the table of mpi with this as alpha_us"},
    {"shmem_put_source", KEY_OTHER, .help = "where it is from"},
    {"nvlink_packet", KEY_OTHER, .help = "packets on NVLink"},
    {"access", KEY_OTHER, .help = "the time of accesses to memory"},
    {"calls", KEY_OTHER, .help = "the time of a program's calls"},
};
#undef AT
const struct key_table gpu_keys = {"gpu", "what all GPUs have in common",
                                   KEY_ROWS(gpu_rows), KEY_NO_CASES,
                                   .benchmark = "pack"};

/* Reads an object of the GPU, if the key is there. */
static int read_gpu_part(void *out, const struct json *gpu, const char *key,
                         int (*read)(void *out, const struct json *o,
                                     struct err *err),
                         struct err *err)
{
    struct json *o;

    if (!json_member(gpu, key))
        return 0;
    if (json_get_object(gpu, key, &o, err) < 0)
        return -1;
    return read(out, o, err) < 0 ? fail_at_place(err, "%s", key) : 0;
}

int read_gpu(struct machine *m, const struct json *o, struct err *err)
{
    struct gpu_model *g = &m->gpu;

    if (keys_read(&gpu_keys, g, o, 0, err) < 0 || check_arch(g, err) < 0 ||
        read_put(m, o, err) < 0 ||
        read_gpu_part(&g->access, o, "access", read_access, err) < 0 ||
        read_gpu_calls(g, o, err) < 0)
        return -1;
    return read_gpu_part(&g->packet, o, "nvlink_packet", read_packet, err);
}
