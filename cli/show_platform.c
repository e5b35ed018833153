/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine for people: what a node is, the network, what things cost. The
 * sources are long, so they stand at the end and are referred to by number. */
#include "platforms/platform.h"
#include "platforms/provenance.h"
#include "strategies/collective/libraries/library.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/draw.h"
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/show_platform.h"

#include <stdlib.h>
#include <string.h>

static void describe_device(const struct machine *m, const struct device *d,
                            char *buf, size_t size)
{
    int n = 0;

    if (d->kind == DEVICE_SOCKET) {
        n = snprintf(buf, size, "socket, %u cores", d->cores);
        if (d->cores_per_cache > 1)
            n += snprintf(buf + n, size - (size_t)n, ", %u share a cache",
                          d->cores_per_cache);
        if (d->memory_Bps > 0)
            n += snprintf(buf + n, size - (size_t)n, ", memory %g GB/s",
                          d->memory_Bps / 1e9);
        if (d->reduce_Bps > 0)
            n += snprintf(buf + n, size - (size_t)n, ", adds %g GB/s",
                          d->reduce_Bps / 1e9);
        if (d->copy_Bps > 0)
            n += snprintf(buf + n, size - (size_t)n, ", copies %g GB/s",
                          d->copy_Bps / 1e9);
        if (d->uncached_s_per_B > 0)
            n +=
                snprintf(buf + n, size - (size_t)n, ", > %g MiB +%g ns/B",
                         d->shared_cache_B / 0x1p20, d->uncached_s_per_B * 1e9);
        if (d->cache_B > 0)
            snprintf(buf + n, size - (size_t)n, ", cache %g MiB a core",
                     d->cache_B / 0x1p20);
        return;
    }
    if (d->kind == DEVICE_SWITCH) {
        snprintf(buf, size, "switch");
        return;
    }
    n = snprintf(buf, size, "%s of %s", device_kind_names[d->kind],
                 d->gpu == NO_GPU ? machine_socket(m, d->socket)->id
                                  : m->devices[d->gpu].id);
    if (d->memory_B > 0)
        snprintf(buf + n, size - (size_t)n, ", %g GiB", d->memory_B / 0x1p30);
    if (d->message_gap_s > 0)
        snprintf(buf + n, size - (size_t)n, ", %g ns between two messages",
                 d->message_gap_s * 1e9);
}

static void print_node(const struct machine *m, struct notes *notes)
{
    unsigned gpus = 0;
    char all[24] = "";

    for (size_t i = 0; i < m->ndevices; i++)
        gpus += m->devices[i].kind == DEVICE_GPU;
    if (m->ngpus < gpus)
        snprintf(all, sizeof all, " of %u", gpus);
    printf("\nnode: %u cores, %u%s GPUs, injection %g GB/s\n", m->ncores,
           m->ngpus, all, machine_injection_Bps(m) / 1e9);
    for (size_t i = 0; i < m->ndevices; i++) {
        const struct device *d = &m->devices[i];
        char text[120];
        describe_device(m, d, text, sizeof text);
        notes_value(notes, d->id, d->source, "%s", text);
    }
}

/* One line a type, then the pairs that it joins. */
static void print_wires(const struct machine *m, struct notes *notes)
{
    printf("\nwires, each way\n");
    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        size_t first = 0;
        while (strcmp(m->wires[first].type, w->type) != 0)
            first++;
        if (first < i)
            continue;
        char specified[40] = "";
        if (w->specified_Bps > 0)
            snprintf(specified, sizeof specified, " (specified: %g)",
                     w->specified_Bps / 1e9);
        notes_value(notes, w->type, w->source, "%g GB/s%s%s",
                    w->bandwidth_Bps / 1e9, specified,
                    w->half_duplex ? " of both ways together"
                    : w->reduces   ? ", its switch reduces"
                                   : "");
        char *pairs = xstrdup("");
        for (size_t k = i; k < m->nwires; k++) {
            if (strcmp(m->wires[k].type, w->type) != 0)
                continue;
            char *more = xasprintf("%s%s%s-%s", pairs, *pairs ? " " : "",
                                   m->devices[m->wires[k].ends[0]].id,
                                   m->devices[m->wires[k].ends[1]].id);
            free(pairs);
            pairs = more;
        }
        printf("%*s", 28, "");
        notes_wrapped(pairs, 28, 29);
        free(pairs);
    }
}

static void print_levels(const struct network *net, struct notes *notes)
{
    for (unsigned i = 0; i < net->levels; i++) {
        char name[40];
        snprintf(name, sizeof name, "  level %u", i + 1);
        notes_value(notes, name, NULL, "%u down, %u up, %u parallel links",
                    net->down[i], net->up[i], net->parallel[i]);
    }
}

/* The last of the parts of a dragonfly are its nodes, which have one link. */
static void print_parts(const struct network *net, const char *const *parts,
                        struct notes *notes)
{
    for (unsigned i = 0; i + 1 < net->levels; i++)
        notes_value(notes, parts[i], NULL, "%u, joined by %u links",
                    net->down[i], net->parallel[i]);
    if (net->topology == TOPOLOGY_DRAGONFLY_PLUS)
        notes_value(notes, "spine switches", NULL, "%u", net->up[1]);
    notes_value(notes, parts[net->levels - 1], NULL, "%u",
                net->down[net->levels - 1]);
    if (net->group_wires)
        notes_value(notes, "wires of two groups", NULL, "%u", net->group_wires);
    if (net->routing != ROUTING_MINIMAL)
        notes_value(notes, "routing", NULL, "%s", routing_names[net->routing]);
}

static void print_shape(const struct network *net, struct notes *notes)
{
    static const char *const dragonfly[] = {"groups", "chassis", "routers",
                                            "nodes per router"};
    static const char *const plus[] = {"groups", "leaf switches",
                                       "nodes per leaf"};

    switch (net->topology) {
    case TOPOLOGY_TORUS:
        for (unsigned i = 0; i < net->levels; i++)
            notes_value(notes, "  dimension", NULL, "%u", net->down[i]);
        break;
    case TOPOLOGY_DRAGONFLY:
        print_parts(net, dragonfly, notes);
        break;
    case TOPOLOGY_DRAGONFLY_PLUS:
        print_parts(net, plus, notes);
        break;
    case TOPOLOGY_RAILS:
        notes_value(notes, "rails", NULL, "%u, %s", net->rails,
                    net->joined ? "joined in one tree" : "a tree each");
        print_levels(net, notes);
        break;
    default:
        print_levels(net, notes);
    }
}

static void print_network(const struct machine *m, struct notes *notes)
{
    const struct network *net = &m->network;

    printf("\nnetwork\n");
    notes_value(notes, "topology", net->source, "%s",
                topology_names[net->topology]);
    print_shape(net, notes);
    notes_value(notes, "nodes", net->source, "%u", net->nodes);
    if (net->nodes_per_rack)
        notes_value(notes, "nodes per rack", net->source, "%u",
                    net->nodes_per_rack);
    notes_value(notes, "one link, each way", net->source, "%g GB/s",
                net->bandwidth_Bps / 1e9);
    if (net->hop_s > 0)
        notes_value(notes, "a switch", net->source, "%g ns", net->hop_s * 1e9);
    if (net->process_Bps > 0)
        notes_value(notes, "one process, each way", net->source, "%g GB/s",
                    net->process_Bps / 1e9);
    if (net->gpu_Bps > 0)
        notes_value(notes, "GPUs of a node, in and out", net->source, "%g GB/s",
                    net->gpu_Bps / 1e9);
}

static void print_copies(const struct machine *m, struct notes *notes)
{
    const struct copy_table *t = &m->copies;

    if (!t->nrows)
        return;
    printf("\ncopies: alpha + beta * bytes of each of the processes that copy "
           "from one GPU at once\n");
    printf("    %-10s %-10s %9s %9s %10s    %s\n", "direction", "locality",
           "processes", "up to", "alpha", "beta");
    for (size_t i = 0; i < t->nrows; i++) {
        const struct copy_cost *c = &t->rows[i];
        char up_to[32];
        printf("    %-10s %-10s %9u %9s %7.5g us %7.5g ns/B  [%zu]\n",
               copy_dir_names[c->dir],
               c->locality == SHARED_CACHE ? "on_gpu"
                                           : locality_names[c->locality],
               c->processes,
               show_platform_limit(c->up_to_B, up_to, sizeof up_to),
               c->alpha_s * 1e6, c->beta_s_per_B * 1e9,
               notes_number(notes, c->source));
    }
    notes_value(notes, "one copy holds its GPU", t->engine_source, "%g us",
                t->engine_s * 1e6);
    notes_value(notes, "time slice without MPS", t->slice_source,
                "%g us, for copies below %llu B", t->slice_s * 1e6,
                (unsigned long long)t->slice_below_B);
    if (t->contexts)
        notes_value(notes, "contexts", NULL,
                    "without MPS a process at a time has the GPU");
    if (t->returns_up_to_B)
        notes_value(notes, "copies that return early", t->returns_source,
                    "to the GPU, up to %llu B",
                    (unsigned long long)t->returns_up_to_B);
    if (t->mps_clients)
        notes_value(notes, "processes that MPS serves", t->mps_clients_source,
                    "%u of a GPU", t->mps_clients);
    if (t->mps_source)
        notes_value(
            notes, "overhead of MPS", t->mps_source,
            "from %llu B, beta + %g %% to and from the host, + %g %% else",
            (unsigned long long)t->mps_from_B, t->mps_host_more * 100,
            t->mps_gpu_more * 100);
    notes_value(notes, "MPS", NULL, "%s", t->mps ? "on" : "off");
    if (t->gpus_are_one)
        notes_value(notes, "GPUs", NULL, "of a node stand for one");
}

static void print_us(struct notes *notes, const char *name, double s,
                     const struct number_source *own, const struct gpu_model *g)
{
    if (s > 0)
        notes_value(notes, name, own ? own : g->source, "%g us", s * 1e6);
}

/* Hit and miss. */
static void print_access(struct notes *notes, const char *name, double hit_s,
                         double miss_s, const struct gpu_access *a)
{
    notes_value(notes, name, a->source, "%g ns in L2, else %g ns", hit_s * 1e9,
                miss_s * 1e9);
}

static void print_accesses(struct notes *notes, const struct gpu_access *a)
{
    if (!a->source)
        return;
    print_access(notes, "a sector", a->hit_s, a->miss_s, a);
    print_access(notes, "atomic on integers", a->atomic_hit_s, a->atomic_miss_s,
                 a);
    print_access(notes, "atomic on floats", a->float_atomic_hit_s,
                 a->float_atomic_miss_s, a);
    notes_value(notes, "atomics on one address", a->source, "%g ns",
                a->same_address_s * 1e9);
    if (a->stream_Bps > 0)
        notes_value(notes, "words in order", a->source, "%g GB/s",
                    a->stream_Bps / 1e9);
    print_access(notes, "one access alone", a->latency_hit_s, a->latency_miss_s,
                 a);
}

static void print_calls(const struct gpu_model *g, struct notes *notes)
{
    for (int i = 0; g->calls.source && i < NGPU_CALLS; i++)
        if (g->calls.s[i] > 0 && gpu_call_ats[i] != CALL_AT_ACCESS)
            notes_value(notes, gpu_call_whats[i], g->calls.source,
                        g->calls.stream_s[i] > 0 ? "%g us, on the stream %g us"
                                                 : "%g us",
                        g->calls.s[i] * 1e6, g->calls.stream_s[i] * 1e6);
    if (g->calls.behind_s > 0)
        notes_value(notes, "copy behind a kernel", g->calls.source,
                    "%g us after its call, or 2 or 4 times that",
                    g->calls.behind_s * 1e6);
}

static void print_gpu(const struct machine *m, struct notes *notes)
{
    const struct gpu_model *g = &m->gpu;

    if (!g->source)
        return;
    printf("\nevery GPU\n");
    if (g->arch)
        notes_value(notes, "architecture", g->source, "%s", g->arch);
    if (g->memory_Bps > 0)
        notes_value(notes, "memory", g->source, "%g GB/s", g->memory_Bps / 1e9);
    if (g->l2_B > 0)
        notes_value(notes, "L2 cache", g->source, "%g MiB", g->l2_B / 0x1p20);
    if (g->sms)
        notes_value(notes, "SMs", g->source, "%u", g->sms);
    if (g->threads_per_sm)
        notes_value(notes, "threads of an SM", g->source, "%u",
                    g->threads_per_sm);
    print_us(notes, "IPC event", g->ipc_event_s, g->ipc_event_source, g);
    print_us(notes, "small copy by the CPU", g->gdrcopy_s, g->gdrcopy_source,
             g);
    if (g->cpu_sums_up_to_B)
        notes_value(notes, "MPI's sums by the CPU", g->cpu_sums_source,
                    "up to %llu B, %g ns/B more",
                    (unsigned long long)g->cpu_sums_up_to_B,
                    g->cpu_sums_s_per_B * 1e9);
    print_us(notes, "kernel launch", g->launch_s, g->launch_source, g);
    print_us(notes, "kernel end seen by the CPU", g->sync_s, g->sync_source, g);
    print_us(notes, "put or atomic over NVLink", g->remote_atomic_s,
             g->remote_atomic_source, g);
    if (g->packet.source)
        notes_value(notes, "NVLink packet", g->packet.source,
                    "%u to %u B and %u B more", g->packet.granule_B,
                    g->packet.payload_B, g->packet.header_B);
    print_accesses(notes, &g->access);
    print_calls(g, notes);
}

static void show_platform_nccl(const struct machine *m, struct notes *notes)
{
    const struct nccl_model *n = &m->nccl;

    if (!n->channels)
        return;
    printf("\nNCCL\n");
    notes_value(notes, "channels of a GPU", n->channels_source, "%u",
                n->channels);
    notes_value(notes, "slots of a channel's buffer", n->source, "%u",
                n->slots);
    for (int i = 0; i < NNCCL_PROTOCOLS; i++) {
        const struct nccl_protocol *p = &n->protocols[i];
        printf("  %s\n", nccl_protocol_names[i]);
        notes_value(notes, "  start and end", p->start_source, "%g us",
                    p->start_s * 1e6);
        notes_value(notes, "  slot", p->source, "%u B", p->slot_B);
        notes_value(notes, "  a ring's chunk", p->source, "%u slots, %u slices",
                    p->chunk_slots, p->slices);
        notes_value(notes, "  a channel, at least", p->source, "%u B",
                    p->channel_B);
    }
}

static void show_platform_graph(const struct machine *m, struct notes *notes)
{
    const struct graph_model *g = &m->graph;

    if (!(g->arc_s > 0))
        return;
    printf("\ngraphs in rounds, all cores of a node together\n");
    notes_value(notes, "an arc", g->source, "%.3g ns", g->arc_s * 1e9);
    notes_value(notes, "a label somewhere", g->source, "%.3g ns",
                g->vertex_s * 1e9);
    if (g->spare_source)
        notes_value(notes, "left for buffers", g->spare_source, "%.3g B an arc",
                    g->spare_B_per_arc);
}

static void count_sources(const struct machine *m,
                          unsigned counts[NPROVENANCES])
{
    for (size_t i = 0; i < m->nwires; i++) { /* once for each type */
        size_t first = 0;
        while (strcmp(m->wires[first].type, m->wires[i].type) != 0)
            first++;
        if (first == i)
            counts[source_kind(m->wires[i].source, "bandwidth_GBps")]++;
    }
    for (size_t t = 0; t < (size_t)NRUNTIMES * NPATHS * NLOCALITIES; t++) {
        const struct message_table *table =
            &m->messages[t / NLOCALITIES / NPATHS][t / NLOCALITIES % NPATHS]
                        [t % NLOCALITIES];
        for (size_t i = 0; i < table->nsegments; i++) {
            counts[source_kind(table->segments[i].source, "alpha_us")]++;
            counts[source_kind(table->segments[i].source,
                               "beta_ns_per_byte")]++;
        }
    }
    for (size_t i = 0; i < m->copies.nrows; i++) {
        counts[source_kind(m->copies.rows[i].source, "alpha_us")]++;
        counts[source_kind(m->copies.rows[i].source, "beta_ns_per_byte")]++;
    }
}

/* How many alphas, betas and rates are whose. */
static void print_counts(const struct machine *m)
{
    unsigned counts[NPROVENANCES] = {0}, all = 0;
    const char *comma = "";

    count_sources(m, counts);
    for (int i = 0; i < NPROVENANCES; i++)
        all += counts[i];
    int column = printf("\nof %u alphas, betas and rates of wires: ", all);
    for (int i = 0; i < NPROVENANCES; i++)
        if (counts[i]) {
            column += printf("%s%u %s", comma, counts[i], provenance_names[i]);
            comma = column > 80 ? ",\n    " : ", ";
            column = column > 80 ? 0 : column;
        }
    printf("\n");
}

static void print_libraries(const struct machine *m, struct notes *notes)
{
    const struct collective_library *list[MOST_LIBRARIES];
    struct err ignored; /* who asks for a collective is told */
    size_t n;

    if (libraries_of(list, &n, m, &ignored) < 0)
        return;
    printf("\nlibraries of collectives\n");
    for (size_t i = 0; i < n; i++) {
        const struct number_source *source = NULL;
        for (size_t k = 0; k < m->nlibraries; k++)
            if (!strcmp(m->libraries[k].name, list[i]->name))
                source = m->libraries[k].source;
        if (source)
            notes_value(notes, list[i]->name, source, "%s", "");
        else
            printf("  %s\n", list[i]->name);
    }
    if (library_mpi_is_unknown(m))
        printf("  (of no library's MPI: \"%s\"; %s is assumed)\n", m->mpi,
               libraries[0]->name);
}

static void print_measured(const struct machine *m, struct notes *notes)
{
    const struct {
        const char *name;
        struct measured_range range;
    } ranges[] = {{"nodes", m->measured.nodes},
                  {"bytes of a message", m->measured.bytes},
                  {"ranks per node", m->measured.ranks_per_node}};

    if (!m->measured.nodes.most)
        return;
    printf("\nmeasured on\n");
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (ranges[i].range.most)
            notes_value(notes, ranges[i].name, m->measured.source,
                        "%llu to %llu",
                        (unsigned long long)ranges[i].range.least,
                        (unsigned long long)ranges[i].range.most);
}

static void show_platform_print(const struct machine *m)
{
    struct notes notes = {0};

    printf("%s (%s)\n", m->name, m->path);
    printf(" ");
    notes_wrapped(m->about, 1, 3);
    print_node(m, &notes);
    print_wires(m, &notes);
    print_network(m, &notes);
    show_platform_messages(m, &notes);
    for (enum runtime by = 0; by < NRUNTIMES; by++)
        show_platform_runtime(m, by, &notes);
    show_platform_matching(&m->matching, &notes);
    print_copies(m, &notes);
    print_gpu(m, &notes);
    show_platform_nccl(m, &notes);
    show_platform_graph(m, &notes);
    print_libraries(m, &notes);
    print_measured(m, &notes);
    print_counts(m);
    notes_print(&notes);
    free(notes.texts);
}

/* The keys of a document that are named, as a part that others may extend. */
static struct json *show_platform_part(const struct json *doc,
                                       const struct texts *keys,
                                       struct err *err)
{
    struct json *part = json_new_object();

    json_add_number(part, "format", 1);
    for (size_t i = 0; i < keys->n; i++) {
        const struct json *v = json_member(doc, keys->items[i]);
        if (v) {
            json_replace(part, keys->items[i], json_copy(v));
            continue;
        }
        json_free(part);
        return fail_null(err, "--only: the platform has no key '%s'",
                         keys->items[i]);
    }
    return part;
}

static int show_platform_drawing(const struct machine *m, const char *path,
                                 struct err *err)
{
    struct outfile out;

    if (outfile_open(&out, path ? path : "-", err) < 0)
        return -1;
    draw_machine(out.stream, m, true);
    return outfile_close(&out, err);
}

int show_platform(int argc, char **argv, struct err *err)
{
    struct texts sets = {0}, only = {0};
    const char *path = NULL;
    bool as_json = false, as_svg = false, helped;
    const struct opt opts[] = {
        {"set", OPT_TEXTS, &sets, "KEY=VALUE",
         "change a value, such as network.bandwidth_GBps=50; may be given "
         "again"},
        {"json", OPT_FLAG, &as_json, NULL, "print the changed file instead"},
        {"only", OPT_TEXTS, &only, "KEY",
         "with --json, of the file only this key, such as messages: a part "
         "that others extend; may be given again"},
        {"svg", OPT_FLAG, &as_svg, NULL,
         "draw the node and the network's levels, as SVG"},
        {"o", OPT_OUTPUT, &path, "FILE",
         "with --svg: where to [default: standard output]"},
    };
    struct machine m;
    int noperands;

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "show platform NAME|FILE [OPTIONS]", NULL, &noperands,
                   &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1)
        return fail(err, "show platform: expected one name or file, got %d",
                    noperands);
    if (only.n && !as_json)
        return fail(err, "--only: with --json only");
    if (as_json && as_svg)
        return fail(err, "--json or --svg: not both");
    if (path && !as_svg)
        return fail(err, "-o: with --svg only");
    if (platform_load(&m, argv[1], sets.items, sets.n, err) < 0)
        return -1;
    if (!as_json) {
        int result = as_svg ? show_platform_drawing(&m, path, err) : 0;
        if (!as_svg)
            show_platform_print(&m);
        machine_clear(&m);
        return result;
    }
    machine_clear(&m);
    struct json *doc = platform_json(argv[1], sets.items, sets.n, err);
    if (!doc)
        return -1;
    struct json *shown = only.n ? show_platform_part(doc, &only, err) : doc;
    if (shown)
        json_print(shown, stdout);
    if (shown != doc)
        json_free(doc);
    json_free(shown);
    return shown ? 0 : -1;
}
