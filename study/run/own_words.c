/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the options of a workload among its words. */
#include "study/run/own_words.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* Returns the workloads that have the option alone, "bfs: and sssp:"; NULL if
 * none has. The caller frees it. */
static char *owners_of(const char *option)
{
    char *names = NULL;

    for (size_t i = 0; i < nworkloads; i++) {
        if (!opt_in_list(workloads[i]->own, option))
            continue;
        char *more = xasprintf("%s%s%s", names ? names : "",
                               names ? " and " : "", workloads[i]->prefix);
        free(names);
        names = more;
    }
    return names;
}

int request_refuse_owned(const char *option, const struct workload *w,
                         struct err *err)
{
    char *owners = opt_in_list(w->own, option) ? NULL : owners_of(option);
    int result = owners ? fail(err, "--%s: an option of %s, not of %s", option,
                               owners, w->prefix)
                        : 0;

    free(owners);
    return result;
}

/* Returns the name of the option that a piece of the words gives, "max-weight"
 * of "max_weight=7"; the caller frees it. */
static char *option_of(const char *piece)
{
    char *option = xasprintf("%.*s", (int)strcspn(piece, "="), piece);

    for (char *c = option; *c; c++)
        if (*c == '_')
            *c = '-';
    return option;
}

/* Adds a piece "KEY=VALUE", or "KEY" for a flag, to a document. */
static void add_piece(struct json *doc, const char *piece)
{
    size_t n = strcspn(piece, "=");
    const char *text = piece[n] ? piece + n + 1 : "true";
    char *key = xasprintf("%.*s", (int)n, piece);
    struct err no_json; /* because another value is a text */
    struct json *value = json_parse(text, key, &no_json);

    json_replace(doc, key, value ? value : json_new_string(text));
    free(key);
}

/* Moves the pieces that are options from the words to the document. */
static int take_pieces(char *words, const struct workload *w, struct json *doc,
                       struct err *err)
{
    char *to = words, *copy = xstrdup(words), *rest = copy;
    int result = 0;
    bool first = true;

    *to = '\0';
    for (char *piece; result == 0 && (piece = strsep(&rest, ",")) != NULL;) {
        char *option = option_of(piece);
        if (!first && opt_in_list(w->own, option))
            add_piece(doc, piece);
        else if (!first && strchr(piece, '='))
            result = request_refuse_owned(option, w, err);
        if (first || !opt_in_list(w->own, option)) {
            if (!first)
                *to++ = ',';
            to = stpcpy(to, piece);
        }
        first = false;
        free(option);
    }
    free(copy);
    return result;
}

int request_split(struct request *own, const struct request *r, struct err *err)
{
    const struct workload *w = request_workload(r);

    *own = *r;
    if (!w) {
        own->work.words = r->work.words ? xstrdup(r->work.words) : NULL;
        return 0;
    }
    char *words = xstrdup(r->work.words);
    struct json *doc = json_new_object();
    int result = take_pieces(words, w, doc, err);
    if (result == 0 && request_read_json(own, doc, err) < 0)
        result = fail_in(err, "%s", r->work.words);
    json_free(doc);
    own->work.words = words;
    if (result < 0)
        request_unsplit(own);
    return result;
}

void request_unsplit(struct request *own)
{
    free((char *)own->work.words);
    own->work.words = NULL;
}
