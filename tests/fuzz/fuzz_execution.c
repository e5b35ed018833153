/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as an execution's preset: it is read or refused. The bytes after a
 * 0 byte are a --set.
 */
#include "apps/agents/execution.h"
#include "tests/fuzz/memory_file.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_counts(const struct work_counts *w)
{
    const struct counts *all[] = {&w->arc,        &w->remote_arc, &w->visit,
                                  &w->dense,      &w->look,       &w->pull_arc,
                                  &w->pull_vertex};

    if (!(w->value_B >= 0.125 && w->value_B <= SECTOR_B) || !(w->chain >= 0))
        abort();
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!(all[i]->stream_B >= 0 && all[i]->reads >= 0 &&
              all[i]->atomics >= 0 && all[i]->float_atomics >= 0 &&
              all[i]->queue_atomics >= 0 && isfinite(all[i]->stream_B)))
            abort();
}

static void check(const struct execution *x)
{
    const double times[] = {x->poll_s, x->visit_s, x->round_s};

    if (!x->name || !x->about || !x->source || x->worker_threads > 1024 ||
        x->update_B < 4 || x->update_B > 1024 || !x->fetch)
        abort();
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (!(times[i] >= 0 && isfinite(times[i])))
            abort();
    for (int a = 0; a < NALGORITHMS; a++)
        check_counts(&x->work[a]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xmalloc(size + 1);
    struct memory_file f;
    struct execution x;
    struct err err = {0};

    memcpy(text, data, size);
    text[size] = 0;
    size_t len = strlen(text);
    const char *set = text + len + 1;
    memory_file_open(&f, text, len);
    if (execution_load(&x, f.path, &set, len < size, &err) == 0) {
        check(&x);
        execution_clear(&x);
    } else if (!err.text[0] || x.name) {
        abort();
    }
    memory_file_close(&f);
    free(text);
    return 0;
}
