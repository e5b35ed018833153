/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the numbers of NCCL, or RCCL, that follow from the architecture of a
 * machine's GPUs. */
#include "platforms/nccl_parts.h"

#include "base/json.h"
#include "platforms/compose.h"
#include "platforms/platform.h"
#include "platforms/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name of the file for the machine's GPUs, or NULL. */
static const char *file_of(const struct json *doc)
{
    const struct json *gpu = json_member(doc, "gpu");

    return nccl_part_by(gpu ? json_string(json_member(gpu, "arch")) : NULL);
}

/* Returns whether the machine leaves out NCCL's numbers. If it says nothing of
 * NCCL but names an MPI or a library, these make its collectives. */
static bool leaves_out(const struct json *doc)
{
    const struct json *nccl = json_member(doc, "nccl");

    if (nccl)
        return json_is_object(nccl) && !json_member(nccl, "slots");
    return !json_member(doc, "mpi") && !json_member(doc, "libraries");
}

/* Puts the part's value of a key below the document's own. */
static int put_below(struct json *doc, const struct json *part, const char *key,
                     struct err *err)
{
    struct json *below = json_copy(json_member(part, key));
    const struct json *own = json_member(doc, key);

    if (own && (!json_is_object(own) || compose_merge(below, own, err) < 0)) {
        json_free(below);
        return json_is_object(own) ? fail_at_place(err, "%s", key) : 0;
    }
    json_replace(doc, key, below);
    return 0;
}

int nccl_parts_add(struct json *doc, struct err *err)
{
    const char *name = json_is_object(doc) ? file_of(doc) : NULL;

    if (!name || !leaves_out(doc))
        return 0;
    char *file = xasprintf("parts/%s", name);
    char *path = platform_find(file);
    struct json *part = path ? compose_load(path, err) : NULL;
    int result = part && put_below(doc, part, "nccl", err) == 0
                     ? put_below(doc, part, "runtimes", err)
                     : -1;
    if (!path)
        (void)fail(err, "%s.json: not found among the platforms", file);
    json_free(part);
    free(path);
    free(file);
    return result;
}

void nccl_version_as_text(struct json *doc)
{
    struct json *nccl = json_member(doc, "nccl");
    const struct json *number = nccl ? json_member(nccl, "version") : NULL;

    if (!number || !json_is_number(number))
        return;
    double hundreds = 100 * json_number(number);
    if (hundreds < 200 || hundreds >= 300 ||
        fabs(hundreds - round(hundreds)) > 1e-6)
        return;
    /* 2.4 to 2.9 have one digit, because there is no 2.40. */
    bool one = hundreds >= 240 && fmod(round(hundreds), 10) == 0;
    char *text = xasprintf("%.*f", one ? 1 : 2, json_number(number));
    json_replace(nccl, "version", json_new_string(text));
    free(text);
}
