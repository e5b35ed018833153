/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a machine for people: its node, its network and its costs, by the keys
 * that --set takes. The sources stand at the end and are referred to by number,
 * because they are long. */
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

enum { VALUES_AT = 28 }; /* the column of notes_value() */

/* Prints a device: its kind, the device that it hangs on, and its values by
 * their keys. The values have a line of their own if they are long. */
static void print_device(const struct machine *m, const struct device *d,
                         struct notes *notes)
{
    static const char *const head[] = {"id", "kind", NULL};
    bool hangs = d->kind == DEVICE_GPU || d->kind == DEVICE_NIC;
    char *values = show_platform_line(&device_keys, d, head);
    const char *of = !hangs             ? ""
                     : d->gpu == NO_GPU ? machine_socket(m, d->socket)->id
                                        : m->devices[d->gpu].id;
    bool fits = strlen(of) + strlen(values) < 36;

    notes_value(notes, d->id, d->source, "%s%s%s%s%s",
                device_kind_names[d->kind], hangs ? " of " : "", of,
                fits && *values ? ", " : "", fits ? values : "");
    if (!fits) {
        printf("%*s", VALUES_AT, "");
        notes_wrapped(values, VALUES_AT, VALUES_AT + 1);
    }
    free(values);
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
    for (size_t i = 0; i < m->ndevices; i++)
        print_device(m, &m->devices[i], notes);
}
/* Prints a line for each type of wire at its first wire, then the pairs that
 * the type joins. */
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
        char *line = show_platform_line(&wire_type_keys, w, NULL);
        notes_value(notes, w->type, w->source, "%s", line);
        free(line);
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
        printf("%*s", VALUES_AT, "");
        notes_wrapped(pairs, VALUES_AT, VALUES_AT + 1);
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

static void print_network(const struct machine *m, struct notes *notes)
{
    const struct network *net = &m->network;

    printf("\nnetwork\n");
    notes_value(notes, "topology", net->source, "%s",
                topology_names[net->topology]);
    if (net->topology == TOPOLOGY_FAT_TREE || net->topology == TOPOLOGY_RAILS)
        print_levels(net, notes);
    for (unsigned i = 0; net->topology == TOPOLOGY_TORUS && i < net->levels;
         i++)
        notes_value(notes, "  dimension", NULL, "%u", net->down[i]);
    show_platform_values(&network_keys, net, 1u << net->topology, "",
                         (const char *const[]){"topology", NULL}, notes);
}

#define COPY_KEY(member) KEY_OF(copy_row_keys, struct copy_cost, member)

static void print_copies(const struct machine *m, struct notes *notes)
{
    const char *const columns[] = {COPY_KEY(dir),
                                   COPY_KEY(locality),
                                   COPY_KEY(processes),
                                   COPY_KEY(up_to_B),
                                   COPY_KEY(alpha_s),
                                   COPY_KEY(beta_s_per_B),
                                   NULL};
    const struct copy_table *t = &m->copies;

    if (!t->nrows)
        return;
    printf("\ncopies: alpha + beta * bytes of each of the processes that copy "
           "from one GPU at once\n");
    show_platform_columns(&copy_row_keys, NULL, columns);
    printf("\n");
    for (size_t i = 0; i < t->nrows; i++) {
        show_platform_columns(&copy_row_keys, &t->rows[i], columns);
        printf("  [%zu]\n", notes_number(notes, t->rows[i].source));
    }
    show_platform_values(&copies_keys, t, 0, "", NULL, notes);
    if (t->mps_source)
        show_platform_values(&mps_overhead_keys, t, ~0u, "mps_overhead.", NULL,
                             notes);
}

static void print_gpu(const struct machine *m, struct notes *notes)
{
    const struct gpu_model *g = &m->gpu;

    if (!g->source)
        return;
    printf("\nevery GPU\n");
    show_platform_values(&gpu_keys, g, 0, "", NULL, notes);
    if (g->packet.source)
        show_platform_values(&packet_keys, &g->packet, ~0u, "nvlink_packet.",
                             NULL, notes);
    if (g->access.source)
        show_platform_values(&access_keys, &g->access, ~0u, "access.", NULL,
                             notes);
    if (g->calls.source)
        show_platform_values(&calls_keys, &g->calls, ~0u, "calls.", NULL,
                             notes);
    if (g->several_given)
        show_platform_values(&calls_keys, &g->calls_of_several, 0,
                             "calls.several.", NULL, notes);
}

static void show_platform_nccl(const struct machine *m, struct notes *notes)
{
    const struct nccl_model *n = &m->nccl;

    if (!n->slots)
        return;
    printf("\nNCCL\n");
    show_platform_values(&nccl_keys, n, 0, "", NULL, notes);
    show_platform_values(&nccl_settings_keys, &n->settings, 0, "settings.",
                         NULL, notes);
    for (int i = 0; i < NNCCL_PROTOCOLS; i++) {
        char under[24];
        snprintf(under, sizeof under, "%s.", nccl_protocol_names[i]);
        show_platform_values(&nccl_protocol_keys, &n->protocols[i], 0, under,
                             NULL, notes);
    }
}

static void show_platform_graph(const struct machine *m, struct notes *notes)
{
    const struct graph_model *g = &m->graph;

    if (!(g->arc_s > 0))
        return;
    printf("\ngraphs in rounds, all cores of a node together\n");
    show_platform_values(&graph_keys, g, 0, "", NULL, notes);
}

static void count_sources(const struct machine *m,
                          unsigned counts[NPROVENANCES])
{
    for (size_t i = 0; i < m->nwires; i++) {
        size_t first = 0;
        while (strcmp(m->wires[first].type, m->wires[i].type) != 0)
            first++;
        if (first == i)
            counts[source_kind(
                m->wires[i].source,
                KEY_OF(wire_type_keys, struct wire, bandwidth_Bps))]++;
    }
    for (size_t t = 0; t < (size_t)NRUNTIMES * NPATHS * NLOCALITIES; t++) {
        const struct message_table *table =
            &m->messages[t / NLOCALITIES / NPATHS][t / NLOCALITIES % NPATHS]
                        [t % NLOCALITIES];
        for (size_t i = 0; i < table->nsegments; i++) {
            counts[source_kind(
                table->segments[i].source,
                KEY_OF(segment_keys, struct segment, alpha_s))]++;
            counts[source_kind(
                table->segments[i].source,
                KEY_OF(segment_keys, struct segment, beta_s_per_B))]++;
        }
    }
    for (size_t i = 0; i < m->copies.nrows; i++) {
        counts[source_kind(m->copies.rows[i].source, COPY_KEY(alpha_s))]++;
        counts[source_kind(m->copies.rows[i].source, COPY_KEY(beta_s_per_B))]++;
    }
}

/* Counts alphas, betas and rates by the kinds of their sources. */
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
    struct err ignored; /* because only `run` needs the libraries */
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

/* Returns the named keys of a document as a part that others may extend. */
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

static const struct opts_page page = {
    .usage = "show platform NAME|FILE [OPTIONS]",
    .about = "Shows a platform: every number, its unit and its source.\n",
    .examples = {{"Show a platform with a faster network",
                  "sluice show platform lassen --set "
                  "network.bandwidth_GBps=50"},
                 {"Draw its node and network",
                  "sluice show platform lassen --svg -o lassen.svg"}},
};

int show_platform(int argc, char **argv, struct err *err)
{
    struct texts sets = {0}, only = {0};
    const char *path = NULL;
    bool as_json = false, as_svg = false, nccl = false, helped;
    unsigned nodes = 1;
    const struct opt opts[] = {
        {"set", OPT_TEXTS, &sets, "KEY=VALUE",
         "override a value, such as network.bandwidth_GBps=50; may be "
         "repeated"},
        {"json", OPT_FLAG, &as_json, NULL,
         "print the platform as a file, with the changes of --set, instead"},
        {"only", OPT_TEXTS, &only, "KEY",
         "with --json: only this key, such as messages: a part that other "
         "platforms extend; may be repeated"},
        {"svg", OPT_FLAG, &as_svg, NULL,
         "draw the node and the network's levels, as SVG"},
        {"nccl", OPT_FLAG, &nccl, NULL,
         "print the channels, rings and heads that NCCL finds, instead"},
        {"nodes", OPT_COUNT, &nodes, "N",
         "with --nccl: on N nodes [default: 1]"},
        {"o", OPT_OUTPUT, &path, "FILE",
         "with --svg: file of the drawing [default: standard output]"},
    };
    struct machine m;
    int noperands;

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1)
        return fail(err, "show platform: expected one name or file, got %d",
                    noperands);
    if (only.n && !as_json)
        return fail(err, "--only: with --json only");
    if (as_json + as_svg + nccl > 1)
        return fail(err, "--json, --svg or --nccl: one of them");
    if (path && !as_svg)
        return fail(err, "-o: with --svg only");
    if (platform_load(&m, argv[1], sets.items, sets.n, err) < 0)
        return -1;
    if (!as_json) {
        int result = as_svg ? show_platform_drawing(&m, path, err)
                     : nccl ? show_platform_nccl_on(&m, nodes, err)
                            : 0;
        if (!as_svg && !nccl)
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
