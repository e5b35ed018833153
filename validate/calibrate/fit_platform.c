/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the parts of a platform, one after the other, and leaves out those whose
 * data contradict each other. */
#include "validate/calibrate/fit.h"

#include "platforms/platform.h"
#include "platforms/provenance.h"
#include "validate/calibrate/fit_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The parts of a document that are fitted. */
static const char *const FITTED[] = {"node", "network",  "messages", "copies",
                                     "nccl", "runtimes", "measured"};
enum { NFITTED = sizeof FITTED / sizeof FITTED[0] };

/* Undoes the changes of a part, because no platform can be read with them. */
static void undo(struct fit *f, const struct json *before, size_t nrows,
                 const char *part, const struct err *why)
{
    struct fit_row row = {.old = NAN};

    for (size_t i = 0; i < NFITTED; i++) {
        const struct json *old = json_member(before, FITTED[i]);
        if (old)
            json_replace(f->doc, FITTED[i], json_copy(old));
    }
    f->nrows = nrows;
    snprintf(row.path, sizeof row.path, "%s", part);
    f->left_out = xrealloc(f->left_out, f->nleft_out + 1, sizeof(char *));
    row.kept = f->left_out[f->nleft_out++] = xstrdup(why->text);
    row.fitted.value = NAN;
    fit_add_row(f, &row);
}

/* Fits one part. If its data contradict each other the part is left as it was,
 * but the others are fitted. */
static void fit_part(struct fit *f, const char *name,
                     int (*part)(struct fit *f, struct err *err))
{
    struct json *before = json_copy(f->doc);
    size_t nrows = f->nrows;
    struct err err = {0};
    struct machine m;
    int result = part(f, &err);

    source_forget_all(f->doc);
    if (result == 0)
        result = platform_read(&m, f->doc, &err);
    if (result == 0)
        machine_clear(&m);
    else
        undo(f, before, nrows, name, &err);
    json_free(before);
}

void fit_platform(struct fit *f)
{
    fit_part(f, "messages", fit_messages);
    fit_part(f, "messages (on a node)", fit_near);
    fit_part(f, "copies", fit_copies);
    fit_part(f, "messages (ends)", fit_message_ends);
    fit_part(f, "messages (limits)", fit_limits);
    fit_part(f, "what pairs of a node share", fit_shared);
    fit_part(f, "network", fit_network);
    fit_part(f, "the wire of a NIC", fit_nic_wire);
    fit_part(f, "wires slower than messages", fit_wires);
    fit_part(f, "nccl", fit_nccl);
    fit_part(f, "what was measured", fit_ranges);
}
