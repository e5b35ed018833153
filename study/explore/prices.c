/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads prices and powers of the parts of a machine, and sums them. */
#include "study/explore/prices.h"

static int read_rates(struct rates *r, const struct json *o, struct err *err)
{
    static const char *const keys[] = {"node",   "socket", "core",
                                       "gpu",    "nic",    "nic_GBps",
                                       "switch", "about",  "source"};
    double *const to[] = {&r->node, &r->socket,   &r->core,   &r->gpu,
                          &r->nic,  &r->nic_GBps, &r->switch_};

    if (json_only_keys(o, keys, sizeof keys / sizeof keys[0], err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
        if (json_member(o, keys[i]) &&
            json_get_not_negative(o, keys[i], to[i], err) < 0)
            return -1;
    return 0;
}

static int read_table(struct rates *r, bool *has, const struct json *o,
                      const char *key, struct err *err)
{
    struct json *table;

    if (!json_member(o, key))
        return 0;
    if (json_get_object(o, key, &table, err) < 0)
        return -1;
    *has = true;
    return read_rates(r, table, err) < 0 ? fail_in(err, "%s", key) : 0;
}

int prices_read(struct prices *p, const struct json *o, struct err *err)
{
    static const char *const keys[] = {"dollars", "watts", "about", "source"};

    *p = (struct prices){0};
    if (!json_is_object(o))
        return fail(err, "expected an object, got %s", json_type_name(o));
    if (json_only_keys(o, keys, sizeof keys / sizeof keys[0], err) < 0 ||
        read_table(&p->dollars, &p->has_dollars, o, "dollars", err) < 0)
        return -1;
    return read_table(&p->watts, &p->has_watts, o, "watts", err);
}

double rates_sum(const struct rates *r, const struct machine *m, unsigned nodes)
{
    double one = r->node + r->socket * m->nsockets + r->core * m->ncores +
                 r->gpu * m->ngpus + r->nic * m->nnics +
                 r->switch_ * m->nswitches +
                 r->nic_GBps * machine_injection_Bps(m) * 1e-9;

    return one * nodes;
}
