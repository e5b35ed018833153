/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as messages in rounds: they are refused in one line, or are in
 * order of their rounds, and a plan has them all. */
#include "platforms/platform.h"
#include "sim/plan/plan_check.h"
#include "tests/fuzz/memory_file.h"
#include "workloads/exchange.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct machine *machine(void)
{
    static struct machine m;
    struct err err;

    if (!m.name && platform_load(&m, "lassen", NULL, 0, &err) < 0)
        abort();
    return &m;
}

static void check_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

static void check(const struct exchange *x)
{
    struct plan p;
    struct err err = {0};
    size_t n = 0;

    for (size_t i = 0; i < x->nmsgs; i++) {
        const struct exchange_msg *m = &x->msgs[i];
        if (m->src >= x->ranks || m->dst >= x->ranks || m->round >= x->rounds ||
            (i > 0 && m->round < x->msgs[i - 1].round))
            abort();
    }
    if (exchange_to_plan(&p, machine(), x, &err) < 0) {
        check_error(&err);
        return;
    }
    for (size_t i = 0; i < p.nops; i++)
        if (p.ops[i].kind == OP_MSG) {
            const struct exchange_msg *m = &x->msgs[n++];
            if (p.ops[i].src != m->src || p.ops[i].dst != m->dst ||
                p.ops[i].bytes != m->bytes)
                abort();
        }
    if (n != x->nmsgs || plan_check(&p, machine(), &err) < 0)
        abort();
    plan_clear(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct exchange x;
    struct err err = {0};

    memory_file_open(&f, data, size);
    if (exchange_read(&x, f.path, &err) == 0) {
        check(&x);
        exchange_clear(&x);
    } else {
        check_error(&err);
    }
    memory_file_close(&f);
    return 0;
}
