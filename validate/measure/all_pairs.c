/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The median pair of a class of pairs, over all pairs of two full nodes. */
#include "validate/measure/benchmark.h"
#include "validate/measure/ping_pong.h"

#include <stdio.h>
#include <string.h>

/* Reads the median pair of a class of pairs, over all pairs of two full
 * nodes. */
static int all_pairs_row(struct measured_point *out, struct row *r,
                         struct err *err)
{
    const struct machine *m = r->m;
    const struct csv *t = r->t;
    struct experiment *x = &out->x;
    const char *class = csv_text(t, r->row, "pair_class");

    if (cell_device(t, r->row, &x->gpu, err) < 0 ||
        csv_count(t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    if (!strcmp(class, "on_socket_shared_L2"))
        x->core[1] = 1;
    else if (!strcmp(class, "on_socket_other"))
        x->core[1] = machine_socket(m, 0)->cores - 1;
    else if (!strcmp(class, "on_node"))
        x->core[1] = machine_socket_core(m, m->nsockets - 1);
    else if (!strcmp(class, "off_node"))
        x->two_nodes = true;
    else
        return leave_out(r, "pair class unknown: %s", class);
    snprintf(out->group, sizeof out->group, "all_pairs/%s/%s",
             x->gpu ? "gpu" : "cpu", class);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    return 0;
}

const struct benchmark all_pairs_benchmark = {
    .file = {.name = "all_pairs",
             .columns = {"pair_class"},
             .time = "time_median_s",
             .read = all_pairs_row,
             .simulated = "device pair_class bytes pairs"},
    .plan = ping_pong_plan,
    .by_size = true,
};
