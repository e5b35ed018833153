/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names' endings, which tell packed files. */
#include "base/packed.h"
#include "base/text.h"
#include "tests/check.h"

static void test_packed(void)
{
    CHECK_EQ(packed_stem("road.mtx"), 8);
    CHECK_EQ(packed_stem("road.mtx.gz"), 8);
    CHECK_EQ(packed_stem("road.mtx.xz"), 8);
    CHECK_EQ(packed_stem("road.xz.gz"), 7);
    CHECK_EQ(packed_stem(".gz"), 3);
    CHECK_EQ(packed_stem(""), 0);
    CHECK_EQ(packed_before("a.0.et.xz", ".et"), 3);
    CHECK_EQ(packed_before("a.0.et", ".et"), 3);
    CHECK_EQ(packed_before("a.0.et.gz.txt", ".et"), 0);
    CHECK_EQ(packed_before(".et.gz", ".et"), 0);
    CHECK_EQ(packed_before("t", ".et"), 0);
}

int main(void)
{
    test_packed();
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
