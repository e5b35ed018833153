/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How names end. */
#include "base/text.h"
#include "tests/check.h"

int main(void)
{
    CHECK_EQ(text_before("tiny.json", ".json"), 4);
    CHECK_EQ(text_before("a/b.json", ".json"), 3);
    CHECK_EQ(text_before("x.json.json", ".json"), 6);
    CHECK_EQ(text_before(".json", ".json"), 0);
    CHECK_EQ(text_before("json", ".json"), 0);
    CHECK_EQ(text_before("tiny.jsonl", ".json"), 0);
    CHECK_EQ(text_before("tiny.JSON", ".json"), 0);
    CHECK_EQ(text_before("", ".json"), 0);
    return check_result();
}
