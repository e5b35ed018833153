/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fuzzer's corpus, a file of each symmetry and of each kind of damage:
 * bad-* is refused with its name first, the others give a matrix. */
#include "tests/check.h"
#include "workloads/matrix.h"

#include <dirent.h>
#include <stdlib.h>

#define CORPUS "tests/corpus/matrix"

static void check_good(const struct matrix *m, const char *path)
{
    CHECK(m->rows > 0);
    CHECK_EQ(m->row_ptr[0], 0);
    for (uint32_t row = 0; row < m->rows; row++)
        CHECK(m->row_ptr[row] <= m->row_ptr[row + 1]);
    for (uint64_t k = 0; k < m->row_ptr[m->rows]; k++)
        CHECK(m->col[k] < m->rows);
    CHECK(strstr(path, "/bad-") == NULL);
}

int main(void)
{
    DIR *folder = opendir(CORPUS);
    int files = 0;

    CHECK(folder != NULL);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        struct matrix m = {0};
        struct err err = {0};

        if (e->d_name[0] == '.')
            continue;
        files++;
        char *path = xasprintf("%s/%s", CORPUS, e->d_name);
        if (matrix_read(&m, path, &err) == 0) {
            check_good(&m, path);
        } else {
            CHECK_HAS(err.text, path);
            CHECK(strstr(path, "/bad-") != NULL);
        }
        matrix_clear(&m);
        free(path);
    }
    if (folder)
        closedir(folder);
    CHECK(files >= 12);
    return check_result();
}
