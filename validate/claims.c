/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/claims.h"

#include "sim/csv.h"
#include "sim/house.h"
#include "validate/claim_lab.h"

#include <stdlib.h>
#include <string.h>

const char *const claim_status_names[NSTATUSES] = {
    "reproduced", "not reproduced", "not testable"};

static const struct claim {
    const char *id;
    claim_fn *check;
} claims[] = {
    {"L01", claim_localities},    {"L02", claim_ppn},
    {"L03", claim_copies},        {"L04", claim_device_latency},
    {"L05", claim_injection},     {"L06", claim_model_picks},
    {"L07", claim_model_factor},  {"L08", claim_32_few},
    {"L09", claim_32_many},       {"L10", claim_32_large},
    {"L11", claim_256_staged},    {"L12", claim_256_few},
    {"L13", claim_256_many},      {"L14", claim_256_large},
    {"L15", claim_best_case},     {"L16", claim_duplicates},
    {"L17", claim_device_volume}, {"L18", claim_staged_faster},
    {"L19", claim_device_steps},  {"L20", claim_gap},
    {"L21", claim_dd_slower},     {"L22", claim_md_fastest},
    {"L23", claim_standard_best}, {"L24", claim_summit},
    {"L25", claim_future},
};
enum { NCLAIMS = sizeof claims / sizeof claims[0] };

const char *claims_id(size_t i)
{
    return i < NCLAIMS ? claims[i].id : NULL;
}

/* --- which -------------------------------------------------------------- */

static int find(size_t *found, const char *id, struct err *err)
{
    const char *names[NCLAIMS];

    for (size_t i = 0; i < NCLAIMS; i++) {
        names[i] = claims[i].id;
        *found = i;
        if (!strcmp(id, claims[i].id))
            return 0;
    }
    const char *near = nearest_word(id, names, NCLAIMS);
    if (near)
        return fail(err, "%s: unknown claim (did you mean %s?)", id, near);
    return fail(err, "%s: unknown claim; known: %s to %s", id, names[0],
                names[NCLAIMS - 1]);
}

static int choose(bool wanted[NCLAIMS], const char *const *ids, size_t nids,
                  struct err *err)
{
    for (size_t i = 0; i < NCLAIMS; i++)
        wanted[i] = nids == 0;
    for (size_t i = 0; i < nids; i++) {
        size_t at;
        if (find(&at, ids[i], err) < 0)
            return -1;
        wanted[at] = true;
    }
    return 0;
}

/* --- checking ----------------------------------------------------------- */

static enum claim_status status_of(const struct verdict *v)
{
    if (v->untestable)
        return NOT_TESTABLE;
    return v->parts > 0 && v->held == v->parts ? REPRODUCED : NOT_REPRODUCED;
}

static int check_one(struct claim_result *r, const struct claim *claim,
                     struct lab *lab, struct err *err)
{
    struct verdict v = {0};

    if (claim->check(lab, &v, err) < 0) {
        free(v.text);
        return fail_in(err, "%s", claim->id);
    }
    r->status = status_of(&v);
    r->parts = (unsigned)v.parts;
    r->held = (unsigned)v.held;
    r->evidence = v.text ? v.text : xstrdup("");
    return 0;
}

static int check_wanted(struct claim_result *results,
                        const bool wanted[NCLAIMS], const char *const *sets,
                        size_t nsets, struct err *err)
{
    struct lab *lab = xcalloc(1, sizeof *lab);
    int result = lab_open(lab, sets, nsets, err);

    for (size_t i = 0; i < NCLAIMS && result == 0; i++)
        if (wanted[i])
            result = check_one(&results[i], &claims[i], lab, err);
    lab_close(lab);
    free(lab);
    return result;
}

/* --- all of them -------------------------------------------------------- */

static int read_texts(struct claim_result *results, struct err *err)
{
    char *path = house_file("results/claims/lockhart.csv", err);
    struct csv t;

    if (!path)
        return -1;
    int result = csv_load(&t, path, err);
    free(path);
    if (result < 0)
        return -1;
    for (size_t row = 0; row < t.nrows; row++) {
        const char *id = csv_text(&t, row, "id");
        const char *text = csv_text(&t, row, "claim");
        for (size_t i = 0; i < NCLAIMS && id && text; i++)
            if (!strcmp(id, results[i].id) && !results[i].text)
                results[i].text = xstrdup(text);
    }
    for (size_t i = 0; i < NCLAIMS && result == 0; i++)
        if (!results[i].text)
            result = fail(err, "%s: has no claim %s", t.path, results[i].id);
    csv_clear(&t);
    return result;
}

int claims_check(struct claim_result **results, size_t *n,
                 const char *const *ids, size_t nids, const char *const *sets,
                 size_t nsets, struct err *err)
{
    bool wanted[NCLAIMS];

    if (choose(wanted, ids, nids, err) < 0)
        return -1;
    struct claim_result *all = xcalloc(NCLAIMS, sizeof *all);
    for (size_t i = 0; i < NCLAIMS; i++)
        all[i].id = claims[i].id;
    if (read_texts(all, err) < 0 ||
        check_wanted(all, wanted, sets, nsets, err) < 0) {
        claims_free(all, NCLAIMS);
        return -1;
    }
    *n = 0;
    for (size_t i = 0; i < NCLAIMS; i++) {
        if (wanted[i])
            all[(*n)++] = all[i];
        else
            free(all[i].text);
    }
    *results = all;
    return 0;
}

void claims_free(struct claim_result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(results[i].text);
        free(results[i].evidence);
    }
    free(results);
}
