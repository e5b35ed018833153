/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks claims of the papers, by identifier, and reports their state. */
#include "results/papers/claims.h"

#include "base/csv.h"
#include "results/papers/claim_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const claim_status_names[NSTATUSES] = {
    "reproduced", "not reproduced", "not run", "not testable"};

const char *const evidence_names[NEVIDENCES] = {
    "input", "fitted", "model", "predicted", "analysis", "construction"};

static const struct claim {
    const char *id;
    claim_fn *check;
} claims[] = {
    {"L01", claim_localities},      {"L02", claim_ppn},
    {"L03", claim_copies},          {"L04", claim_device_latency},
    {"L05", claim_injection},       {"L06", claim_model_picks},
    {"L07", claim_model_factor},    {"L08", claim_32_few},
    {"L09", claim_32_many},         {"L10", claim_32_large},
    {"L11", claim_256_staged},      {"L12", claim_256_few},
    {"L13", claim_256_many},        {"L14", claim_256_large},
    {"L15", claim_best_case},       {"L16", claim_duplicates},
    {"L17", claim_device_volume},   {"L18", claim_staged_faster},
    {"L19", claim_device_steps},    {"L20", claim_gap},
    {"L21", claim_dd_slower},       {"L22", claim_md_fastest},
    {"L23", claim_standard_best},   {"L24", claim_summit},
    {"L25", claim_future},          {"A01", claim_on_cells},
    {"A02", claim_on_cells},        {"A03", claim_on_cells},
    {"A04", claim_on_cells},        {"A05", claim_on_cells},
    {"A06", claim_on_cells},        {"A07", claim_on_cells},
    {"A08", claim_on_cells},        {"A09", claim_on_cells},
    {"A10", claim_on_cells},        {"A11", claim_on_cells},
    {"A12", claim_on_cells},        {"A13", claim_on_cells},
    {"A14", claim_on_cells},        {"A15", claim_on_cells},
    {"A16", claim_on_cells},        {"A17", claim_on_cells},
    {"A18", claim_on_cells},        {"A19", claim_on_cells},
    {"A20", claim_on_cells},        {"A21", claim_on_cells},
    {"A22", claim_on_cells},        {"A23", claim_on_cells},
    {"A24", claim_on_cells},        {"A25", claim_on_cells},
    {"A26", claim_on_cells},        {"A27", claim_on_cells},
    {"A28", claim_on_cells},        {"A29", claim_on_cells},
    {"A30", claim_on_cells},        {"A31", claim_on_cells},
    {"A32", claim_on_cells},        {"A33", claim_on_cells},
    {"A34", claim_on_cells},        {"A35", claim_on_cells},
    {"A36", claim_on_cells},        {"A37", claim_on_cells},
    {"A38", claim_on_cells},        {"A39", claim_on_cells},
    {"A40", claim_on_cells},        {"A41", claim_on_cells},
    {"A42", claim_on_cells},        {"A43", claim_on_cells},
    {"A44", claim_on_cells},        {"A45", claim_on_cells},
    {"A46", claim_on_cells},        {"A47", claim_on_cells},
    {"A48", claim_on_cells},        {"A49", claim_puts},
    {"A50", claim_waits},           {"A51", claim_aggregation},
    {"A52", claim_packets},         {"A53", claim_queue},
    {"A54", claim_causes},          {"F01", claim_gsb_from},
    {"F02", claim_gsb_best},        {"F03", claim_gsb_btb},
    {"F04", claim_gsb_flat},        {"F05", claim_gsb_grows},
    {"F06", claim_hierarchy},       {"F07", claim_hierarchy_grows},
    {"F08", claim_btb_inside},      {"F09", claim_btb_btb},
    {"F10", claim_gsb_between},     {"F11", claim_four_nodes},
    {"F12", claim_four_nodes_best}, {"F13", claim_inside_faster},
    {"F14", claim_mps_helps},       {"F15", claim_mps_costs},
    {"F16", claim_host_small},      {"F17", claim_mixture},
    {"F18", claim_all_mixtures},    {"F19", claim_gather_pays},
    {"F20", claim_reduce_pays},     {"F21", claim_gdr_small},
    {"F22", claim_dynamic_near},    {"F23", claim_mps_gains},
    {"F24", claim_mps_mvapich2},    {"F25", claim_dynamic_counts},
    {"F26", claim_static_counts},   {"F27", claim_overlap},
    {"F28", claim_static_nodes},    {"F29", claim_static_best},
    {"F30", claim_small_large},     {"F31", claim_buffers},
    {"K01", claim_match_rates},     {"K02", claim_match_flat},
    {"K03", claim_match_order},     {"K04", claim_match_clock},
    {"K05", claim_match_queues},    {"K06", claim_match_32},
    {"K07", claim_match_ctas},      {"K08", claim_match_gpus},
    {"K09", claim_match_by_source}, {"K10", claim_match_compaction},
    {"K11", claim_match_half},      {"K12", claim_match_hash},
    {"K13", claim_match_unordered}, {"K14", claim_match_unique},
    {"K15", claim_match_list},      {"K16", claim_match_levels},
    {"K17", claim_trace_wildcards}, {"K18", claim_trace_communicators},
    {"K19", claim_trace_peers},     {"K20", claim_trace_lengths},
    {"K21", claim_trace_tuples},    {"K22", claim_match_sms},
    {"I01", claim_latency},         {"I02", claim_message_rate},
    {"I03", claim_abelian_probe},   {"I04", claim_abelian_rma},
    {"I05", claim_hosts_scale},     {"I06", claim_rmat_order},
    {"I07", claim_gain_rounds},     {"I08", claim_kron_order},
    {"I09", claim_with_windows},    {"I10", claim_three_mpis},
    {"I11", claim_rma_memory},      {"I12", claim_same_compute},
    {"I13", claim_gemini_gain},     {"I14", claim_gemini_graphs},
    {"I15", claim_fdr_order},       {"I16", claim_clusters},
    {"I17", claim_exhaustion},      {"I18", claim_packet_pool},
    {"I19", claim_epochs},          {"I20", claim_windows},
    {"I21", claim_thread_multiple},
};
enum { NCLAIMS = sizeof claims / sizeof claims[0] };

const struct claim_paper claim_papers[NCLAIM_PAPERS] = {
    {'L', "lockhart", "Lockhart et al. 2022", "results/claims/lockhart.csv"},
    {'A', "chen", "Chen et al. 2022 (Atos)", "results/claims/chen.csv"},
    {'F', "faraji", "Faraji and Afsahi 2018", "results/claims/faraji.csv"},
    {'K', "klenk", "Klenk et al. 2017", "results/claims/klenk.csv"},
    {'I', "dang", "Dang et al. 2018 (LCI)", "results/claims/dang.csv"},
};

const char *claims_id(size_t i)
{
    return i < NCLAIMS ? claims[i].id : NULL;
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

static int claims_unknown(const char *word, struct err *err)
{
    const char *known[NCLAIM_PAPERS + NCLAIMS];
    char papers[120] = "";

    for (size_t p = 0; p < NCLAIM_PAPERS; p++) {
        size_t used = strlen(papers);
        known[p] = claim_papers[p].name;
        snprintf(papers + used, sizeof papers - used, ", %s", known[p]);
    }
    for (size_t i = 0; i < NCLAIMS; i++)
        known[NCLAIM_PAPERS + i] = claims[i].id;
    const char *near = nearest_word(word, known, NCLAIM_PAPERS + NCLAIMS);
    if (near)
        return fail(err, "%s: unknown claim (did you mean %s?)", word, near);
    return fail(err, "%s: unknown claim; known: %s to %s%s", word, claims[0].id,
                claims[NCLAIMS - 1].id, papers);
}

static int choose(bool wanted[NCLAIMS], const struct claim_request *r,
                  struct err *err)
{
    for (size_t i = 0; i < NCLAIMS; i++)
        wanted[i] = r->nids == 0;
    for (size_t k = 0; k < r->nids; k++) {
        bool any = false;
        for (size_t i = 0; i < NCLAIMS; i++)
            if (names(r->ids[k], claims[i].id))
                any = wanted[i] = true;
        if (!any)
            return claims_unknown(r->ids[k], err);
    }
    return 0;
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

static int check_one(struct claim_result *r, const struct claim *claim,
                     struct lab *lab, struct err *err)
{
    struct verdict v = {.id = claim->id, .from = EVIDENCE_PREDICTED};

    if (claim->check(lab, &v, err) < 0) {
        free(v.text);
        return fail_in(err, "%s", claim->id);
    }
    r->status = status_of(&v);
    r->parts = (unsigned)v.parts;
    r->held = (unsigned)v.held;
    memcpy(r->of, v.of, sizeof r->of);
    r->evidence = v.text ? v.text : xstrdup("");
    return 0;
}

static bool any_of(const bool wanted[NCLAIMS], char letter)
{
    for (size_t i = 0; i < NCLAIMS; i++)
        if (wanted[i] && claims[i].id[0] == letter)
            return true;
    return false;
}

static int check_wanted(struct claim_result *results,
                        const bool wanted[NCLAIMS],
                        const struct claim_request *r, struct err *err)
{
    struct lab *lab = xcalloc(1, sizeof *lab);
    int result = 0;

    lab->sets = r->sets;
    lab->nsets = r->nsets;
    if (any_of(wanted, 'L'))
        result = lab_machines(lab, err);
    if (any_of(wanted, 'A') && result == 0)
        result = lab_cells(lab, r->cells, err);
    else if (!any_of(wanted, 'A'))
        lab->runtime_cells = r->cells;
    for (size_t i = 0; i < NCLAIMS && result == 0; i++)
        if (wanted[i])
            result = check_one(&results[i], &claims[i], lab, err);
    lab_close(lab);
    free(lab);
    return result;
}

/* --- all of them ---------------------------------------------------------- */

static int read_texts(struct claim_result *results,
                      const struct claim_paper *paper, struct err *err)
{
    struct csv t;

    int result = csv_load_data(&t, paper->file, err);

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
        if (results[i].id[0] == paper->letter && !results[i].text)
            result = fail(err, "%s: has no claim %s", t.path, results[i].id);
    csv_clear(&t);
    return result;
}

int claims_check(struct claim_result **results, size_t *n,
                 const struct claim_request *request, struct err *err)
{
    bool wanted[NCLAIMS];

    if (choose(wanted, request, err) < 0)
        return -1;
    struct claim_result *all = xcalloc(NCLAIMS, sizeof *all);
    int result = 0;
    for (size_t i = 0; i < NCLAIMS; i++)
        all[i].id = claims[i].id;
    for (size_t p = 0; p < NCLAIM_PAPERS && result == 0; p++)
        result = read_texts(all, &claim_papers[p], err);
    if (result == 0)
        result = check_wanted(all, wanted, request, err);
    if (result < 0) {
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
