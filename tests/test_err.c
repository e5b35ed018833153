/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: the message as it is widened and printed. */
#include "base/err.h"
#include "base/printable.h"
#include "tests/check.h"

static void test_failures(void)
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
}

static void test_printable(void)
{
    struct err err = {0};
    char text[64], tight[8];

    CHECK(!printable_fault("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"));
    const char *bad[] = {"a\nb",
                         "a\x1b[31m",
                         "a\x7f",
                         "a\xc2\x9b",
                         "a\xff",
                         "a\xc3",
                         "a\xc0\xaf",
                         "a\xed\xa0\x80",
                         "a\tb",
                         "a\xe2\x82",
                         "a\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(printable_fault(bad[i]) == bad[i] + 1);
        CHECK_EQ(printable_check(bad[i], "name", &err), -1);
        CHECK(!printable_fault(err.text));
    }
    CHECK(!strcmp(printable_escape(text, sizeof text, "a\n\x1b\xff\xc3\xa9"),
                  "a\\x0a\\x1b\\xff\xc3\xa9"));
    /* The text is cut between characters, never within an escape. */
    CHECK(!strcmp(printable_escape(tight, sizeof tight, "abcde\n"), "abcde"));
    CHECK(!strcmp(printable_escape(tight, sizeof tight, "abc\n"), "abc\\x0a"));
}

int main(void)
{
    test_failures();
    test_printable();
    return check_result();
}
