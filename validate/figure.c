/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/figure.h"

#include <string.h>

const struct figure figures[] = {
    {"2.5", "one message between two CPU processes, by where they are", false,
     figure_ping},
    {"2.6", "a volume between two nodes, split over their processes", false,
     figure_ppn},
    {"3.1", "a copy from and to one GPU, split over processes", false,
     figure_copies},
    {"4.2", "the models beside the simulation of a sparse product's halo", true,
     figure_halo_model},
    {"4.3", "messages from one node to others: models and simulation", false,
     figure_scenarios},
    {"5.1", "every strategy on a sparse product's halo", true, figure_halo},
};
const size_t nfigures = sizeof figures / sizeof figures[0];

const struct figure *figure_find(const char *name, struct err *err)
{
    const char *names[sizeof figures / sizeof figures[0]];
    char known[128] = "all";
    size_t len = strlen(known);

    for (size_t i = 0; i < nfigures; i++) {
        names[i] = figures[i].name;
        if (!strcmp(name, names[i]))
            return &figures[i];
        len +=
            (size_t)snprintf(known + len, sizeof known - len, ", %s", names[i]);
    }
    const char *near = nearest_word(name, names, nfigures);
    if (near)
        return fail_null(err,
                         "%s: unknown figure (did you mean %s?); known: %s",
                         name, near, known);
    return fail_null(err, "%s: unknown figure; known: %s", name, known);
}
