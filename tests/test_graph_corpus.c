/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fuzzer's corpus: bad-* is refused with its name first, the others give a
 * graph. */
#include "tests/check.h"
#include "workloads/graph/graph.h"

#include <dirent.h>
#include <stdlib.h>

#define CORPUS "tests/corpus/graph"

static void check_file(const char *path)
{
    struct graph g = {0};
    struct err err = {0};
    bool bad = strstr(path, "/bad-") != NULL;

    if (graph_read(&g, path, &err) == 0) {
        CHECK(!bad);
        CHECK(g.n > 0);
    } else {
        CHECK(bad);
        CHECK_HAS(err.text, path);
    }
    graph_clear(&g);
}

int main(void)
{
    DIR *folder = opendir(CORPUS);
    int files = 0;

    CHECK(folder != NULL);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        char *path = xasprintf("%s/%s", CORPUS, e->d_name);
        if (e->d_name[0] != '.') {
            files++;
            check_file(path);
        }
        free(path);
    }
    if (folder)
        closedir(folder);
    CHECK(files >= 20);
    return check_result();
}
