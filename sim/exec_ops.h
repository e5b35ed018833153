/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_ops.h - one plan in one engine: what sim/exec.c does in its child. */
#ifndef SIM_EXEC_OPS_H
#define SIM_EXEC_OPS_H

#include "sim/exec.h"

/* Where the results go, an entry for each operation. */
struct exec_out {
    struct op_times *ops;   /* counted from the engine's now */
    struct op_waits *waits; /* all 0 before; NULL: not wanted */
    /* Who a send or receive was matched with. NULL: the plan has none. */
    uint32_t *partner;
};

int exec_ops(const struct exec_out *out, struct engine *e,
             const struct machine *m, const struct plan *p,
             struct err *err) MUST_CHECK;

#endif
