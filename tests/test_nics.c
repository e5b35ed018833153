/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of NICs that has its own latency for one of NCCL's runtimes has it for
 * all, because all cross the same network. */
#include "base/json.h"
#include "platforms/segment.h"
#include "tests/check.h"

#include <glob.h>
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

/* Returns the number of NCCL's runtimes that the part has. */
static unsigned check_part(const char *path)
{
    unsigned has = 0, all = 0;
    struct err err = {0};
    struct json *part = json_load(path, &err);

    CHECK(part != NULL);
    for (int by = 0; by < NRUNTIMES; by++)
        if (!strncmp(runtime_names[by], "nccl_", 5)) {
            all++;
            has += part_has(part, runtime_names[by]);
        }
    if (has && has < all)
        fprintf(stderr, "%s: %u of %u runtimes of NCCL\n", path, has, all);
    CHECK(!has || has == all);
    json_free(part);
    return has;
}

int main(void)
{
    unsigned has = 0;
    glob_t found;

    CHECK_EQ(glob("platforms/parts/nics-*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        has += check_part(found.gl_pathv[i]);
    globfree(&found);
    CHECK(has > 0);
    return check_result();
}
