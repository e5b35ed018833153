/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table of a figure by a script. */
#include "cli/figure_script.h"

#include "cli/script.h"

#define SCRIPT "results/papers/figures.py"

/* Prints the lines of a member of an answer; fails if there is none. */
static int print_lines(FILE *to, const struct json *answer, const char *key,
                       struct err *err)
{
    struct json *lines;

    if (json_get_array(answer, key, &lines, err) < 0)
        return fail_in(err, SCRIPT);
    for (const struct json *l = json_at(lines, 0); l; l = json_next(l))
        fprintf(to, "%s\n", json_string(l) ? json_string(l) : "");
    return 0;
}

struct json *figure_script_ask(const char *what, const struct json *request,
                               struct err *err)
{
    return script_run(SCRIPT, what, request, err);
}

int figure_script_make(FILE *csv, FILE *vars, const struct figure_input *in,
                       struct err *err)
{
    struct json *answer = figure_script_ask(in->name, in->request, err);

    if (!answer)
        return -1;
    int result = print_lines(csv, answer, "csv", err);
    if (result == 0)
        result = print_lines(vars, answer, "vars", err);
    const struct json *texts = json_member(answer, "texts");
    if (in->texts && json_is_array(texts))
        for (const struct json *t = json_at(texts, 0); t; t = json_next(t))
            figure_text(in->texts, json_string(t) ? json_string(t) : "");
    json_free(answer);
    return result;
}
