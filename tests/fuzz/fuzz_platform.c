/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a platform file: it is read or refused. The bytes after a 0 byte
 * are a --set, because changes of documents are tested as well. */
#include "platforms/platform.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks the reader's guarantees for an accepted machine. */
static void use(const struct machine *m)
{
    unsigned hops[16];
    bool reversed[16];

    assert(m->nsockets >= 1 && m->ncores >= 1 && m->network.nodes >= 1);
    for (unsigned g = 0; g < m->ngpus; g++)
        assert(machine_gpu(m, g)->socket < m->nsockets);
    for (unsigned a = 0; a < m->ndevices; a++)
        for (unsigned b = 0; b < m->ndevices; b++) {
            int n = machine_route(m, a, b, hops, reversed);
            assert(n <= 16 && (n >= 0 || m->devices[a].kind >= DEVICE_NIC ||
                               m->devices[b].kind >= DEVICE_NIC));
        }
    if (m->ngpus)
        assert(machine_copy(m, H2D, ON_SOCKET, 1, 1u << 30));
    assert(machine_core_socket(m, m->ncores - 1) == m->nsockets - 1);
    assert(machine_injection_Bps(m) >= 0);
}

/* Checks that the printed document reads back and prints the same. */
static void print_twice(const struct json *doc)
{
    struct err err = {0};
    char *once = json_text(doc);
    struct json *again = json_parse(once, "again.json", &err);

    assert(again);
    char *twice = json_text(again);
    assert(!strcmp(once, twice));
    free(once);
    free(twice);
    json_free(again);
}

static void read_text(const char *text, const char *set)
{
    struct err err = {0};
    struct machine m;
    struct json *doc = json_parse(text, "fuzz.json", &err);

    if (!doc)
        return;
    int changed = set ? json_set(doc, set, &err) : 0;
    if (changed == 0 && platform_read(&m, doc, &err) == 0) {
        use(&m);
        machine_clear(&m);
    }
    if (!set)
        print_twice(doc);
    json_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    size_t len = strlen(text);
    read_text(text, len < size ? text + len + 1 : NULL);
    free(text);
    return 0;
}
