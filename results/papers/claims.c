/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks claims of the papers, by identifier, and reports their state. */
#include "results/papers/claims.h"

#include "base/csv.h"
#include "results/papers/claim_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const evidence_names[NEVIDENCES] = {
    "input", "fitted", "model", "predicted", "analysis", "construction"};

/* The claims that are simulated. */
static const struct claim {
    const char *id;
    claim_fn *check;
} simulated[] = {
    {"L01", claim_localities}, {"L02", claim_ppn},
    {"L03", claim_copies},     {"L04", claim_device_latency},
    {"L05", claim_injection},  {"L24", claim_summit},
    {"L25", claim_future},
};
enum { NSIMULATED = sizeof simulated / sizeof simulated[0] };

const struct claim_paper claim_papers[NCLAIM_PAPERS] = {
    {'L', "lockhart", "Lockhart et al. 2022", "results/claims/lockhart.csv"},
    {'A', "chen", "Chen et al. 2022 (Atos)", "results/claims/chen.csv"},
    {'F', "faraji", "Faraji and Afsahi 2018", "results/claims/faraji.csv"},
    {'K', "klenk", "Klenk et al. 2017", "results/claims/klenk.csv"},
    {'I', "dang", "Dang et al. 2018 (LCI)", "results/claims/dang.csv"},
};

/* --- reading -------------------------------------------------------------- */

static int read_texts(struct claim_result **claims, size_t *n,
                      const struct claim_paper *paper, struct err *err)
{
    struct csv t;
    int result = 0;

    if (csv_load_data(&t, paper->file, err) < 0)
        return -1;
    *claims = xrealloc(*claims, *n + t.nrows + 1, sizeof **claims);
    for (size_t row = 0; row < t.nrows && result == 0; row++) {
        const char *id = csv_text(&t, row, "id");
        const char *text = csv_text(&t, row, "claim");
        if (!id || *id != paper->letter || !text)
            result = fail(err, "%s:%u: expected a claim %c...", t.path,
                          t.lines[row], paper->letter);
        else
            (*claims)[(*n)++] =
                (struct claim_result){.id = xstrdup(id), .text = xstrdup(text)};
    }
    csv_clear(&t);
    return result;
}

int claims_read(struct claim_result **claims, size_t *n, struct err *err)
{
    *claims = NULL;
    *n = 0;
    for (size_t p = 0; p < NCLAIM_PAPERS; p++)
        if (read_texts(claims, n, &claim_papers[p], err) < 0) {
            claims_free(*claims, *n);
            return -1;
        }
    return 0;
}

/* --- choice of claims ----------------------------------------------------- */

static bool names(const char *word, const char *id)
{
    for (size_t p = 0; p < NCLAIM_PAPERS; p++)
        if (claim_papers[p].letter == id[0] &&
            !strcmp(word, claim_papers[p].name))
            return true;
    return !strcmp(word, id);
}

static int claims_unknown(const char *word, const struct claim_result *all,
                          size_t n, struct err *err)
{
    const char **known = xcalloc(NCLAIM_PAPERS + n, sizeof *known);
    char papers[120] = "";

    for (size_t p = 0; p < NCLAIM_PAPERS; p++) {
        size_t used = strlen(papers);
        known[p] = claim_papers[p].name;
        snprintf(papers + used, sizeof papers - used, ", %s", known[p]);
    }
    for (size_t i = 0; i < n; i++)
        known[NCLAIM_PAPERS + i] = all[i].id;
    const char *near = nearest_word(word, known, NCLAIM_PAPERS + n);
    free(known);
    if (near)
        return fail(err, "%s: unknown claim (did you mean %s?)", word, near);
    return fail(err, "%s: unknown claim; known: %s to %s%s", word, all[0].id,
                all[n - 1].id, papers);
}

/* Frees the claims that are not asked for, and moves the others together. */
static int choose(struct claim_result *all, size_t *n,
                  const struct claim_request *r, struct err *err)
{
    bool *wanted = xcalloc(*n + 1, sizeof *wanted);
    size_t kept = 0;
    int result = 0;

    for (size_t k = 0; k < r->nids && result == 0; k++) {
        bool any = false;
        for (size_t i = 0; i < *n; i++)
            if (names(r->ids[k], all[i].id))
                any = wanted[i] = true;
        if (!any)
            result = claims_unknown(r->ids[k], all, *n, err);
    }
    for (size_t i = 0; i < *n && result == 0 && r->nids; i++)
        if (wanted[i]) {
            struct claim_result one = all[i];
            all[i] = all[kept];
            all[kept++] = one;
        }
    if (r->nids && result == 0) {
        for (size_t i = kept; i < *n; i++) {
            free(all[i].id);
            free(all[i].text);
        }
        *n = kept;
    }
    free(wanted);
    return result;
}

/* --- checking ------------------------------------------------------------- */

static enum claim_status status_of(const struct verdict *v)
{
    if (v->parts > v->held + v->open)
        return NOT_REPRODUCED;
    if (v->not_run)
        return NOT_RUN;
    return v->open ? NOT_TESTABLE : REPRODUCED;
}

static int check_one(struct claim_result *r, claim_fn *check, struct lab *lab,
                     struct err *err)
{
    struct verdict v = {.id = r->id, .from = EVIDENCE_PREDICTED};

    if (check(lab, &v, err) < 0) {
        free(v.text);
        return fail_in(err, "%s", r->id);
    }
    r->status = status_of(&v);
    r->evidence = v.text ? v.text : xstrdup("");
    return 0;
}

static bool any_of(const struct claim_result *results, size_t n, char letter)
{
    for (size_t i = 0; i < n; i++)
        if (results[i].id[0] == letter)
            return true;
    return false;
}

/* Returns whether one of the claims first..last of a paper is asked for. */
static bool any_in(const struct claim_result *results, size_t n,
                   const char *first, const char *last)
{
    for (size_t i = 0; i < n; i++)
        if (results[i].id[0] == first[0] && strcmp(results[i].id, first) >= 0 &&
            strcmp(results[i].id, last) <= 0)
            return true;
    return false;
}

/* Adds the times that claims.py judges some claims by. */
static int add_times(struct json *doc, struct lab *lab,
                     const struct claim_result *results, size_t n,
                     struct err *err)
{
    if (any_in(results, n, "L08", "L17") && lab_add_grids(doc, lab, 0, err) < 0)
        return -1;
    if (any_in(results, n, "L16", "L16") &&
        lab_add_grids(doc, lab, 0.25, err) < 0)
        return -1;
    if ((any_in(results, n, "L06", "L07") ||
         any_in(results, n, "L18", "L23")) &&
        lab_add_products(doc, lab, err) < 0)
        return -1;
    return 0;
}

/* Simulates; if `doc` is not NULL, also the times for claims without a function
 * here. */
static int check_all(struct claim_result *results, size_t n,
                     const struct claim_request *r, struct json *doc,
                     struct err *err)
{
    struct lab *lab = xcalloc(1, sizeof *lab);
    int result = 0;

    lab->sets = r->sets;
    lab->nsets = r->nsets;
    if (any_of(results, n, 'L'))
        result = lab_machines(lab, err);
    for (size_t i = 0; i < n && result == 0; i++)
        for (size_t k = 0; k < NSIMULATED && result == 0; k++)
            if (!strcmp(simulated[k].id, results[i].id))
                result = check_one(&results[i], simulated[k].check, lab, err);
    if (result == 0 && doc)
        result = add_times(doc, lab, results, n, err);
    lab_close(lab);
    free(lab);
    return result;
}

/* Reads the claims that are asked for. */
static int read_chosen(struct claim_result **claims, size_t *n,
                       const struct claim_request *request, struct err *err)
{
    if (claims_read(claims, n, err) < 0)
        return -1;
    if (choose(*claims, n, request, err) < 0) {
        claims_free(*claims, *n);
        return -1;
    }
    return 0;
}

int claims_check(struct claim_result **results, size_t *n,
                 const struct claim_request *request, struct err *err)
{
    if (read_chosen(results, n, request, err) < 0)
        return -1;
    if (check_all(*results, *n, request, NULL, err) < 0) {
        claims_free(*results, *n);
        return -1;
    }
    return 0;
}

void claims_free(struct claim_result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(results[i].id);
        free(results[i].text);
        free(results[i].evidence);
    }
    free(results);
}

/* --- for claims.py -------------------------------------------------------- */

static void add_papers(struct json *doc)
{
    struct json *list = json_new_array();

    for (size_t p = 0; p < NCLAIM_PAPERS; p++) {
        struct json *o = json_new_object();
        char letter[] = {claim_papers[p].letter, 0};
        json_add_string(o, "letter", letter);
        json_add_string(o, "title", claim_papers[p].title);
        json_append(list, o);
    }
    json_add(doc, "papers", list);
}

static void add_sets(struct json *doc, const struct claim_request *request)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < request->nsets; i++)
        json_append(list, json_new_string(request->sets[i]));
    json_add(doc, "sets", list);
}

static void add_claims(struct json *doc, const struct claim_result *r, size_t n)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "id", r[i].id);
        json_add_string(o, "claim", r[i].text);
        if (r[i].evidence)
            json_add_string(o, "evidence", r[i].evidence);
        json_append(list, o);
    }
    json_add(doc, "claims", list);
}

int claims_add_to(struct json *doc, const struct claim_request *request,
                  struct err *err)
{
    struct claim_result *claims;
    size_t n;

    if (read_chosen(&claims, &n, request, err) < 0)
        return -1;
    add_papers(doc);
    add_sets(doc, request);
    int result = 0;
    if (request->cells)
        json_add_string(doc, "cells_file", request->cells);
    if (result == 0)
        result = check_all(claims, n, request, doc, err);
    if (result == 0)
        add_claims(doc, claims, n);
    claims_free(claims, n);
    return result;
}
