/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the YAML of InfraGraph: one device with its components and edges, as
 * connections ("cpu.0.pcie.pciesw.1") or as edges between slices. */
#include "platforms/discover/infragraph.h"

#include <yaml.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_EDGES = 65536, MOST_COUNT = 1024 };

/* The document; its nodes are NULL if they are not there. */
struct yaml {
    yaml_document_t doc;
};

static yaml_node_t *node_at(struct yaml *y, int index)
{
    return yaml_document_get_node(&y->doc, index);
}

static const char *scalar(const yaml_node_t *n)
{
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value
                                            : NULL;
}

static yaml_node_t *member(struct yaml *y, const yaml_node_t *map,
                           const char *key)
{
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start;
         p < map->data.mapping.pairs.top; p++) {
        const char *name = scalar(node_at(y, p->key));
        if (name && !strcmp(name, key))
            return node_at(y, p->value);
    }
    return NULL;
}

static const char *text_member(struct yaml *y, const yaml_node_t *map,
                               const char *key)
{
    const char *text = scalar(member(y, map, key));

    return text ? text : "";
}

static size_t items(const yaml_node_t *list)
{
    return list && list->type == YAML_SEQUENCE_NODE
               ? (size_t)(list->data.sequence.items.top -
                          list->data.sequence.items.start)
               : 0;
}

static yaml_node_t *item(struct yaml *y, const yaml_node_t *list, size_t i)
{
    return node_at(y, list->data.sequence.items.start[i]);
}

/* Components. */

static bool mentions(const char *text, const char *word)
{
    return strcasestr(text, word) != NULL;
}

/* Returns the kind: cpu, xpu, nic or switch, by its name if it is a device or a
 * custom component; -1 if no message passes it. */
static int component_kind(const char *type, const char *name,
                          const char *description)
{
    bool of_nvlink = mentions(name, "nvsw") || mentions(name, "nvl") ||
                     mentions(name, "nv-sw") ||
                     mentions(description, "nvlink") ||
                     mentions(description, "nvswitch");

    if (!strcmp(type, "cpu"))
        return FOUND_SOCKET;
    if (!strcmp(type, "xpu"))
        return FOUND_GPU;
    if (!strcmp(type, "nic") || (!strcmp(type, "device") && !of_nvlink))
        return FOUND_NIC;
    if (!strcmp(type, "memory") || !strcmp(type, "port"))
        return -1;
    return of_nvlink ? FOUND_FABRIC : FOUND_BRIDGE;
}

static size_t component_named(const struct infragraph *g, const char *name,
                              size_t len)
{
    for (size_t i = 0; i < g->ncomponents; i++)
        if (strlen(g->components[i].name) == len &&
            !strncmp(g->components[i].name, name, len))
            return i;
    return NO_ITEM;
}

static size_t add_component(struct infragraph *g, const char *name,
                            const char *description, enum found_kind kind,
                            unsigned count)
{
    g->components =
        xrealloc(g->components, g->ncomponents + 1, sizeof *g->components);
    g->components[g->ncomponents] = (struct infra_component){
        xstrdup(name), xstrdup(description), kind, count};
    return g->ncomponents++;
}

static unsigned count_of(const char *text)
{
    unsigned long n = strtoul(text, NULL, 10);

    return n < MOST_COUNT ? (unsigned)n : MOST_COUNT;
}

static void read_components(struct infragraph *g, struct yaml *y,
                            const yaml_node_t *device)
{
    const yaml_node_t *list = member(y, device, "components");

    for (size_t i = 0; i < items(list); i++) {
        const yaml_node_t *c = item(y, list, i);
        const char *name = text_member(y, c, "name");
        const char *type = *text_member(y, c, "type")
                               ? text_member(y, c, "type")
                               : text_member(y, c, "choice");
        const char *description = text_member(y, c, "description");
        int kind = component_kind(type, name, description);
        if (*name && kind >= 0)
            add_component(g, name, description, (enum found_kind)kind,
                          count_of(text_member(y, c, "count")));
    }
}

/* Edges. */

static int add_edge(struct infragraph *g, size_t a, unsigned i, size_t b,
                    unsigned k, const char *link, struct err *err)
{
    if (i >= MOST_COUNT || k >= MOST_COUNT || g->nedges == MOST_EDGES)
        return fail(err, "expected at most %d edges, and indexes below %d",
                    MOST_EDGES, MOST_COUNT);
    for (size_t e = 0; e < 2; e++) {
        struct infra_component *c = &g->components[e ? b : a];
        unsigned index = e ? k : i;
        c->count = index >= c->count ? index + 1 : c->count;
    }
    if (!(g->nedges & (g->nedges - 1))) /* full: twice as many */
        g->edges =
            xrealloc(g->edges, g->nedges ? 2 * g->nedges : 1, sizeof *g->edges);
    g->edges[g->nedges++] = (struct infra_edge){{a, b}, {i, k}, xstrdup(link)};
    return 0;
}

/* Splits a text into the words between dots; returns their number, at most
 * `room`. */
static size_t dotted(char *text, char **words, size_t room)
{
    size_t n = 0;

    for (char *word; n < room && (word = strsep(&text, "."));)
        words[n++] = word;
    return n;
}

/* Reads "cpu.0.pcie.pciesw.1"; or, if the other end is in another instance,
 * which is a NIC, "server.0.pciesw.0.pcie.server-nic.3.port.0". */
static int read_connection(struct infragraph *g, const char *text,
                           struct err *err)
{
    char *copy = xstrdup(text), *w[10];
    size_t n = dotted(copy, w, 10), a = NO_ITEM, b = NO_ITEM, first = 0;
    int result = 0;

    if (n == 5 || n == 9)
        first = n == 9 ? 2 : 0;
    if (n == 5 || n == 9) {
        a = component_named(g, w[first], strlen(w[first]));
        b = component_named(g, w[first + 3], strlen(w[first + 3]));
    }
    /* The network is behind a NIC, so that it is no edge of the node. */
    if (n == 9 && a != NO_ITEM && g->components[a].kind == FOUND_NIC)
        a = NO_ITEM;
    if (n == 9 && a != NO_ITEM && b == NO_ITEM)
        b = add_component(g, w[5], "", FOUND_NIC, 0);
    if (a != NO_ITEM && b != NO_ITEM)
        result = add_edge(g, a, count_of(w[first + 1]), b,
                          count_of(w[first + 4]), w[first + 2], err);
    free(copy);
    return result;
}

static int read_connections(struct infragraph *g, struct yaml *y,
                            const yaml_node_t *owner, struct err *err)
{
    const yaml_node_t *list = member(y, owner, "connections");

    for (size_t i = 0; i < items(list); i++) {
        const char *text = scalar(item(y, list, i));
        if (text && read_connection(g, text, err) < 0)
            return -1;
    }
    return 0;
}

/* A component and its indices from..to - 1: "cpu[0:2]", "cpu[1]", "cpu". */
struct slice {
    size_t component;
    unsigned from, to;
};

static struct slice read_slice(const struct infragraph *g, const char *text)
{
    size_t len = strcspn(text, "[.");
    struct slice s = {component_named(g, text, len), 0, 0};
    const char *at = text + len;

    if (s.component == NO_ITEM)
        return s;
    s.to = g->components[s.component].count;
    if (*at != '[')
        return s;
    if (at[1] != ':' && at[1] != ']')
        s.from = count_of(at + 1);
    const char *colon = strchr(at, ':');
    if (!colon)
        s.to = s.from + 1;
    else if (colon[1] != ']')
        s.to = count_of(colon + 1);
    return s;
}

/* Adds the edges of two slices. many2many: all pairs; ring: each and the next;
 * otherwise side by side. */
static int add_slices(struct infragraph *g, struct slice a, struct slice b,
                      const char *scheme, const char *link, struct err *err)
{
    unsigned n = a.to > a.from ? a.to - a.from : 0;
    unsigned m = b.to > b.from ? b.to - b.from : 0;

    for (unsigned i = 0; i < n && m; i++) {
        unsigned first = i % m, last = first + 1;
        if (!strcmp(scheme, "many2many")) {
            first = 0;
            last = m;
        } else if (!strcmp(scheme, "ring")) {
            first = (i + 1) % m;
            last = first + 1;
        }
        for (unsigned k = first; k < last; k++)
            if (add_edge(g, a.component, a.from + i, b.component, b.from + k,
                         link, err) < 0)
                return -1;
    }
    return 0;
}

static int read_edges(struct infragraph *g, struct yaml *y,
                      const yaml_node_t *device, struct err *err)
{
    const yaml_node_t *list = member(y, device, "edges");

    for (size_t i = 0; i < items(list); i++) {
        const yaml_node_t *e = item(y, list, i);
        struct slice s[2];
        for (int end = 0; end < 2; end++)
            s[end] =
                read_slice(g, text_member(y, member(y, e, end ? "ep2" : "ep1"),
                                          "component"));
        /* An end in another device, such as a NIC's port, is that NIC. */
        if (s[0].component == NO_ITEM || s[1].component == NO_ITEM)
            continue;
        if (add_slices(g, s[0], s[1], text_member(y, e, "scheme"),
                       text_member(y, e, "link"), err) < 0)
            return -1;
    }
    return 0;
}

/* Links. */

static double bandwidth_Bps(struct yaml *y, const yaml_node_t *link)
{
    static const struct {
        const char *key;
        double Bps;
    } units[] = {{"gigabytes_per_second", 1e9},
                 {"giga_bytes_per_second", 1e9},
                 {"gigabits_per_second", 1e9 / 8},
                 {"giga_bits_per_second", 1e9 / 8}};
    const yaml_node_t *b = member(y, link, "bandwidth");

    if (!b)
        b = member(y, member(y, link, "physical"), "bandwidth");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        double v = strtod(text_member(y, b, units[i].key), NULL);
        if (v > 0 && v < 1e6)
            return v * units[i].Bps;
    }
    return 0;
}

static void read_links(struct infragraph *g, struct yaml *y,
                       const yaml_node_t *owner)
{
    const yaml_node_t *list = member(y, owner, "links");

    for (size_t i = 0; i < items(list) && i < MOST_COUNT; i++) {
        const yaml_node_t *l = item(y, list, i);
        g->links = xrealloc(g->links, g->nlinks + 1, sizeof *g->links);
        g->links[g->nlinks++] = (struct infra_link){
            xstrdup(text_member(y, l, "name")),
            xstrdup(text_member(y, l, "description")), bandwidth_Bps(y, l)};
    }
}

/* The document. */

static unsigned count_kind(const struct infragraph *g, enum found_kind kind)
{
    unsigned n = 0;

    for (size_t i = 0; i < g->ncomponents; i++)
        if (g->components[i].kind == kind)
            n += g->components[i].count ? g->components[i].count : 1;
    return n;
}

static int read_device(struct infragraph *g, struct yaml *y,
                       const yaml_node_t *device, const yaml_node_t *root,
                       struct err *err)
{
    *g =
        (struct infragraph){.name = found_word(text_member(y, device, "name"))};
    read_components(g, y, device);
    read_links(g, y, device);
    if (read_connections(g, y, device, err) < 0 ||
        read_edges(g, y, device, err) < 0)
        return -1;
    return device == root ? 0 : read_connections(g, y, root, err);
}

static int read_best(struct infragraph *g, struct yaml *y,
                     const yaml_node_t *root, const yaml_node_t *devices,
                     struct err *err)
{
    unsigned best = 0;

    for (size_t i = 0; i <= items(devices); i++) {
        struct infragraph next;
        const yaml_node_t *device =
            i < items(devices) ? item(y, devices, i) : root;
        if (read_device(&next, y, device, root, err) < 0) {
            infragraph_clear(&next);
            infragraph_clear(g); /* an earlier device that was kept */
            return -1;
        }
        unsigned worth = count_kind(&next, FOUND_GPU) * 1000 +
                         count_kind(&next, FOUND_SOCKET);
        if (worth > best) {
            infragraph_clear(g);
            *g = next;
            best = worth;
        } else {
            infragraph_clear(&next);
        }
    }
    if (!best)
        return fail(err, "expected a device with a component of type cpu or "
                         "xpu, got none");
    return 0;
}

static int load(struct yaml *y, const char *text, size_t bytes, struct err *err)
{
    yaml_parser_t parser;
    int result = 0;

    if (!yaml_parser_initialize(&parser))
        err_no_memory("a parser of YAML");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    if (!yaml_parser_load(&parser, &y->doc)) {
        if (parser.error == YAML_MEMORY_ERROR)
            err_no_memory("a document of YAML");
        result =
            fail(err, "line %zu: not YAML: %s", parser.problem_mark.line + 1,
                 parser.problem ? parser.problem : "broken");
    }
    yaml_parser_delete(&parser);
    return result;
}

int infragraph_read(struct infragraph *g, const char *text, size_t bytes,
                    struct err *err)
{
    struct yaml y;

    *g = (struct infragraph){0};
    if (load(&y, text, bytes, err) < 0)
        return -1;
    yaml_node_t *root = yaml_document_get_root_node(&y.doc);
    yaml_node_t *infra = member(&y, root, "infrastructure");
    if (infra)
        root = infra;
    yaml_node_t *devices = member(&y, root, "devices");
    if (!devices)
        devices = member(&y, root, "device");
    int result = read_best(g, &y, root, devices, err);
    yaml_document_delete(&y.doc);
    return result;
}

void infragraph_clear(struct infragraph *g)
{
    for (size_t i = 0; i < g->ncomponents; i++) {
        free(g->components[i].name);
        free(g->components[i].description);
    }
    for (size_t i = 0; i < g->nedges; i++)
        free(g->edges[i].link);
    for (size_t i = 0; i < g->nlinks; i++) {
        free(g->links[i].name);
        free(g->links[i].description);
    }
    free(g->components);
    free(g->edges);
    free(g->links);
    free(g->name);
    *g = (struct infragraph){0};
}
