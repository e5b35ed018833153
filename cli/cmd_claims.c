/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice claims: simulates claims of the papers, and starts the script that
 * judges and prints all of them. */
#include "cli/cli.h"
#include "base/json.h"
#include "cli/document.h"
#include "cli/script.h"
#include "results/papers/claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the first or the last id of a paper's claims. */
static const char *id_of(const struct claim_paper *paper, bool last,
                         const struct claim_result *claims, size_t n)
{
    const char *found = "";

    for (size_t i = 0; i < n && (last || !*found); i++)
        if (*claims[i].id == paper->letter)
            found = claims[i].id;
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

/* Returns the help's first part; the caller frees it. */
static char *help_text(const struct claim_result *claims, size_t n)
{
    char *text = xstrdup(
        "Checks the claims of papers by experiments, by cells that were "
        "simulated before, and by measurements of traces and kernels. The "
        "papers, and the ids of their claims:\n");

    for (size_t p = 0; p < NCLAIM_PAPERS; p++) {
        const struct claim_paper *paper = &claim_papers[p];
        char *more = xasprintf("%s  %-8s  %s to %s: %s\n", text, paper->name,
                               id_of(paper, false, claims, n),
                               id_of(paper, true, claims, n), paper->title);
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

/* Starts the script that judges and prints the claims. */
static int judge(const struct claim_request *request, const char *form,
                 struct err *err)
{
    struct json *doc = document_new("claims");
    int result = claims_add_to(doc, request, err);

    if (result == 0)
        result = script_start("results/papers/claims.py", form, doc, err);
    json_free(doc);
    return result;
}

/* Parses the options; their help names all claims. */
static int parse(int argc, char **argv, const struct opt *opts, size_t nopts,
                 int *noperands, bool *helped, struct err *err)
{
    struct claim_result *claims;
    size_t n;

    if (claims_read(&claims, &n, err) < 0)
        return -1;
    char *usage = usage_text(), *about = help_text(claims, n);
    const struct opts_page page = {
        .usage = usage,
        .about = about,
        .examples = {{"Check one claim", "sluice claims L01"},
                     {"Check all claims of a paper, one line for each paper",
                      "sluice claims lockhart --summary"}},
    };
    int result =
        opts_parse(argc, argv, opts, nopts, &page, noperands, helped, err);
    free(usage);
    free(about);
    claims_free(claims, n);
    return result;
}

int cmd_claims(int argc, char **argv, struct err *err)
{
    struct texts sets = {0};
    struct claim_request request = {0};
    bool json = false, summary = false, helped;
    int noperands;
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

    if (parse(argc, argv, opts, sizeof opts / sizeof opts[0], &noperands,
              &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    request.ids = (const char *const *)(argv + 1);
    request.nids = (size_t)noperands;
    request.sets = sets.items;
    request.nsets = sets.n;
    if (json && summary)
        return fail(err, "--json and --summary: say one of them");
    return judge(&request, json ? "json" : summary ? "summary" : "text", err);
}
