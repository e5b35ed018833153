/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: the message as it is widened and printed. */
#include "base/err.h"
#include "tests/check.h"

int main(void)
{
    struct err err = {0};
    const char *known[] = {"standard/staged", "3-step/staged", "split+md"};

    CHECK_EQ(fail(&err, "links[%d]: too slow", 2), -1);
    CHECK_EQ(fail_in(&err, "duo.json"), -1);
    CHECK(!strcmp(err.text, "duo.json: links[2]: too slow"));
    CHECK(err.kind == ERR_INPUT);

    CHECK(nearest_word("split-md", known, 3) == known[2]);
    CHECK(nearest_word("3step/staged", known, 3) == known[1]);
    CHECK(nearest_word("xyzzy", known, 3) == NULL);
    return check_result();
}
