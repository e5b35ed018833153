/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_file_words.h - declarations that the writer and the two files of the
 * reader of plan files share. */
#ifndef WORKLOADS_PLAN_FILE_WORDS_H
#define WORKLOADS_PLAN_FILE_WORDS_H

#include "sim/plan/plan.h"
#include "workloads/plan_file.h"
#include "workloads/text.h"

extern const char *const plan_file_phases[NPHASES];

/* --- plan_file_head.c ----------------------------------------------------- */

/* A double represents it exactly. */
#define PLAN_FILE_BYTES (UINT64_C(1) << 53)

struct plan_reader {
    struct text t;
    struct plan_file *f;
    uint32_t ranks, gpus;
};

/* Reads a number below `end`, or if `any` is set the word "any", which is
 * UINT64_MAX. Errors name it by the second argument. */
int plan_file_number(struct text *t, const char *what, uint64_t end, bool any,
                     uint64_t *out) MUST_CHECK;
int plan_file_small(struct text *t, const char *what, uint64_t end,
                    uint32_t *out) MUST_CHECK;
/* Reads one of the words, and returns its index, or -1. */
int plan_file_word(struct text *t, const char *what, const char *const *words,
                   int n) MUST_CHECK;
/* plan_file_line() goes to the next line, which must exist; plan_file_line_of()
 * to one that begins with `key`; plan_file_line_end() checks that the line
 * ends; plan_file_count() reads a line with a number from `from` to below
 * `end`. */
int plan_file_line(struct text *t, const char *key) MUST_CHECK;
int plan_file_line_of(struct text *t, const char *key) MUST_CHECK;
int plan_file_line_end(struct text *t) MUST_CHECK;
int plan_file_count(struct text *t, const char *key, uint64_t from,
                    uint64_t end, uint32_t *out) MUST_CHECK;
int plan_file_head(struct plan_reader *r) MUST_CHECK;
int plan_file_halo(struct plan_reader *r) MUST_CHECK;

#endif
