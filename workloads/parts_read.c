/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a partition from a user's file, with one part number per line. */
#include "workloads/parts.h"

#include "workloads/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool parts_is_file(const char *word)
{
    return strchr(word, '/') || access(word, F_OK) == 0;
}

/* Reads the number of one line, which only a comment may follow. */
static int read_part(struct text *t, uint32_t nparts, uint32_t *part)
{
    uint64_t number;

    if (!text_number(t, &number) || number >= nparts)
        return text_fail(t, "expected a part number from 0 to %u (%u GPUs)",
                         nparts - 1, nparts);
    if (!text_line_ends(t) && *t->at != '#')
        return text_fail(t, "expected one part number, and nothing after it");
    *part = (uint32_t)number;
    return 0;
}

static int parts_read_lines(struct text *t, uint32_t *part, uint32_t n,
                            uint32_t nparts, const char *what)
{
    uint32_t i = 0;
    int more;

    while ((more = text_data_line(t, "#")) > 0) {
        if (i == n)
            return text_fail(t, "more part numbers than %s: there are %u", what,
                             n);
        if (read_part(t, nparts, &part[i++]) < 0)
            return -1;
    }
    if (more == 0 && i < n)
        return text_fail(t,
                         "the file ends after %u part numbers: there are %u "
                         "%s",
                         i, n, what);
    return more;
}

static int check_none_empty(const uint32_t *part, uint32_t n, uint32_t nparts,
                            const struct text *t, const char *what)
{
    bool *has = xcalloc(nparts, sizeof *has);
    uint32_t p = 0;

    for (uint32_t i = 0; i < n; i++)
        has[part[i]] = true;
    while (p < nparts && has[p])
        p++;
    free(has);
    if (p < nparts)
        return text_fail(t,
                         "part %u has no %s up to this line, the last: there "
                         "are %u GPUs",
                         p, what, nparts);
    return 0;
}

int parts_read(uint32_t *part, uint32_t n, uint32_t nparts, const char *path,
               const char *what, struct err *err)
{
    struct text t;

    if (text_open(&t, path, err) < 0)
        return -1;
    int result = parts_read_lines(&t, part, n, nparts, what);
    if (result == 0)
        result = check_none_empty(part, n, nparts, &t, what);
    text_close(&t);
    return result;
}
