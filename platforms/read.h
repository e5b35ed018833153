/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.h - the parts of the reader of machines, one file each. Each part fills
 * its part of the machine; errors start with the place in the document, as in
 * "node.wires[3].ends[1]: expected ...". */
#ifndef PLATFORMS_READ_H
#define PLATFORMS_READ_H

#include "base/json.h"
#include "platforms/machine.h"

int read_head(struct machine *m, const struct json *doc,
              struct err *err) MUST_CHECK;
int read_graph(struct machine *m, const struct json *graph,
               struct err *err) MUST_CHECK;
int read_node(struct machine *m, const struct json *node,
              struct err *err) MUST_CHECK;
/*
 * Returns the devices and wires of a node with `n` NICs instead of those that
 * are there: fewer are taken evenly from them, more are copies of them, each
 * with wires like its model's. json_free() frees both arrays.
 */
int read_nics(const struct json *devices, const struct json *wires, unsigned n,
              struct json **more_devices, struct json **more_wires,
              struct err *err) MUST_CHECK;
int read_network(struct machine *m, const struct json *network,
                 struct err *err) MUST_CHECK;
int read_runtimes(struct machine *m, const struct json *runtimes,
                  struct err *err) MUST_CHECK;
int read_messages(struct machine *m, const struct json *messages,
                  struct err *err) MUST_CHECK;
/* Reads the tables of a runtime by path, and ignores other keys. */
int read_message_paths(struct machine *m, enum runtime by,
                       const struct json *paths, struct err *err) MUST_CHECK;
int read_copies(struct machine *m, const struct json *copies,
                struct err *err) MUST_CHECK;
int read_gpu(struct machine *m, const struct json *gpu,
             struct err *err) MUST_CHECK;
/* Reads gpu.calls. The launch and the wait of the GPU and gpu.access are read
 * before, because calls that are not given have their times. */
int read_gpu_calls(struct gpu_model *g, const struct json *gpu,
                   struct err *err) MUST_CHECK;
int read_nccl_model(struct machine *m, const struct json *nccl,
                    struct err *err) MUST_CHECK;
/* Reads nccl.settings; nccl_settings_apply() then changes the machine's numbers
 * by those that are not asked for later. */
int read_nccl_settings(struct nccl_settings *s, const struct json *settings,
                       struct err *err) MUST_CHECK;
int nccl_settings_apply(struct machine *m, struct err *err) MUST_CHECK;
int read_measured(struct machine *m, const struct json *measured,
                  struct err *err) MUST_CHECK;
int read_libraries(struct machine *m, const struct json *libraries,
                   struct err *err) MUST_CHECK;

/* Checks the whole machine: routes, NICs, tables that it needs. */
int check_machine(const struct machine *m, struct err *err) MUST_CHECK;

/* Puts a place before an error that starts with a place: "wires[3]" before
 * "ends[1]: ..." gives "wires[3].ends[1]: ...". Returns -1. */
int fail_at_place(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Read a value into *out, times the unit of its key, such as 1e9 of GBps. More
 * than 1e12 of the unit is refused, because a sum of them might overflow
 * later. */
int read_positive(const struct json *o, const char *key, double unit,
                  double *out, struct err *err) MUST_CHECK;
int read_not_negative(const struct json *o, const char *key, double unit,
                      double *out, struct err *err) MUST_CHECK;
/* Reads a cost. If it is given as 0, which asks for the effect if it vanished,
 * it is the least number above 0, which changes no sum, because 0 stands for
 * one that is not given. */
int read_cost(const struct json *o, const char *key, double unit, double *out,
              struct err *err) MUST_CHECK;
int read_unsigned(const struct json *o, const char *key, unsigned least,
                  unsigned most, unsigned *out, struct err *err) MUST_CHECK;
/* Reads a text that is not empty; the caller owns it. */
int read_text(const struct json *o, const char *key, char **out,
              struct err *err) MUST_CHECK;
/* Reads one of n names, and returns its number in *out. */
int read_name(const struct json *o, const char *key, const char *const *names,
              size_t n, unsigned *out, struct err *err) MUST_CHECK;
/* Reads an element of an array, which is an object. */
int read_element(const struct json *array, const char *key, size_t i,
                 const struct json **out, struct err *err) MUST_CHECK;
/* Finds the number of a device by its id. */
int find_device(const struct machine *m, const char *key, const char *id,
                int kind, unsigned *out, struct err *err) MUST_CHECK;
#define ANY_KIND (-1)

#endif
