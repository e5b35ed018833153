/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice claims: checks the claims of the papers and prints which are
 * reproduced. */
#include "cli/cli.h"
#include "base/json.h"
#include "cli/document.h"
#include "results/papers/claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the text wrapped at 80 columns, with `indent` before each line. */
static void cmd_claims_print_wrapped(const char *text, const char *indent)
{
    size_t room = 80 - strlen(indent);

    while (*text) {
        size_t len = strcspn(text, "\n"), cut = len;
        if (len > room)
            for (cut = room; cut > 0 && text[cut] != ' '; cut--)
                ;
        if (cut == 0)
            cut = len;
        printf("%s%.*s\n", indent, (int)cut, text);
        text += cut;
        text += *text == ' ' || *text == '\n';
    }
}

static void cmd_claims_print_one(const struct claim_result *r)
{
    printf("%s %s\n", r->id, claim_status_names[r->status]);
    cmd_claims_print_wrapped(r->text, "    ");
    const char *line = r->evidence;
    while (*line) {
        size_t len = strcspn(line, "\n");
        char *one = xasprintf("%.*s", (int)len, line);
        cmd_claims_print_wrapped(one, "    | ");
        free(one);
        line += len + (line[len] == '\n');
    }
    putchar('\n');
}

/* Prints the lines that hold, by evidence. Only predicted ones say whether to
 * trust the simulator, because all others use the paper's own numbers as input,
 * directly or through a fit. */
static void cmd_claims_print_lines(const struct claim_result *r, size_t n)
{
    struct claim_lines of[NEVIDENCES] = {{0}};

    for (size_t i = 0; i < n; i++)
        for (int e = 0; e < NEVIDENCES; e++) {
            of[e].lines += r[i].of[e].lines;
            of[e].held += r[i].of[e].held;
        }
    printf("%u of %u predicted lines hold\n", of[EVIDENCE_PREDICTED].held,
           of[EVIDENCE_PREDICTED].lines);
    printf("(of what went in: input %u of %u, fitted %u of %u, the papers' "
           "models %u of %u)\n",
           of[EVIDENCE_INPUT].held, of[EVIDENCE_INPUT].lines,
           of[EVIDENCE_FITTED].held, of[EVIDENCE_FITTED].lines,
           of[EVIDENCE_MODEL].held, of[EVIDENCE_MODEL].lines);
    if (of[EVIDENCE_CONSTRUCTION].lines)
        printf("(of what follows from how the simulator is built: %u of %u)\n",
               of[EVIDENCE_CONSTRUCTION].held, of[EVIDENCE_CONSTRUCTION].lines);
    if (of[EVIDENCE_ANALYSIS].lines)
        printf("(of measurements and traces alone: %u of %u)\n",
               of[EVIDENCE_ANALYSIS].held, of[EVIDENCE_ANALYSIS].lines);
}

/* Returns the kinds of evidence of a claim, such as "input, fitted". The caller
 * frees it. */
static char *rests_on(const struct claim_result *r)
{
    char *text = NULL;

    for (int e = 0; e < NEVIDENCES; e++) {
        if (!r->of[e].lines)
            continue;
        char *more = text ? xasprintf("%s, %s", text, evidence_names[e])
                          : xstrdup(evidence_names[e]);
        free(text);
        text = more;
    }
    return text ? text : xstrdup("open");
}

/* Prints a line for each claim, and the totals. */
static void cmd_claims_print_summary(const struct claim_result *r, size_t n)
{
    size_t counts[NSTATUSES] = {0}, predicted = 0, reproduced = 0;

    for (size_t i = 0; i < n; i++) {
        char *from = rests_on(&r[i]);
        printf("%s  %-15s %u of %u parts hold  %s\n", r[i].id,
               claim_status_names[r[i].status], r[i].held, r[i].parts, from);
        free(from);
        counts[r[i].status]++;
        if (r[i].of[EVIDENCE_PREDICTED].lines) {
            predicted++;
            reproduced += r[i].status == REPRODUCED;
        }
    }
    putchar('\n');
    for (size_t s = 0; s < NSTATUSES; s++)
        printf("%s%zu %s", s ? ", " : "", counts[s], claim_status_names[s]);
    printf("\nof %zu claims with a predicted line %zu are reproduced\n\n",
           predicted, reproduced);
    cmd_claims_print_lines(r, n);
}

/* Prints one row of --summary: the claims whose ids begin with `letter`, or all
 * if it is 0. */
static void print_paper(const struct claim_result *r, size_t n,
                        const char *paper, char letter)
{
    size_t all = 0, counts[NSTATUSES] = {0}, testable = 0, predicted = 0;
    struct claim_lines of[NEVIDENCES] = {{0}};

    for (size_t i = 0; i < n; i++) {
        if (letter && r[i].id[0] != letter)
            continue;
        bool foretold = r[i].of[EVIDENCE_PREDICTED].lines;
        all++;
        counts[r[i].status]++;
        testable += foretold;
        predicted += foretold && r[i].status == REPRODUCED;
        for (int e = 0; e < NEVIDENCES; e++) {
            of[e].lines += r[i].of[e].lines;
            of[e].held += r[i].of[e].held;
        }
    }
    if (!all)
        return;
    printf("| %s | %zu |", paper, all);
    for (size_t s = 0; s < NSTATUSES; s++)
        printf(" %zu |", counts[s]);
    printf(" %zu of %zu | %u of %u | %u of %u | %u |\n", predicted, testable,
           of[EVIDENCE_PREDICTED].held, of[EVIDENCE_PREDICTED].lines,
           of[EVIDENCE_FITTED].held, of[EVIDENCE_FITTED].lines,
           of[EVIDENCE_CONSTRUCTION].lines);
}

/* Prints a Markdown table with a row for each paper. */
static void print_papers(const struct claim_result *r, size_t n)
{
    printf("| paper | claims |");
    for (size_t s = 0; s < NSTATUSES; s++)
        printf(" %s |", claim_status_names[s]);
    printf(" reproduced, of those with a predicted line | predicted lines that "
           "hold | fitted lines that hold | lines by construction |\n| --- |");
    for (size_t s = 0; s < NSTATUSES + 5; s++)
        printf(" ---: |");
    putchar('\n');
    for (size_t p = 0; p < NCLAIM_PAPERS; p++)
        print_paper(r, n, claim_papers[p].title, claim_papers[p].letter);
    print_paper(r, n, "all", 0);
}

static void cmd_claims_print_table(const struct claim_result *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cmd_claims_print_one(&r[i]);
    cmd_claims_print_summary(r, n);
}

static struct json *lines_json(const struct claim_result *r)
{
    struct json *o = json_new_object();

    for (int e = 0; e < NEVIDENCES; e++) {
        struct json *x = json_new_object();
        json_add_number(x, "all", r->of[e].lines);
        json_add_number(x, "hold", r->of[e].held);
        json_add(o, evidence_names[e], x);
    }
    return o;
}

static void cmd_claims_print_json(const struct claim_result *r, size_t n)
{
    struct json *doc = document_new("claims"), *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "id", r[i].id);
        json_add_string(o, "status", claim_status_names[r[i].status]);
        json_add_string(o, "claim", r[i].text);
        json_add(o, "lines", lines_json(&r[i]));
        json_add_string(o, "evidence", r[i].evidence);
        json_append(list, o);
    }
    json_add(doc, "claims", list);
    document_print(doc);
}

/* --- the command ---------------------------------------------------------- */

/* Returns the first or the last id of a paper's claims. */
static const char *id_of(const struct claim_paper *paper, bool last)
{
    const char *found = NULL, *id;

    for (size_t i = 0; (id = claims_id(i)) && (last || !found); i++)
        if (*id == paper->letter)
            found = id;
    return found;
}

/* Returns how the command is called; the caller frees it. */
static char *usage_text(void)
{
    char *text = xstrdup("claims [ID");

    for (size_t p = 0; p < NCLAIM_PAPERS; p++) {
        char *more = xasprintf("%s|%s", text, claim_papers[p].name);
        free(text);
        text = more;
    }
    char *all = xasprintf("%s ...] [OPTIONS]", text);
    free(text);
    return all;
}

/* Returns what the command does; the caller frees it. */
static char *help_text(void)
{
    char *text = xstrdup(
        "Checks the claims of papers by experiments, by cells that were "
        "simulated before, and by measurements of traces and kernels. The "
        "papers, and the ids of their claims:\n");

    for (size_t p = 0; p < NCLAIM_PAPERS; p++) {
        const struct claim_paper *paper = &claim_papers[p];
        char *more =
            xasprintf("%s  %-8s  %s to %s: %s\n", text, paper->name,
                      id_of(paper, false), id_of(paper, true), paper->title);
        free(text);
        text = more;
    }
    char *all = xasprintf(
        "%sA claim is reproduced if all lines of its evidence that begin with "
        "'holds' or 'fails' hold; lines that begin with 'open' lack "
        "something. The word in parentheses is the kind of evidence: input, "
        "fitted, model, analysis (of measurements or traces alone), "
        "construction (it follows from the simulator's design), or predicted, "
        "which alone counts for the simulator. A claim that is not reproduced "
        "is a result, not an error.\n",
        text);
    free(text);
    return all;
}

int cmd_claims(int argc, char **argv, struct err *err)
{
    struct texts sets = {0};
    struct claim_request request = {0};
    struct claim_result *results;
    bool json = false, summary = false, helped;
    int noperands;
    size_t n;
    const struct opt opts[] = {
        {"cells", OPT_TEXT, &request.cells, "FILE",
         "cells of `sluice study` [default: results/atos/cells.csv]; for dang "
         "alone cells of results/lci/make.sh [default: results/lci/cells.csv]"},
        {"set", OPT_TEXTS, &sets, "KEY=VALUE",
         "override a value of every platform that an experiment uses (cells "
         "stay the same); may be repeated"},
        {"summary", OPT_FLAG, &summary, NULL,
         "one line for each paper, as a Markdown table"},
        {"json", OPT_FLAG, &json, NULL, "results as JSON"},
    };

    char *usage = usage_text(), *about = help_text();
    const struct opts_page page = {
        .usage = usage,
        .about = about,
        .examples = {{"Check one claim", "sluice claims L01"},
                     {"Check all claims of a paper, one line for each paper",
                      "sluice claims lockhart --summary"}},
    };
    int parsed = opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                            &page, &noperands, &helped, err);
    free(usage);
    free(about);
    if (parsed < 0)
        return -1;
    if (helped)
        return 0;
    request.ids = (const char *const *)(argv + 1);
    request.nids = (size_t)noperands;
    request.sets = sets.items;
    request.nsets = sets.n;
    if (json && summary)
        return fail(err, "--json and --summary: say one of them");
    if (claims_check(&results, &n, &request, err) < 0)
        return -1;
    if (json)
        cmd_claims_print_json(results, n);
    else if (summary)
        print_papers(results, n);
    else
        cmd_claims_print_table(results, n);
    claims_free(results, n);
    return 0;
}
