/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts spans of a track that overlap on lanes of their own. */
#include "sim/plan/timeline.h"

#include <stdlib.h>

static int by_track_and_start(const void *a, const void *b)
{
    const struct timeline_span *x = a, *y = b;

    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->from_s != y->from_s)
        return x->from_s < y->from_s ? -1 : 1;
    return x->what < y->what ? -1 : x->what > y->what;
}

/* Gives each span the first free lane of its track. */
uint32_t timeline_lanes(struct timeline_span *spans, size_t n)
{
    double *busy_until = xcalloc(n, sizeof *busy_until);
    uint32_t used = 0, most = 0;

    qsort(spans, n, sizeof *spans, by_track_and_start);
    for (size_t i = 0; i < n; i++) {
        uint32_t lane = 0;
        if (i == 0 || spans[i].track != spans[i - 1].track)
            used = 0;
        while (lane < used && busy_until[lane] > spans[i].from_s)
            lane++;
        if (lane == used)
            used++;
        busy_until[lane] = spans[i].to_s;
        spans[i].lane = lane;
        if (used > most)
            most = used;
    }
    free(busy_until);
    return most;
}

void timeline_name_lane(FILE *to, uint32_t process, uint32_t thread,
                        const char *track, uint32_t lane)
{
    char which[32] = "";

    if (lane)
        snprintf(which, sizeof which, " (%u)", lane + 1);
    fprintf(to,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
            "\"args\":{\"name\":\"%s%s\"}}",
            process, thread, track, which);
}
