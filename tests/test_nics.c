/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of NICs that has its own latency for one of NCCL's runtimes has it for
 * all that the machines with such NICs have, because all cross the same
 * network. */
#include "base/json.h"
#include "platforms/platform.h"
#include "tests/check.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the part has off-node segments of a runtime. */
static bool part_has(const struct json *part, const char *runtime)
{
    static const char *const path[] = {"gpu", "off_node", "segments"};
    const struct json *at = json_member(part, "runtimes");

    at = at ? json_member(at, runtime) : NULL;
    for (size_t i = 0; at && i < sizeof path / sizeof path[0]; i++)
        at = json_member(at, path[i]);
    return at;
}

/* Returns the number of NCCL's runtimes that the part has of a machine's. */
static unsigned check_part(const struct machine *m, const char *name)
{
    char *path = xasprintf("platforms/%s.json", name);
    unsigned has = 0, all = 0;
    struct err err = {0};
    struct json *part = json_load(path, &err);

    CHECK(part != NULL);
    for (int by = 0; by < NRUNTIMES; by++)
        if (!strncmp(runtime_names[by], "nccl_", 5) &&
            m->messages[by][PATH_GDR][OFF_NODE].nsegments) {
            all++;
            has += part_has(part, runtime_names[by]);
        }
    if (has && has < all)
        fprintf(stderr, "%s: %u of %u runtimes of NCCL on %s\n", path, has, all,
                m->name);
    CHECK(!has || has == all);
    json_free(part);
    free(path);
    return has;
}

/* Returns the sum over the parts of NICs that a platform extends. */
static unsigned check_platform(const char *path)
{
    unsigned has = 0;
    struct err err = {0};
    struct json *doc = json_load(path, &err);
    const struct json *bases = doc ? json_member(doc, "extends") : NULL;
    struct machine m;

    CHECK(doc != NULL);
    for (size_t i = 0; bases && i < json_size(bases); i++) {
        const char *name =
            json_is_array(bases) ? json_string(json_at(bases, i)) : NULL;
        if (!name || strncmp(name, "parts/nics-", 11) != 0)
            continue;
        CHECK(platform_load(&m, path, NULL, 0, &err) == 0);
        has += check_part(&m, name);
        machine_clear(&m);
    }
    json_free(doc);
    return has;
}

int main(void)
{
    unsigned has = 0;
    glob_t found;

    CHECK_EQ(glob("platforms/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        has += check_platform(found.gl_pathv[i]);
    globfree(&found);
    CHECK(has > 0);
    return check_result();
}
