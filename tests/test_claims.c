/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each claim can fail: on a machine with a suitable defect it does. The
 * expensive ones are left to `sluice claims` itself. */
#include "tests/check.h"
#include "results/papers/claims.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the status of one claim on the platforms with these changes; `part`
 * must be in its evidence. */
static enum claim_status status_with(const char *id, const char *const *sets,
                                     size_t nsets, const char *part)
{
    struct claim_request request = {&id, 1, sets, nsets, NULL};
    struct claim_result *r;
    struct err err = {0};
    size_t n;

    if (claims_check(&r, &n, &request, &err) < 0) {
        fprintf(stderr, "%s: %s\n", id, err.text);
        exit(1);
    }
    CHECK_EQ(n, 1);
    CHECK(!strcmp(r[0].id, id));
    CHECK(r[0].text && *r[0].text);
    CHECK(r[0].evidence && *r[0].evidence);
    enum claim_status got = r[0].status;
    CHECK_HAS(r[0].evidence, part);
    if (got == NOT_REPRODUCED)
        CHECK_HAS(r[0].evidence, "fails (");
    else
        CHECK(strstr(r[0].evidence, "fails (") == NULL);
    claims_free(r, n);
    return got;
}

static enum claim_status status(const char *id, const char *const *sets,
                                size_t nsets)
{
    return status_with(id, sets, nsets, "run: ");
}

static void test_all_there(void)
{
    static const struct {
        char letter;
        int n;
    } papers[] = {{'L', 25}, {'A', 54}, {'F', 31}, {'K', 22}, {'I', 21}};
    struct claim_result *all;
    struct err err = {0};
    size_t n, at = 0;
    char id[16];

    CHECK_EQ(claims_read(&all, &n, &err), 0);
    CHECK_EQ(n, 25 + 54 + 31 + 22 + 21);
    for (size_t p = 0; p < NCLAIM_PAPERS; p++)
        for (int i = 1; i <= papers[p].n && at < n; i++) {
            snprintf(id, sizeof id, "%c%02d", papers[p].letter, i);
            CHECK(!strcmp(all[at++].id, id));
        }
    claims_free(all, n);
}

static void test_can_fail(void)
{
    /* A message on the socket takes longer than any other. */
    const char *slow_socket[] = {
        "messages.cpu.on_socket.segments.0.alpha_us=50"};
    CHECK_EQ(status("L01", NULL, 0), REPRODUCED);
    CHECK_EQ(status("L01", slow_socket, 1), NOT_REPRODUCED);

    /* The processes of a GPU share nothing. */
    const char *no_engine[] = {"copies.engine_us=0",
                               "node.wire_types.nvlink-cpu.bandwidth_GBps="
                               "10000"};
    CHECK_EQ(status("L03", NULL, 0), REPRODUCED);
    CHECK_EQ(status("L03", no_engine, 2), NOT_REPRODUCED);

    /* A message between GPUs is quick. */
    const char *quick_gpu[] = {"messages.gpu.on_node.segments.0.alpha_us=1"};
    CHECK_EQ(status("L04", NULL, 0), REPRODUCED);
    CHECK_EQ(status("L04", quick_gpu, 1), NOT_REPRODUCED);
}

static void refused(const struct claim_request *request, const char *want)
{
    struct claim_result *r;
    struct err err = {0};
    size_t n;

    CHECK_EQ(claims_check(&r, &n, request, &err), -1);
    CHECK_HAS(err.text, want);
}

static void test_order_and_unknown(void)
{
    const char *ids[] = {"L04", "A01", "L01"}, *unknown[] = {"L1"};
    const char *bad[] = {"no.such.key=1"}, *paper[] = {"chenn"};
    struct claim_result *r;
    struct err err = {0};
    size_t n;

    CHECK_EQ(claims_check(&r, &n,
                          &(struct claim_request){ids, 3, NULL, 0, NULL}, &err),
             0);
    CHECK_EQ(n, 3);
    CHECK(!strcmp(r[0].id, "L01") && !strcmp(r[1].id, "L04"));
    CHECK(!strcmp(r[2].id, "A01"));
    claims_free(r, n);
    refused(&(struct claim_request){unknown, 1, NULL, 0, NULL},
            "did you mean L01?");
    refused(&(struct claim_request){paper, 1, NULL, 0, NULL},
            "did you mean chen?");
    refused(&(struct claim_request){ids, 2, bad, 1, NULL}, "no.such.key");
}

int main(void)
{
    test_all_there();
    test_can_fail();
    test_order_and_unknown();
    return check_result();
}
