/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chakra.h - the nodes of a Chakra execution trace, as its files of protocol
 * buffers or of JSON give them. */
#ifndef WORKLOADS_TRACE_FOREIGN_CHAKRA_H
#define WORKLOADS_TRACE_FOREIGN_CHAKRA_H

#include "workloads/trace/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The schema's numbers. */
enum chakra_type {
    CHAKRA_INVALID,
    CHAKRA_METADATA,
    CHAKRA_MEM_LOAD,
    CHAKRA_MEM_STORE,
    CHAKRA_COMP,
    CHAKRA_SEND,
    CHAKRA_RECV,
    CHAKRA_COLL
};

#define CHAKRA_NOT_SAID INT64_MIN

struct chakra_node {
    uint64_t id, place;
    char *name, *group; /* of processes; NULL: of all */
    int64_t type;       /* enum chakra_type */
    uint64_t *deps;     /* on data, then on control */
    size_t ndata, nctrl;
    double duration_us, num_ops;
    int64_t comm_type, comm_size, comm_src, comm_dst, comm_tag, root;
    bool is_cpu_op, some_dims; /* some_dims: not of all the network's */
};

struct chakra_node chakra_node_new(void);
void chakra_node_clear(struct chakra_node *n);

/* Sets what the attribute of this name, or JSON's key, stands for; unknown ones
 * are passed over. */
void chakra_node_set(struct chakra_node *n, const char *name, double value);
/* Returns where the text of the attribute is to be put, which the node frees;
 * NULL if its text is of no use. */
char **chakra_node_text(struct chakra_node *n, const char *name);

/* All nodes of a file. */
struct chakra_nodes {
    struct chakra_node *nodes; /* from `at` on they are to be given */
    size_t n, at, room;
};
void chakra_nodes_clear(struct chakra_nodes *all);
int chakra_json_read(const char *path, struct chakra_nodes *nodes,
                     struct err *err) MUST_CHECK;

/* Reads the next node at in->at: 1, at the end 0, or -1 and an error without
 * the place, which n->place has then. */
int chakra_pb_next(struct input *in, struct chakra_node *n,
                   struct err *err) MUST_CHECK;

#endif
