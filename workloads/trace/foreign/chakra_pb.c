/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the messages of a Chakra file by protobuf-c. Each comes after its
 * length, which is a varint of protocol buffers. */
#include "workloads/trace/foreign/chakra.h"

#include "chakra.pb-c.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct chakra_node chakra_node_new(void)
{
    return (struct chakra_node){.comm_type = CHAKRA_NOT_SAID,
                                .comm_size = CHAKRA_NOT_SAID,
                                .comm_src = CHAKRA_NOT_SAID,
                                .comm_dst = CHAKRA_NOT_SAID,
                                .comm_tag = CHAKRA_NOT_SAID,
                                .root = CHAKRA_NOT_SAID};
}

void chakra_node_clear(struct chakra_node *n)
{
    free(n->name);
    free(n->group);
    free(n->deps);
    *n = chakra_node_new();
}

void chakra_nodes_clear(struct chakra_nodes *all)
{
    for (; all->at < all->n; all->at++)
        chakra_node_clear(&all->nodes[all->at]);
    free(all->nodes);
    *all = (struct chakra_nodes){0};
}

/* --- attributes ----------------------------------------------------------- */

/* NOT_ALL: a list of flags; the field is set if one of them is not set. */
enum chakra_kind { WHOLE, REAL, FLAG, TEXT, NOT_ALL };

#define FIELD(field) offsetof(struct chakra_node, field)

/* The attributes that are read, and the field that each sets. */
static const struct chakra_attribute {
    const char *name;
    enum chakra_kind kind;
    size_t field;
} attributes[] = {
    {"comm_type", WHOLE, FIELD(comm_type)},
    {"comm_size", WHOLE, FIELD(comm_size)},
    {"comm_src", WHOLE, FIELD(comm_src)},
    {"comm_dst", WHOLE, FIELD(comm_dst)},
    {"comm_tag", WHOLE, FIELD(comm_tag)},
    {"root", WHOLE, FIELD(root)},
    {"root_rank", WHOLE, FIELD(root)},
    {"comm_root", WHOLE, FIELD(root)},
    {"num_ops", REAL, FIELD(num_ops)},
    {"is_cpu_op", FLAG, FIELD(is_cpu_op)},
    {"pg_name", TEXT, FIELD(group)},
    {"comm_group", TEXT, FIELD(group)},
    {"involved_dim", NOT_ALL, FIELD(some_dims)},
};

/* Returns NULL if the attribute is not read. */
static const struct chakra_attribute *attribute_named(const char *name)
{
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (!strcmp(name, attributes[i].name))
            return &attributes[i];
    return NULL;
}

static void *field_of(struct chakra_node *n, const struct chakra_attribute *a)
{
    return (char *)n + a->field;
}

static void set_number(struct chakra_node *n, const struct chakra_attribute *a,
                       double value)
{
    if (a->kind == WHOLE)
        *(int64_t *)field_of(n, a) =
            fabs(value) < 0x1p62 ? (int64_t)value : INT64_MAX;
    else if (a->kind == REAL)
        *(double *)field_of(n, a) = value;
    else if (a->kind == FLAG)
        *(bool *)field_of(n, a) = value != 0;
}

void chakra_node_set(struct chakra_node *n, const char *name, double value)
{
    const struct chakra_attribute *a = attribute_named(name);

    if (a)
        set_number(n, a, value);
}

char **chakra_node_text(struct chakra_node *n, const char *name)
{
    const struct chakra_attribute *a = attribute_named(name);

    return a && a->kind == TEXT ? field_of(n, a) : NULL;
}

/* --- numbers -------------------------------------------------------------- */

/* Reads a varint at `at`, and moves `at` after it. */
static bool pb_number(const char **at, const char *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = (uint8_t) * (*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool pb_value(const ChakraAttribute *a, double *value)
{
    if (a->has_int64_val)
        *value = (double)a->int64_val;
    else if (a->has_int32_val)
        *value = a->int32_val;
    else if (a->has_uint64_val)
        *value = (double)a->uint64_val;
    else if (a->has_uint32_val)
        *value = a->uint32_val;
    else if (a->has_bool_val)
        *value = a->bool_val;
    else if (a->has_sint64_val)
        *value = (double)a->sint64_val;
    else if (a->has_sint32_val)
        *value = a->sint32_val;
    else if (a->has_fixed64_val)
        *value = (double)a->fixed64_val;
    else if (a->has_fixed32_val)
        *value = a->fixed32_val;
    else if (a->has_sfixed64_val)
        *value = (double)a->sfixed64_val;
    else if (a->has_sfixed32_val)
        *value = a->sfixed32_val;
    else if (a->has_double_val)
        *value = a->double_val;
    else if (a->has_float_val)
        *value = a->float_val;
    else
        return false;
    return true;
}

/* --- nodes ---------------------------------------------------------------- */

static void pb_attribute(struct chakra_node *n, const ChakraAttribute *from)
{
    const struct chakra_attribute *a =
        from->name ? attribute_named(from->name) : NULL;
    double value;

    if (!a)
        return;
    if (pb_value(from, &value))
        set_number(n, a, value);
    if (a->kind == TEXT && from->string_val && *from->string_val) {
        char **text = field_of(n, a);
        if (!*text)
            *text = xstrdup(from->string_val);
    }
    if (a->kind == NOT_ALL && from->bool_list)
        for (size_t i = 0; i < from->bool_list->n_values; i++)
            *(bool *)field_of(n, a) |= !from->bool_list->values[i];
}

static void pb_node(struct chakra_node *n, const ChakraNode *from)
{
    n->id = from->id;
    n->type = from->type;
    n->name = xstrdup(from->name ? from->name : "");
    n->duration_us = (double)from->duration_micros;
    n->ndata = from->n_data_deps;
    n->nctrl = from->n_ctrl_deps;
    n->deps = xcalloc(n->ndata + n->nctrl + 1, sizeof *n->deps);
    if (n->ndata)
        memcpy(n->deps, from->data_deps, n->ndata * sizeof *n->deps);
    if (n->nctrl)
        memcpy(n->deps + n->ndata, from->ctrl_deps, n->nctrl * sizeof *n->deps);
    for (size_t i = 0; i < from->n_attr; i++)
        pb_attribute(n, from->attr[i]);
}

/* Allocates memory for protobuf-c. Without this, protobuf-c would report a node
 * for which memory is missing as one that is not of the schema. */
static void *pb_take(void *none, size_t bytes)
{
    (void)none;
    return xmalloc(bytes);
}

static void pb_give(void *none, void *block)
{
    (void)none;
    free(block);
}

int chakra_pb_next(struct input *in, struct chakra_node *n, struct err *err)
{
    ProtobufCAllocator memory = {.alloc = pb_take, .free = pb_give};
    uint64_t bytes;

    chakra_node_clear(n);
    n->place = (uint64_t)(in->at - in->begin);
    if (in->at == in->end)
        return 0;
    bool first = in->at == in->begin;
    if (!pb_number(&in->at, in->end, &bytes))
        return fail(err, "expected the length of a node");
    if (bytes > (uint64_t)(in->end - in->at))
        return fail(err, "a node of %llu B, of which %llu are there",
                    (unsigned long long)bytes,
                    (unsigned long long)(in->end - in->at));
    ChakraNode *from =
        chakra_node__unpack(&memory, (size_t)bytes, (const uint8_t *)in->at);
    in->at += bytes;
    input_pass(in);
    /* The first message is not a node but has the schema's version. */
    if (first && !(from && from->has_type)) {
        if (from)
            chakra_node__free_unpacked(from, &memory);
        return chakra_pb_next(in, n, err);
    }
    if (!from)
        return fail(err, "not a node of the Chakra schema");
    pb_node(n, from);
    chakra_node__free_unpacked(from, &memory);
    return 1;
}
