/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the parameters of platforms: their groups of numbers that vary
 * together, and machines that are drawn from every platform. */
#include "platforms/platform.h"
#include "platforms/settings.h"
#include "study/advise/draws.h"
#include "study/advise/parameters.h"
#include "tests/check.h"

#include <stdlib.h>

static size_t places_of(const struct parameters *p, const char *name)
{
    size_t i = parameters_find(p, name);

    CHECK(i != SIZE_MAX);
    return i == SIZE_MAX ? 0 : p->list[i].nplaces;
}

/* Numbers that vary together have a common name: both NICs, both ends of a
 * message, and the ends that are assumed for all messages on a node. */
static void test_groups(void)
{
    struct parameters p;
    struct err err = {0};
    struct json *doc = platform_json("lassen", NULL, 0, &err);
    const char *const send = "messages.cpu.off_node.segments.0.send_us+recv_us";

    CHECK(doc != NULL);
    parameters_of(&p, doc, "lassen");
    json_free(doc);
    CHECK_EQ(places_of(&p, "node.devices.*.message_gap_ns"), 2);
    CHECK_EQ(places_of(&p, send), 2);
    size_t i = parameters_find(&p, send);
    CHECK_EQ(p.list[i].from, PROVENANCE_FIT);
    CHECK_NEAR(spread_sigma(&p.list[i].spread),
               hypot(0.065, log(1.05) / 1.959963984540054), 1e-9);
    CHECK(places_of(&p, "messages.cpu.shared_cache+on_socket+on_node.segments"
                        ".*.send_us+recv_us") > 10);
    CHECK_EQ(places_of(&p, "messages.cpu.off_node.segments.0.alpha_us"), 1);
    CHECK_EQ(parameters_find(&p, "node.devices.6.message_gap_ns"), SIZE_MAX);
    /* A number that is named itself leaves its group. */
    size_t inverse;
    i = parameters_take(&p, "messages.cpu.off_node.segments.0.recv_us",
                        &inverse);
    CHECK(i != SIZE_MAX && p.list[i].nplaces == 1 && inverse == SIZE_MAX);
    CHECK_EQ(parameters_find(&p, send), SIZE_MAX);
    CHECK_EQ(places_of(&p, "messages.cpu.off_node.segments.0.send_us"), 1);
    i = parameters_take(&p, "nic", &inverse);
    CHECK(i != SIZE_MAX && p.list[i].nplaces == 4);
    CHECK(inverse != SIZE_MAX && p.list[inverse].nplaces > 4);
    CHECK_EQ(parameters_take(&p, "nick", &inverse), SIZE_MAX);
    parameters_clear(&p);
}

/* Checks that every number of a platform is in one parameter, whose name is
 * made only from its numbers. */
static void check_names(const char *platform)
{
    struct parameters p;
    struct err err = {0};
    struct json *doc = platform_json(platform, NULL, 0, &err);

    CHECK(doc != NULL);
    parameters_of(&p, doc, platform);
    json_free(doc);
    for (size_t i = 0; i < p.n; i++) {
        struct group g;
        size_t n = 0;
        group_init(&g, p.doc, p.list[i].key);
        for (size_t k = 0; k < p.nnumbers; k++) {
            bool is = group_find(&g, p.numbers[k].key) != SIZE_MAX;
            CHECK_EQ(is, p.numbers[k].of == i);
            n += is;
        }
        CHECK_EQ(n, p.list[i].nplaces);
        group_clear(&g);
    }
    parameters_clear(&p);
}

/* Checks that machines of a platform can be read, both within the spreads and
 * far from them. */
static void draw_platform(const char *name)
{
    struct machine_maker maker;
    struct parameters p;
    struct err err = {0};
    struct machine m;
    struct json *doc = platform_json(name, NULL, 0, &err);

    CHECK(doc != NULL);
    parameters_of(&p, doc, name);
    json_free(doc);
    double *factors = draws_make(&p, 6, 11);
    for (size_t i = 0; i < p.n; i++)
        factors[i] = i % 2 ? 10 : 0.1;
    for (size_t i = 0; i < p.n; i++)
        factors[p.n + i] = i % 2 ? 0.1 : 10;
    maker_init(&maker, &p);
    for (size_t d = 0; d < 6; d++) {
        int result = maker_machine(&m, &maker, factors + d * p.n, &err);
        CHECK_EQ(result, 0);
        if (result < 0)
            fprintf(stderr, "%s: %s\n", name, err.text);
        if (result == 0)
            machine_clear(&m);
    }
    maker_clear(&maker);
    free(factors);
    parameters_clear(&p);
}

static void test_platforms(void)
{
    struct platform_list list;

    platform_list(&list);
    CHECK(list.n > 20);
    for (size_t i = 0; i < list.n; i++)
        draw_platform(list.entries[i].name);
    for (size_t i = 0; i < list.n; i++)
        check_names(list.entries[i].name);
    platform_list_clear(&list);
}

int main(void)
{
    test_groups();
    test_platforms();
    return check_result();
}
