/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the JSON form of Chakra traces: {"workload_graph": [{"Id": 3, ...}]}.
 * All nodes of a file are in memory. */
#include "workloads/trace/foreign/chakra.h"
#include "workloads/trace/foreign/sax.h"

#include <stdlib.h>
#include <string.h>

enum json_where { IN_DOCUMENT, IN_GRAPH, IN_NODE, IN_DATA, IN_CONTROL };

struct json_parse {
    struct chakra_nodes *nodes;
    struct sax_place place;
    enum json_where stack[4];
    unsigned depth, beyond;
    char key[32];
    struct chakra_node node;
    uint64_t *deps[2]; /* data dependencies, control dependencies */
    size_t ndeps[2], room[2];
};

static bool key_is(const struct json_parse *p, const char *a, const char *b)
{
    return !strcmp(p->key, a) || !strcmp(p->key, b);
}

static bool json_opens(const struct json_parse *p, bool array,
                       enum json_where *to)
{
    if (p->depth == 0) {
        *to = IN_DOCUMENT;
        return !array;
    }
    switch (p->stack[p->depth - 1]) {
    case IN_DOCUMENT:
        *to = IN_GRAPH;
        return array && key_is(p, "workload_graph", "nodes");
    case IN_GRAPH:
        *to = IN_NODE;
        return !array;
    case IN_NODE:
        *to = key_is(p, "data_deps", "dataDeps") ? IN_DATA : IN_CONTROL;
        return array && (*to == IN_DATA || key_is(p, "ctrl_deps", "ctrlDeps"));
    default:
        return false;
    }
}

static bool json_open(void *arg, bool array)
{
    struct json_parse *p = arg;
    enum json_where to;

    if (p->beyond || !json_opens(p, array, &to)) {
        p->beyond++;
        return true;
    }
    p->stack[p->depth++] = to;
    if (to == IN_NODE) {
        chakra_node_clear(&p->node);
        p->node.place = p->place.bytes;
        p->ndeps[0] = p->ndeps[1] = 0;
    }
    return true;
}

static void json_node(struct json_parse *p)
{
    struct chakra_node *n = &p->node;
    struct chakra_nodes *all = p->nodes;

    n->ndata = p->ndeps[0];
    n->nctrl = p->ndeps[1];
    n->deps = xcalloc(n->ndata + n->nctrl + 1, sizeof *n->deps);
    for (size_t i = 0; i < n->ndata + n->nctrl; i++)
        n->deps[i] = i < n->ndata ? p->deps[0][i] : p->deps[1][i - n->ndata];
    if (!n->name)
        n->name = xstrdup("");
    if (all->n == all->room) {
        all->room = all->room ? 2 * all->room : 64;
        all->nodes = xrealloc(all->nodes, all->room, sizeof *all->nodes);
    }
    all->nodes[all->n++] = *n;
    *n = chakra_node_new();
}

static bool json_close(void *arg, bool array)
{
    struct json_parse *p = arg;

    (void)array;
    if (p->beyond) {
        p->beyond--;
        return true;
    }
    if (p->stack[--p->depth] == IN_NODE)
        json_node(p);
    return true;
}

static bool json_key(void *arg, struct sax_text key)
{
    struct json_parse *p = arg;

    if (!p->beyond)
        sax_copy(key, p->key, sizeof p->key);
    return true;
}

static bool in_node(const struct json_parse *p)
{
    return !p->beyond && p->depth && p->stack[p->depth - 1] == IN_NODE;
}

static bool json_text(void *arg, struct sax_text v)
{
    struct json_parse *p = arg;

    if (!in_node(p))
        return true;
    bool name = key_is(p, "Name", "name");
    char **to = name ? &p->node.name : chakra_node_text(&p->node, p->key);
    if (!to || (!name && !v.n))
        return true;
    free(*to);
    *to = xmalloc(v.n + 1);
    sax_copy(v, *to, v.n + 1);
    return true;
}

static void json_dep(struct json_parse *p, int kind, struct sax_text v)
{
    if (p->ndeps[kind] == p->room[kind]) {
        p->room[kind] = p->room[kind] ? 2 * p->room[kind] : 16;
        p->deps[kind] =
            xrealloc(p->deps[kind], p->room[kind], sizeof **p->deps);
    }
    p->deps[kind][p->ndeps[kind]++] = (uint64_t)sax_whole(v, -1);
}

static bool json_number(void *arg, struct sax_text v)
{
    struct json_parse *p = arg;

    if (p->beyond || !p->depth)
        return true;
    if (p->stack[p->depth - 1] == IN_DATA ||
        p->stack[p->depth - 1] == IN_CONTROL)
        json_dep(p, p->stack[p->depth - 1] == IN_CONTROL, v);
    else if (!in_node(p))
        return true;
    else if (key_is(p, "Id", "id"))
        p->node.id = (uint64_t)sax_whole(v, -1);
    else if (key_is(p, "NodeType", "type"))
        p->node.type = sax_whole(v, 0);
    else if (key_is(p, "runtime", "duration_micros"))
        p->node.duration_us = sax_double(v);
    else
        chakra_node_set(&p->node, p->key, sax_double(v));
    return true;
}

static bool json_flag(void *arg, bool value)
{
    struct json_parse *p = arg;

    if (in_node(p))
        chakra_node_set(&p->node, p->key, value);
    return true;
}

int chakra_json_read(const char *path, struct chakra_nodes *nodes,
                     struct err *err)
{
    static const struct sax_calls calls = {json_open, json_close,  json_key,
                                           json_text, json_number, json_flag};
    struct json_parse p = {.nodes = nodes, .node = chakra_node_new()};

    int result = sax_read(path, false, &calls, &p, &p.place, err);
    chakra_node_clear(&p.node);
    free(p.deps[0]);
    free(p.deps[1]);
    return result < 0 ? -1 : 0;
}
