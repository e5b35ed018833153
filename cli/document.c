/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the beginning and the end of every JSON document of a command. */
#include "cli/document.h"

#include "workloads/load/seed.h"

struct json *document_new(const char *command)
{
    struct json *doc = json_new_object();

    json_add_number(doc, "schema", DOCUMENT_SCHEMA);
    json_add_string(doc, "sluice", SLUICE_VERSION);
    json_add_string(doc, "command", command);
    return doc;
}

void document_add_workload(struct json *o, const char *words)
{
    uint64_t seed;

    json_add_string(o, "workload", words);
    if (workload_seed(&seed, words))
        json_add_number(o, "seed", (double)seed);
}

void document_print(struct json *doc)
{
    json_print(doc, stdout);
    json_free(doc);
}
