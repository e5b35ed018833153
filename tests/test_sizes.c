/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of sizes in the words of workloads. */
#include "workloads/sizes.h"

#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sizes(const char *words, const char *wanted)
{
    struct sizes s;
    struct err err;
    char text[256] = "";

    if (sizes_read(&s, words, &err) < 0) {
        CHECK_HAS(err.text, wanted);
        return;
    }
    for (size_t i = 0; i < s.n; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%llu", i ? " " : "",
                 (unsigned long long)s.bytes[i]);
    }
    CHECK_HAS(text, wanted);
    CHECK_EQ(strlen(text), strlen(wanted));
    sizes_clear(&s);
}

int main(void)
{
    sizes("allreduce:bytes=8..64", "8 16 32 64");
    sizes("allreduce:bytes=8..63,element=8", "8 16 32");
    sizes("allreduce:element=8,bytes=1k..1M*32", "1024 32768 1048576");
    sizes("x:bytes=8..32+8", "8 16 24 32");
    sizes("x:bytes=8..31+8", "8 16 24");
    sizes("x:bytes=8..9+100", "8");
    sizes("x:bytes=7..7", "7");
    sizes("x:bytes=9223372036854775808..18446744073709551615",
          "9223372036854775808");
    /* There is none. */
    sizes("x:bytes=8", "");
    sizes("spmv:a..b.mtx", "");
    sizes("x:megabytes=8..9", "");
    sizes("x:bytes=-8..9", "expected FIRST..LAST");
    sizes("x:bytes=8..9x", "expected FIRST..LAST");
    sizes("x:bytes=8..9+", "expected FIRST..LAST");
    sizes("x:bytes=8..9+0", "expected FIRST..LAST");
    sizes("x:bytes=..9", "expected FIRST..LAST");
    sizes("x:bytes=8..1G*0", "a factor of 2");
    sizes("x:bytes=1..1001+1", "more than 1000 sizes");

    char *one = sizes_words("x:a=1,bytes=8..64*2,b=2", 16);
    CHECK_HAS(one, "x:a=1,bytes=16,b=2");
    free(one);
    return check_result();
}
