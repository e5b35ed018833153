/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the banner of a MatrixMarket file. */
#include "workloads/mtx_banner.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

int mtx_banner(struct mtx_kind *kind, const char *line, struct err *err)
{
    char object[16] = "", format[16] = "", field[16] = "", symmetry[16] = "";

    if (strncmp(line, "%%MatrixMarket", 14) != 0)
        return fail(err, "not a MatrixMarket file: it does not start with "
                         "%%%%MatrixMarket");
    sscanf(line + 14, "%15s %15s %15s %15s", object, format, field, symmetry);
    if (!strcasecmp(format, "array"))
        return fail(err, "a dense matrix (array): expected a sparse one "
                         "(coordinate)");
    if (!strchr(" \t\r\n", line[14]) || strcasecmp(object, "matrix") != 0 ||
        strcasecmp(format, "coordinate") != 0)
        return fail(err, "expected %%%%MatrixMarket matrix coordinate");

    *kind = (struct mtx_kind){0};
    if (!strcasecmp(field, "real") || !strcasecmp(field, "integer"))
        kind->values = 1;
    else if (!strcasecmp(field, "complex"))
        kind->values = 2;
    else if (strcasecmp(field, "pattern") != 0)
        return fail(err, "expected real, integer, complex or pattern as the "
                         "fourth word");
    kind->strictly_lower = !strcasecmp(symmetry, "skew-symmetric");
    kind->lower_only = kind->strictly_lower ||
                       !strcasecmp(symmetry, "symmetric") ||
                       !strcasecmp(symmetry, "hermitian");
    if (!kind->lower_only && strcasecmp(symmetry, "general") != 0)
        return fail(err, "expected general, symmetric, skew-symmetric or "
                         "hermitian as the fifth word");
    return 0;
}
