/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice report: writes results as one page for a browser, which needs no
 * network. */
#include "base/datafile.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/draw.h"
#include "cli/report.h"
#include "platforms/platform.h"

#include <stdlib.h>
#include <string.h>

/* --- data into the page --------------------------------------------------- */

/*
 * Prints JSON that can stand in a page: nothing in it ends its script or begins
 * a comment; U+2028 and U+2029 are escaped, because some readers take them for
 * ends of lines. Blanks between values are left out.
 */
static void put_json(FILE *to, const char *text)
{
    bool quoted = false;

    for (const char *c = text; *c; c++) {
        if (!quoted && (*c == '\n' || *c == ' '))
            continue;
        if (*c == '"')
            quoted = !quoted;
        if (quoted && *c == '\\' && c[1])
            /* An escaped quote does not end the string. */
            putc(*c++, to);
        if (*c == '<' || *c == '>' || *c == '&')
            fprintf(to, "\\u%04x", (unsigned)*c);
        else if (!strncmp(c, "\xe2\x80\xa8", 3))
            c += fputs("\\u2028", to) < 0 ? 0 : 2;
        else if (!strncmp(c, "\xe2\x80\xa9", 3))
            c += fputs("\\u2029", to) < 0 ? 0 : 2;
        else
            putc(*c, to);
    }
}

static void put_value(FILE *to, const char *key, const struct json *value)
{
    char *text = json_text(value);

    fprintf(to, ",\n\"%s\":", key);
    put_json(to, text);
    free(text);
}

static void put_data(FILE *to, struct report *r)
{
    char *columns = NULL;
    size_t size = 0;
    FILE *table = open_memstream(&columns, &size);

    if (!table)
        err_no_memory("a table of runs");
    report_table_print(&r->table, table);
    fclose(table);
    fprintf(to,
            "{\"sluice\":\"%s\",\"rows\":%zu,\n\"columns\":", SLUICE_VERSION,
            r->table.nrows);
    put_json(to, columns);
    free(columns);
    put_value(to, "sources", r->sources);
    put_value(to, "details", r->details);
    fputs("}\n", to);
}

/* Draws each platform that is known here; the page works without the others. */
static void put_drawings(FILE *to, struct report *r)
{
    for (size_t i = 0; i < json_size(r->platforms); i++) {
        const char *name = json_string(json_at(r->platforms, i));
        struct machine m;
        struct err unknown;
        bool again = false;

        for (size_t k = 0; k < i; k++)
            again |= !strcmp(json_string(json_at(r->platforms, k)), name);
        if (again || strchr(name, '/') ||
            platform_load(&m, name, NULL, 0, &unknown) < 0)
            continue;
        fputs("<template data-platform=\"", to);
        draw_escaped(to, name);
        fputs("\">", to);
        draw_machine(to, &m, false);
        fputs("</template>\n", to);
        machine_clear(&m);
    }
}

/* --- the page ------------------------------------------------------------- */

/* Returns the whole text of a file; NULL if it cannot be read. The caller frees
 * it. */
static char *read_part(const char *name, struct err *err)
{
    char *path = datafile_find(name, err);
    FILE *f = path ? fopen(path, "rb") : NULL;
    char *text = NULL;
    size_t size = 0, n;
    FILE *to = f ? open_memstream(&text, &size) : NULL;
    char buf[4096];

    if (path && !f)
        (void)fail(err, "%s: cannot be read", path);
    free(path);
    if (!f || !to) {
        if (f)
            fclose(f);
        return NULL;
    }
    while ((n = fread(buf, 1, sizeof buf, f)) > 0)
        fwrite(buf, 1, n, to);
    fclose(to);
    fclose(f);
    return text;
}

/* The replacements of the comments "<!-- sluice: WORD -->" in page.html: a
 * file, or text that is made from the results. */
static const struct {
    const char *word, *file;
    void (*put)(FILE *to, struct report *r);
} page_parts[] = {
    {"style", "cli/report/page.css", NULL},
    {"timeline", "cli/report/timeline.js", NULL},
    {"links", "cli/report/links.js", NULL},
    {"script", "cli/report/page.js", NULL},
    {"drawings", NULL, put_drawings},
    {"data", NULL, put_data},
};
enum { PAGE_PARTS = sizeof page_parts / sizeof page_parts[0] };

struct page {
    char *html, *text[PAGE_PARTS]; /* NULL if made from the results */
};

static int page_load(struct page *p, struct err *err)
{
    *p = (struct page){.html = read_part("cli/report/page.html", err)};
    if (!p->html)
        return -1;
    for (size_t i = 0; i < PAGE_PARTS; i++) {
        if (!page_parts[i].file)
            continue;
        p->text[i] = read_part(page_parts[i].file, err);
        if (!p->text[i])
            return -1;
    }
    return 0;
}

static void page_clear(struct page *p)
{
    free(p->html);
    for (size_t i = 0; i < PAGE_PARTS; i++)
        free(p->text[i]);
}

static void put_part(FILE *to, const char *word, const struct page *p,
                     struct report *r)
{
    size_t length = strcspn(word, " ");

    for (size_t i = 0; i < PAGE_PARTS; i++) {
        if (strlen(page_parts[i].word) != length ||
            strncmp(page_parts[i].word, word, length) != 0)
            continue;
        if (p->text[i])
            fputs(p->text[i], to);
        else
            page_parts[i].put(to, r);
    }
}

static void put_page(FILE *to, const struct page *p, struct report *r)
{
    static const char mark[] = "<!-- sluice: ";
    const char *at = p->html, *next;

    while ((next = strstr(at, mark))) {
        fwrite(at, 1, (size_t)(next - at), to);
        const char *word = next + strlen(mark);
        put_part(to, word, p, r);
        at = strstr(word, "-->");
        at = at ? at + 3 : word;
    }
    fputs(at, to);
}

static int write_page(const char *path, struct report *r, struct err *err)
{
    struct page page;
    struct outfile out;
    int result = page_load(&page, err);

    if (result == 0)
        result = outfile_open(&out, path, err);
    if (result == 0) {
        put_page(out.stream, &page, r);
        result = outfile_close(&out, err);
    }
    page_clear(&page);
    return result;
}

static int report_all(char **files, int n, const char *path, struct err *err)
{
    struct report r = {.sources = NULL};
    int result = 0;

    for (int i = 0; i < n && result == 0; i++)
        result = report_read(&r, files[i], err);
    if (result == 0 && !r.table.nrows)
        result = fail(err, "%s: no runs in it", files[0]);
    if (result == 0)
        result = write_page(path, &r, err);
    if (result == 0 && strcmp(path, "-") != 0)
        printf("%s: %zu runs\n", path, r.table.nrows);
    report_clear(&r);
    return result;
}

static const struct opts_page page = {
    .usage = "report RESULT... -o REPORT.html",
    .about =
        "Draws results as one page for a browser. A result is a database of "
        "`sluice sweep`, or the output of `sluice run --json --details`. The "
        "page has a table of all runs that can be sorted and filtered, plots "
        "of the selected runs, and for each run with details its phases, "
        "critical path, timeline, and link loads on a drawing of the machine. "
        "It is one file, which any browser opens without a network: "
        "docs/explorer.md.\n",
    .examples = {{"Show the runs of a sweep in a browser",
                  "sluice report runs.db -o report.html"}},
};

int cmd_report(int argc, char **argv, struct err *err)
{
    const char *path = NULL;
    int noperands;
    bool helped;
    const struct opt opts[] = {
        {"o", OPT_OUTPUT, &path, "REPORT.html", "file of the page"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (!noperands)
        return fail(err, "report: expected results: databases of sluice sweep, "
                         "or what sluice run --json --details prints");
    if (!path)
        return fail(err, "report: expected -o REPORT.html");
    return report_all(argv + 1, noperands, path, err);
}
