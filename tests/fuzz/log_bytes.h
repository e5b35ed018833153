/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_bytes.h - any bytes as a log of one format: it is refused in one line, or
 * gives rows that each have a time, a size and a run, and a table of them. */
#ifndef TESTS_FUZZ_LOG_BYTES_H
#define TESTS_FUZZ_LOG_BYTES_H

#include "base/printable.h"
#include "tests/fuzz/memory_file.h"
#include "validate/logs/log.h"

#include <math.h>
#include <string.h>

static inline void fuzz_log_check(const struct log *l)
{
    struct csv t;

    if (!l->nrows || !l->nruns)
        abort();
    for (size_t i = 0; i < l->nrows; i++) {
        const struct log_row *r = &l->rows[i];
        if (!(r->time_s > 0) || isinf(r->time_s) || r->run >= l->nruns ||
            !r->line || !*r->operation || printable_fault(r->operation) ||
            printable_fault(r->algorithm) || r->bytes >= (uint64_t)1 << 50)
            abort();
    }
    for (size_t i = 0; i < l->nruns; i++)
        if (l->runs[i].ranks > 1000000 || l->runs[i].nodes > 1000000 ||
            printable_fault(l->runs[i].gpu) ||
            printable_fault(l->runs[i].library))
            abort();
    log_table(&t, l);
    if (t.nrows != l->nrows)
        abort();
    csv_clear(&t);
}

static inline void fuzz_log(const struct log_format *format,
                            const uint8_t *data, size_t size)
{
    const struct log_facts facts = {.ranks = 4, .nodes = 2};
    struct memory_file f;

    memory_file_open(&f, data, size);
    for (int known = 0; known < 2; known++) {
        struct log l;
        struct err err = {0};
        if (log_load_as(&l, f.path, format, known ? &facts : NULL, &err) == 0) {
            fuzz_log_check(&l);
            log_clear(&l);
        } else if (!err.text[0] || strchr(err.text, '\n') || l.rows) {
            abort();
        }
    }
    memory_file_close(&f);
}

#endif
