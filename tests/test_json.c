/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON: refused texts and their errors, values read, --set applied. */
#include "base/json.h"

#include "tests/check.h"

#include <stdlib.h>
#include <unistd.h>

/* Returns the error of a text that must be refused. */
static const char *refused(const char *text)
{
    static struct err err;
    struct json *doc = json_parse(text, "x.json", &err);

    CHECK(!doc);
    json_free(doc);
    return err.text;
}

static void test_refused_text(void)
{
    CHECK_HAS(refused("{\"a\": 1,\n \"b\" 2}"), "x.json:2:6: not JSON from");
    CHECK_HAS(refused("{\"a\": [1, 2"), "x.json:1:12: the text ends");
    CHECK_HAS(refused(""), "x.json:1:1: the text ends");
    CHECK_HAS(refused("{} x"), "x.json:1:4: not JSON from here: x");
    CHECK_HAS(refused("{\"a\": nan}"), "x.json:1:7: not JSON");
    CHECK_HAS(refused("{\"a\": {\"bcd\": 1, \"bcd\": 2}}"),
              "x.json: bcd: this key stands twice");
    CHECK_HAS(refused("{\"a\": 1e999}"), "x.json: a: expected a finite");
    CHECK_HAS(refused("[\"a\nb\"]"), "x.json:1:4: control character");
    CHECK_HAS(refused("[1,\v2]"), "x.json:1:4: control character");
    CHECK_HAS(refused("[\"a\\u0000b\"]"), "x.json:1:4: \\u0000");
}

static void test_depth(void)
{
    enum { N = 200000 };
    char *text = xmalloc(N + 1);

    memset(text, '[', N);
    text[N] = 0;
    CHECK_HAS(refused(text), "x.json:1:101: nested too deep");
    free(text);
}

static void test_files(void)
{
    char path[] = "/tmp/sluice-json-XXXXXX";
    int fd = mkstemp(path);
    struct err err = {0};

    CHECK(fd >= 0);
    CHECK(write(fd, "{\"a\":\0}", 7) == 7);
    close(fd);
    CHECK(!json_load(path, &err));
    CHECK_HAS(err.text, ":1:6: a 0 byte");
    unlink(path);
    CHECK(!json_load(path, &err));
    CHECK_HAS(err.text, "cannot be read: No such file");
    CHECK(!json_load("/tmp", &err));
    CHECK_HAS(err.text, "/tmp: cannot be read: Is a directory");
}

static struct json *some_values(void)
{
    struct err err = {0};

    return json_parse("{\"s\":\"text\",\"n\":-2.5,\"c\":3,\"b\":true,"
                      "\"a\":[1,[]],\"z\":0,\"big\":1e17}",
                      "x", &err);
}

static void test_values(void)
{
    struct err err = {0};
    struct json *o = some_values();
    const char *s;
    double n;
    bool b;
    uint64_t c;
    struct json *a;

    CHECK(json_get_string(o, "s", &s, &err) == 0 && !strcmp(s, "text"));
    CHECK(json_get_number(o, "n", &n, &err) == 0 && n == -2.5);
    CHECK(json_get_count(o, "c", &c, &err) == 0 && c == 3);
    CHECK(json_get_bool(o, "b", &b, &err) == 0 && b);
    CHECK(json_get_array(o, "a", &a, &err) == 0 && json_size(a) == 2);
    CHECK(json_is_array(json_at(a, 1)) && !json_at(a, 2));
    json_free(o);
}

static void test_other_values(void)
{
    struct err err = {0};
    struct json *o = some_values();
    const char *s;
    double n;

    CHECK(json_get_string(o, "n", &s, &err) < 0);
    CHECK_HAS(err.text, "n: expected a string, got -2.5");
    CHECK(json_get_number(o, "s", &n, &err) < 0);
    CHECK_HAS(err.text, "s: expected a number, got \"text\"");
    CHECK(json_get_number(o, "none", &n, &err) < 0);
    CHECK_HAS(err.text, "none: expected a number, got nothing");
    json_free(o);
}

static void test_other_ranges(void)
{
    struct err err = {0};
    struct json *o = some_values();
    double n;
    bool b;
    uint64_t c;
    struct json *a;

    CHECK(json_get_positive(o, "z", &n, &err) < 0);
    CHECK_HAS(err.text, "z: expected a number above 0, got 0");
    CHECK(json_get_not_negative(o, "n", &n, &err) < 0);
    CHECK_HAS(err.text, "n: expected a number not below 0, got -2.5");
    CHECK(json_get_count(o, "n", &c, &err) < 0);
    CHECK(json_get_count(o, "big", &c, &err) < 0);
    CHECK(json_get_bool(o, "c", &b, &err) < 0);
    CHECK_HAS(err.text, "c: expected true or false, got 3");
    CHECK(json_get_object(o, "a", &a, &err) < 0);
    CHECK_HAS(err.text, "a: expected an object, got an array");
    json_free(o);
}

static void test_keys(void)
{
    struct err err = {0};
    struct json *o = some_values();

    CHECK(json_only_keys(o, (const char *[]){"s"}, 1, &err) < 0);
    CHECK_HAS(err.text, "n: unknown key");
    json_free(o);

    o = json_parse("{\"bandwith\": 1}", "x", &err);
    CHECK(json_only_keys(o, (const char *[]){"latency", "bandwidth"}, 2, &err) <
          0);
    CHECK_HAS(err.text, "bandwith: unknown key (did you mean bandwidth?)");
    json_free(o);
}

static void test_print(void)
{
    struct json *o = json_new_object(), *a = json_new_array();
    struct err err = {0};

    json_add_number(o, "third", 1.0 / 3);
    json_add_number(o, "whole", 1099511627776);
    json_add_number(o, "tiny", 1.86e-9);
    json_add_number(o, "none", NAN);
    json_add_string(o, "text", "a \"b\"\\");
    json_add_bool(o, "yes", true);
    json_append(a, json_new_number(1));
    json_append(a, json_new_string("b"));
    json_add(o, "array", a);
    json_add(o, "empty", json_new_object());
    char *text = json_text(o);
    CHECK(!strcmp(text, "{\n"
                        "  \"third\": 0.3333333333333333,\n"
                        "  \"whole\": 1099511627776,\n"
                        "  \"tiny\": 1.86e-09,\n"
                        "  \"none\": null,\n"
                        "  \"text\": \"a \\\"b\\\"\\\\\",\n"
                        "  \"yes\": true,\n"
                        "  \"array\": [1, \"b\"],\n"
                        "  \"empty\": {}\n"
                        "}\n"));
    json_free(o);

    /* The printed text reads back, and prints the same again. */
    o = json_parse(text, "again", &err);
    char *again = json_text(o);
    CHECK(!strcmp(text, again));
    free(text);
    free(again);
    json_free(o);
}

static const char *after(const char *setting)
{
    static struct err err;
    static char buf[200];
    struct json *o = json_parse("{\"a\":{\"b\":[1,{\"c\":2}]}}", "x", &err);

    if (json_set(o, setting, &err) < 0) {
        json_free(o);
        return err.text;
    }
    char *text = json_text(json_member(o, "a"));
    snprintf(buf, sizeof buf, "%s", text);
    free(text);
    json_free(o);
    return buf;
}

static void test_set(void)
{
    CHECK_HAS(after("a.b.1.c=2.5"), "[1, { \"c\": 2.5 }]");
    CHECK_HAS(after("a.b.0=true"), "[true, { \"c\": 2 }]");
    CHECK_HAS(after("a.b.0=fat_tree"), "[\"fat_tree\", ");
    CHECK_HAS(after("a.b=[4, 4]"), "\"b\": [4, 4]");
    CHECK_HAS(after("a.new=1"), "\"new\": 1");
    CHECK_HAS(after("a.bb.0=1"), "a.bb.0=1: no key \"bb\" (did you mean b?)");
    CHECK_HAS(after("a.b.2=1"), "expected a place in an array of 2, got \"2\"");
    CHECK_HAS(after("a.b.x.c=1"), "array of 2, got \"x\"");
    CHECK_HAS(after("a.b.0.c=1"), "object or array before \"c\", got a number");
    CHECK_HAS(after("a.b"), "a.b: expected KEY=VALUE");
    CHECK_HAS(after("=1"), "=1: expected KEY=VALUE");
}

static void test_at_path(void)
{
    struct err err = {0};
    struct json *doc =
        json_parse("{\"a\": {\"b\": [1, {\"c\": 2}]}}", "a text", &err);

    CHECK_NEAR(json_number(json_at_path(doc, "a.b.1.c")), 2, 0);
    CHECK_NEAR(json_number(json_at_path(doc, "a.b.0")), 1, 0);
    CHECK(!json_at_path(doc, "a.b.2"));
    CHECK(!json_at_path(doc, "a.b.x"));
    CHECK(!json_at_path(doc, "a.b.0.c"));
    CHECK(!json_at_path(doc, "a.c"));
    json_free(doc);
}

int main(void)
{
    test_refused_text();
    test_depth();
    test_files();
    test_values();
    test_other_values();
    test_other_ranges();
    test_keys();
    test_print();
    test_set();
    test_at_path();
    return check_result();
}
