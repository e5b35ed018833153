/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the texts of pictures as digits, and tells tables from pictures. */
#include "cli/figure.h"

#include <stdlib.h>
#include <string.h>

bool figure_is_table(const struct figure *f)
{
    return strstr(f->name, "-table-");
}

unsigned figure_text(struct figure_texts *texts, const char *text)
{
    putc('t', texts->to);
    for (; *text; text++)
        fprintf(texts->to, "%03u", (unsigned)(unsigned char)*text);
    putc('\n', texts->to);
    return ++texts->n;
}

unsigned figure_workload(struct figure_texts *texts, const char *workload)
{
    const char *slash = strrchr(workload, '/');
    bool file = !strncmp(workload, "spmv:", 5);
    const char *name = !file ? workload : slash ? slash + 1 : workload + 5;
    const char *dot = file ? strchr(name, '.') : NULL;
    char *shown =
        xasprintf("%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    unsigned number = figure_text(texts, shown);

    free(shown);
    return number;
}
