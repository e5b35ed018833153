/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chakra.h - the nodes of a Chakra execution trace, which are read from its
 * files of protocol buffers or of JSON. */
#ifndef WORKLOADS_TRACE_FOREIGN_CHAKRA_H
#define WORKLOADS_TRACE_FOREIGN_CHAKRA_H

#include "workloads/trace/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types of nodes, with the schema's numbers. */
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
    char *name, *group; /* group of processes; NULL for all */
    int64_t type;       /* enum chakra_type */
    /* Ndata data dependencies, then nctrl control dependencies. */
    uint64_t *deps;
    size_t ndata, nctrl;
    double duration_us, num_ops;
    int64_t comm_type, comm_size, comm_src, comm_dst, comm_tag, root;
    /* some_dims: only some dimensions of the network take part. */
    bool is_cpu_op, some_dims;
};

/* Returns a node without name, group and dependencies; numbers are
 * CHAKRA_NOT_SAID. */
struct chakra_node chakra_node_new(void);
/* Frees the contents of a node, which is then new. */
void chakra_node_clear(struct chakra_node *n);

/* Sets the field of an attribute, or of a key of JSON; unknown ones are
 * ignored. */
void chakra_node_set(struct chakra_node *n, const char *name, double value);
/* Returns the place for the text of an attribute, which the node frees; NULL if
 * its text is not needed. */
char **chakra_node_text(struct chakra_node *n, const char *name);

/* All nodes of a file in JSON. */
struct chakra_nodes {
    struct chakra_node *nodes; /* nodes from `at` on are not returned yet */
    size_t n, at, room;
};
void chakra_nodes_clear(struct chakra_nodes *all);
/* Reads all nodes of a file; they must be cleared even after an error. */
int chakra_json_read(const char *path, struct chakra_nodes *nodes,
                     struct err *err) MUST_CHECK;

/* Reads the next node at in->at. Returns 1, 0 at the end, or -1 and an error
 * without the position in the file, which is in n->place. */
int chakra_pb_next(struct input *in, struct chakra_node *n,
                   struct err *err) MUST_CHECK;

#endif
