/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as results of the native harness: they are refused in one line, or
 * give cases whose scores are right for a simulator that is never wrong. */
#include "tests/fuzz/memory_file.h"
#include "validate/measure/native_results.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_case(struct native_case *c)
{
    if (!c->n || !c->machine[0] || !c->workload[0] || !c->gpus || !c->nodes)
        abort();
    for (size_t i = 0; i < c->n; i++) {
        struct native_time *t = &c->times[i];
        if (!(t->native_s > 0) || !t->nsamples || !t->strategy ||
            (t->nsamples > 1) != (t->noise_s >= 0))
            abort();
        t->simulated_s = t->native_s;
    }
    if (native_fastest(c) != native_predicted(c))
        abort();
}

static void check(struct native_results *r)
{
    size_t n;

    for (size_t i = 0; i < r->n; i++) {
        check_case(&r->cases[i]);
        for (size_t k = 0; k < i; k++)
            if (native_same_place(&r->cases[i], &r->cases[k]) &&
                r->cases[i].value_bytes == r->cases[k].value_bytes)
                abort();
    }
    struct native_score s = native_score(r, NULL);
    if (s.right != s.cases || s.clear_right != s.clear ||
        s.pairs_right != s.pairs || (s.cases && s.worst_regret != 0))
        abort();
    struct error_summary *e = native_summary(r, &n);
    for (size_t i = 0; i < n; i++)
        if (e[i].median != 0)
            abort();
    free(e);
}

static int load(struct native_results *r, const char *const *paths, size_t n)
{
    struct err err = {0};
    int result = native_load(r, paths, n, &err);

    if (result < 0 && (!err.text[0] || strchr(err.text, '\n') || r->cases))
        abort();
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct native_results r, twice;

    memory_file_open(&f, data, size);
    const char *const paths[] = {f.path, f.path};
    if (load(&r, paths, 1) == 0) {
        check(&r);
        native_clear(&r);
        /* The samples of a file are no new ones if it is there twice. */
        if (load(&twice, paths, 2) == 0)
            abort();
    }
    memory_file_close(&f);
    return 0;
}
