/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: the accepted ones with their exact values, and the refused
 * ones. */
#include "base/doubles.h"
#include "base/number.h"
#include "base/random.h"
#include "tests/check.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void whole(const char *text, bool good, uint64_t value)
{
    uint64_t v = 0;

    if (number_whole(text, &v) != good || v != (good ? value : 0)) {
        fprintf(stderr, "whole '%s': %llu\n", text, (unsigned long long)v);
        CHECK(false);
    }
}

static void real(const char *text, bool good, double value)
{
    double v = 0;

    if (number_real(text, &v) != good || v != (good ? value : 0)) {
        fprintf(stderr, "real '%s': %.17g\n", text, v);
        CHECK(false);
    }
}

static void count(const char *text, bool good, uint64_t value)
{
    uint64_t v = 0;
    bool got = number_count(text, &v);

    if (got != good || (good && v != value)) {
        fprintf(stderr, "count '%s': %llu\n", text, (unsigned long long)v);
        CHECK(false);
    }
}

static void bytes(const char *text, bool good, uint64_t value)
{
    uint64_t v = 0;

    if (number_bytes(text, &v) != good || v != (good ? value : 0)) {
        fprintf(stderr, "bytes '%s': %llu\n", text, (unsigned long long)v);
        CHECK(false);
    }
}

static void test_bytes(void)
{
    bytes("0", true, 0);
    bytes("8", true, 8);
    bytes("8k", true, 8192);
    bytes("8K", true, 8192);
    bytes("3M", true, 3145728);
    bytes("1G", true, 1073741824);
    bytes("17179869183G", true, UINT64_C(17179869183) << 30);
    bytes("17179869184G", false, 0);
    bytes("", false, 0);
    bytes("k", false, 0);
    bytes("8kk", false, 0);
    bytes("8m", false, 0);
    bytes("8KiB", true, 8192);
    bytes("3MiB", true, 3145728);
    bytes("1GiB", true, 1073741824);
    bytes("8KB", false, 0);
    bytes("8iB", false, 0);
    bytes("8KiBi", false, 0);
    bytes("-8", false, 0);
    bytes("1.5M", false, 0);
}

/* Checks that every value equals that of strtod(), which rounds correctly, and
 * that both agree whether there is one. */
static void like_strtod(const char *text)
{
    double got = 0, want = strtod(text, NULL);
    const char *end = number_take_real(text, &got);

    if (!!end != !!isfinite(want) || number_skip_real(text) != end ||
        (end && (*end || got != want || signbit(got) != signbit(want)))) {
        fprintf(stderr, "real '%s': %.17g\n", text, got);
        CHECK(false);
    }
}

static void test_values(void)
{
    static const char *const texts[] = {
        "-0",
        "0e99999999999999999999",
        "18446744073709551616",
        "9007199254740992",
        "9007199254740993",
        "-9007199254740993e22",
        "1e22",
        "1e23",
        "123456789012345678e-22",
        "1e-22",
        "1e-23",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "4.9e-324",
        "179769313486231580793728971405301e276",
        "0.000000000000000000001e330",
        "0000000000000000000000000000000000000001e5",
        "100000000000000000000000000000000000000e-38"};
    char text[64], zeros[20064];
    uint64_t seed = 1;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        like_strtod(texts[i]);
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t digits = next_random(&seed) >> random_below(&seed, 64);
        int exponent = (int)random_below(&seed, i % 2 ? 50 : 700);
        exponent -= i % 2 ? 25 : 350;
        snprintf(text, sizeof text, "%s%llu.%0*llue%d", i % 3 ? "" : "-",
                 (unsigned long long)digits % 1000, 1 + (int)(i % 17),
                 (unsigned long long)digits / 1000, exponent);
        like_strtod(text);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits,
                 exponent);
        like_strtod(text);
    }
    /* These exponents are not read to their end. */
    memset(zeros, '0', 20000);
    strcpy(zeros + 20000, "1e-20001");
    zeros[0] = '1';
    like_strtod(zeros);
    zeros[0] = '.';
    strcpy(zeros + 20000, "1e200001");
    like_strtod(zeros);
}

static void test_four_digits(void)
{
    CHECK_NEAR(number_four_digits(123456), 123500, 0);
    CHECK_NEAR(number_four_digits(-0.000123449), -0.0001234, 0);
    CHECK_NEAR(number_four_digits(12), 12, 0);
}

static void test_medians(void)
{
    double odd[] = {5, -1, 3}, even[] = {4, 1, 2, 8};

    CHECK_NEAR(doubles_median(odd, 3), 3, 0);
    CHECK_NEAR(odd[0], -1, 0);
    CHECK_NEAR(odd[2], 5, 0);
    CHECK_NEAR(doubles_median(even, 4), 3, 0);
    CHECK(isnan(doubles_median(odd, 0)));
}

int main(void)
{
    test_bytes();
    static const char *const neither[] = {
        "",    " 1",  "1 ",  "+1", "0x8",  "0X8", "1\t",       "inf",
        "nan", "INF", "NaN", "1e", "1e+",  "e5",  ".",         "-",
        "--1", "1,5", "1_0", "1k", "1.5.", "1f",  "infinity1", "0x1p3"};
    uint64_t v;
    double d;

    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        whole(neither[i], false, 0);
        real(neither[i], false, 0);
        count(neither[i], false, 0);
    }
    whole("0", true, 0);
    whole("007", true, 7);
    whole("9007199254740993", true, 9007199254740993u); /* 2^53 + 1 */
    whole("18446744073709551615", true, UINT64_MAX);
    whole("18446744073709551616", false, 0);
    whole("99999999999999999999", false, 0);
    whole("-1", false, 0);
    whole("1.0", false, 0);
    whole("1e3", false, 0);

    real("-12.5", true, -12.5);
    real(".5", true, .5);
    real("5.", true, 5);
    real("1e-6", true, 1e-6);
    real("1E+03", true, 1000);
    real("1e309", false, 0);
    real("-1e309", false, 0);
    real("1e-400", true, 0);

    count("1e9", true, 1000000000);
    count("3.0", true, 3);
    count("3.5", false, 0);
    count("-1", false, 0);
    count("9007199254740993", true, 9007199254740993u);
    count("9007199254740993.0", false, 0);
    count("9.007199254740993e15", false, 0);
    count("1e20", false, 0);

    CHECK(*number_take_whole("12k", &v) == 'k' && v == 12);
    CHECK(!number_take_whole("k", &v));
    CHECK(*number_take_real("1.5/4", &d) == '/' && d == 1.5);
    CHECK(!number_take_real("0x8/4", &d));
    test_values();
    test_four_digits();
    test_medians();
    return check_result();
}
