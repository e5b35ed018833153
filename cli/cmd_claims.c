/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice claims: starts the script that checks claims of papers. */
#include "cli/cli.h"
#include "base/csv.h"
#include "base/json.h"
#include "cli/document.h"
#include "cli/script.h"

#include <stdlib.h>
#include <string.h>

/* A paper of results/claims/papers.csv, with the ids of its claims. */
struct claim_paper {
    char *name, *title, *first, *last;
};

struct claim_papers {
    struct claim_paper *list;
    size_t n;
};

static void papers_free(struct claim_papers *p)
{
    for (size_t i = 0; i < p->n; i++) {
        free(p->list[i].name);
        free(p->list[i].title);
        free(p->list[i].first);
        free(p->list[i].last);
    }
    free(p->list);
}

/* Adds the paper of a row and the first and last of its claims. */
static int add_paper(struct claim_papers *p, const struct csv *t, size_t row,
                     struct err *err)
{
    const char *name = csv_text(t, row, "name");
    const char *title = csv_text(t, row, "title");
    struct csv claims;

    if (!name || !title)
        return fail(err, "%s:%u: expected a name and a title", t->path,
                    t->lines[row]);
    char *path = xasprintf("results/claims/%s.csv", name);
    int result = csv_load_data(&claims, path, err);
    free(path);
    if (result < 0)
        return -1;
    const char *first = csv_text(&claims, 0, "id");
    const char *last = csv_text(&claims, claims.nrows - 1, "id");
    p->list[p->n++] = (struct claim_paper){xstrdup(name), xstrdup(title),
                                           xstrdup(first ? first : ""),
                                           xstrdup(last ? last : "")};
    csv_clear(&claims);
    return 0;
}

static int papers_read(struct claim_papers *p, struct err *err)
{
    struct csv t;
    int result = 0;

    *p = (struct claim_papers){0};
    if (csv_load_data(&t, "results/claims/papers.csv", err) < 0)
        return -1;
    p->list = xcalloc(t.nrows, sizeof *p->list);
    for (size_t row = 0; row < t.nrows && result == 0; row++)
        result = add_paper(p, &t, row, err);
    csv_clear(&t);
    if (result < 0)
        papers_free(p);
    return result;
}

/* Returns how the command is called; the caller frees it. */
static char *usage_text(const struct claim_papers *papers)
{
    char *text = xstrdup("claims [ID");

    for (size_t p = 0; p < papers->n; p++) {
        char *more = xasprintf("%s|%s", text, papers->list[p].name);
        free(text);
        text = more;
    }
    char *all = xasprintf("%s ...] [OPTIONS]", text);
    free(text);
    return all;
}

/* Returns the help's first part; the caller frees it. */
static char *help_text(const struct claim_papers *papers)
{
    char *text = xstrdup(
        "Checks the claims of papers by experiments, by cells that were "
        "simulated before, and by measurements of traces and kernels. The "
        "papers, and the ids of their claims:\n");

    for (size_t p = 0; p < papers->n; p++) {
        const struct claim_paper *paper = &papers->list[p];
        char *more = xasprintf("%s  %-8s  %s to %s: %s\n", text, paper->name,
                               paper->first, paper->last, paper->title);
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

/* Parses the options; their help names all claims. */
static int parse(int argc, char **argv, const struct opt *opts, size_t nopts,
                 int *noperands, bool *helped, struct err *err)
{
    struct claim_papers papers;

    if (papers_read(&papers, err) < 0)
        return -1;
    char *usage = usage_text(&papers), *about = help_text(&papers);
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
    papers_free(&papers);
    return result;
}

static void add_texts(struct json *doc, const char *key,
                      const char *const *items, size_t n)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_append(list, json_new_string(items[i]));
    json_add(doc, key, list);
}

int cmd_claims(int argc, char **argv, struct err *err)
{
    const char *cells = NULL;
    struct texts sets = {0};
    bool as_json = false, summary = false, helped;
    int noperands;
    const struct opt opts[] = {
        {"cells", OPT_TEXT, &cells, "FILE",
         "cells of `sluice study` [default: results/atos/cells.csv]; for dang "
         "alone cells of results/lci/make.sh [default: results/lci/cells.csv]"},
        {"set", OPT_TEXTS, &sets, "KEY=VALUE",
         "override a value of every platform that an experiment uses (cells "
         "stay the same); may be repeated"},
        {"summary", OPT_FLAG, &summary, NULL,
         "one line for each paper, as a Markdown table"},
        {"json", OPT_FLAG, &as_json, NULL, "results as JSON"},
    };

    if (parse(argc, argv, opts, sizeof opts / sizeof opts[0], &noperands,
              &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (as_json && summary)
        return fail(err, "--json and --summary: say one of them");
    struct json *doc = document_new("claims");
    add_texts(doc, "ids", (const char *const *)(argv + 1), (size_t)noperands);
    add_texts(doc, "sets", sets.items, sets.n);
    if (cells)
        json_add_string(doc, "cells_file", cells);
    int result = script_start("results/papers/claims.py",
                              as_json   ? "json"
                              : summary ? "summary"
                                        : "text",
                              doc, err);
    json_free(doc);
    return result;
}
