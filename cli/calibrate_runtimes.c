/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts measured costs of communication runtimes into a platform, and prints
 * them. */
#include "cli/calibrate_runtimes.h"

#include "base/json.h"
#include "cli/calibrate_costs.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit_runtimes.h"

int calibrate_runtimes(const char *base, const char *path,
                       const struct calibrate_to *to, struct err *err)
{
    struct runtime_points points;
    struct fit_runtimes f = {0};
    struct json *doc = platform_json(base, NULL, 0, err);

    if (!doc)
        return -1;
    if (runtime_points_load(&points, path, err) < 0) {
        json_free(doc);
        return -1;
    }
    int result = fit_runtimes(&f, doc, &points, err);
    if (result == 0)
        result = calibrate_write(doc, f.rows, f.nrows, to, err);
    fit_runtimes_clear(&f);
    runtime_points_clear(&points);
    json_free(doc);
    return result;
}
