/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the document's own keys, and the costs of graphs. */
#include "platforms/keys.h"
#include "platforms/read.h"

#define AT(field) offsetof(struct machine, field)
static const struct key file_rows[] = {
    {"format", KEY_OTHER, .needed = KEY_ALWAYS, .help = "1"},
    {"name", KEY_TEXT, AT(name), KEY_ALWAYS, .help = "as --platform takes it"},
    {"machine", KEY_TEXT, AT(machine),
     .help =
         "the machine whose measurements count as its own where advise says "
         "how sure it is, dane of dane-alltoall (left out: the name); it is "
         "not inherited"},
    {"about", KEY_TEXT, AT(about), KEY_ALWAYS, .help = "what machine it is"},
    {"mpi", KEY_TEXT, AT(mpi),
     .help = "the MPI that messages were measured with; validate compares it "
             "with the one that files name"},
    {"node", KEY_OTHER, .needed = KEY_ALWAYS,
     .help = "its sockets, GPUs, NICs and wires"},
    {"network", KEY_OTHER, .needed = KEY_ALWAYS,
     .help = "the network between nodes"},
    {"messages", KEY_OTHER, .needed = KEY_ALWAYS,
     .help = "the costs of messages"},
    {"matching", KEY_OTHER, .help = "how messages find their receives"},
    {"runtimes", KEY_OTHER,
     .help = "the costs of messages of other runtimes than mpi"},
    {"copies", KEY_OTHER, .help = "needed if there are GPUs"},
    {"gpudirect", KEY_FLAG, AT(gpudirect), KEY_ALWAYS,
     .help = "messages between GPUs go by messages.gpu, otherwise by "
             "messages.gpu_no_gdr"},
    {"gpu", KEY_OTHER, .help = "what GPUs have in common"},
    {"nccl", KEY_OTHER, .help = "how NCCL divides collectives"},
    {"libraries", KEY_OTHER, .help = "libraries of collectives"},
    {"graph", KEY_OTHER, .help = "the time of threads that go through a graph"},
    {"gpus_used", KEY_OTHER,
     .help = "only the first so many GPUs of a node are used"},
    {"measured", KEY_OTHER, .help = "the range in which it was measured"},
};
#undef AT
const struct key_table file_keys = {
    "", "the whole document, after extends (README.md)", KEY_ROWS(file_rows),
    KEY_NO_CASES, .benchmark = NULL};

int read_head(struct machine *m, const struct json *doc, struct err *err)
{
    double format;

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    if (json_get_number(doc, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return fail(err, "format: expected 1, got %g", format);
    if (keys_read(&file_keys, m, doc, 0, err) < 0)
        return -1;
    if (!m->machine)
        m->machine = xstrdup(m->name);
    return 0;
}

#define AT(field) offsetof(struct graph_model, field)
static const struct key graph_rows[] = {
    {"arc_ns", KEY_COST, AT(arc_s), KEY_ALWAYS,
     .help = "an edge, whose head's label is read and written"},
    {"vertex_ns", KEY_COST, AT(vertex_s), KEY_ALWAYS,
     .help = "a label somewhere, read or written"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the times are from"},
    {"spare_bytes_per_arc", KEY_FROM_0, AT(spare_B_per_arc),
     .source = "spare_source",
     .help = "memory that building a host's part leaves for messages before "
             "any is new (large_recv_ns_per_byte of runtimes)"},
    {"spare_source", KEY_SOURCE, AT(spare_source),
     .with = "spare_bytes_per_arc", .help = "where it is from"},
};
#undef AT
const struct key_table graph_keys = {
    "graph",
    "the time of all threads of a node together that go through a graph in "
    "rounds (left out: a cache line of 64 B at the sockets' memory_GBps, "
    "assumed)",
    KEY_ROWS(graph_rows), KEY_NO_CASES, .benchmark = NULL};

int read_graph(struct machine *m, const struct json *o, struct err *err)
{
    return keys_read(&graph_keys, &m->graph, o, 0, err);
}
