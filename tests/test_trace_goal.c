/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GOAL schedules: operations, labels and their dependencies, the order in which
 * operations are read, comments, and refusals. */
#include "tests/trace_text.h"

/* Checks one rank of two, with these lines; the other computes nothing. */
static void test_block(const char *lines, const char *want)
{
    char *text =
        xasprintf("num_ranks 2\n\nrank 0 {\n%s}\nrank 1 {\n}\n", lines);
    char *path = scratch_file("s.goal", text);
    struct trace t;
    struct err err = {0};

    CHECK_EQ(trace_open(&t, path, &err), 0);
    if (!err.text[0]) {
        CHECK_EQ(t.ranks, 2);
        check_trace_text(&t, 0, want);
        check_trace_text(&t, 0, ""); /* the end stays the end */
        CHECK_EQ(trace_rewind(&t, 0, &err), 0);
        check_trace_text(&t, 0, want);
        check_trace_text(&t, 1, "");
        trace_close(&t);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    free(path);
    free(text);
}

static void test_operations(void)
{
    test_block("l0: recv 4096b from 1 tag 0\nl1: send 8192b to 1 tag 7\n"
               "b0: calc 1500\nb0 requires l0\nb0 requires l1\n"
               "l2: send 100b to 1 tag 1 cpu 3 nic 2\nl2 irequires l1\n"
               "l2 requires b0\nrecv 5b from -1 tag -1\ncalc 2 cpu 255\n",
               "4 recv free recv from 1 tag 0 4096 B #0\n"
               "5 send free send to 1 tag 7 8192 B #1\n"
               "6 calc free compute 1.5e-06 s #2 after #0 after #1\n"
               "9 send free send to 1 tag 1 100 B lane 3 #3 after #2 behind "
               "#1\n"
               "12 recv free recv from any tag any 5 B #4\n"
               "13 calc free compute 2e-09 s lane 255 #5\n");
}

/* A dependency that is later in the file, or named before it, is read first. */
static void test_order(void)
{
    test_block("a: calc 1\na requires c\nc requires b\nb: calc 2\nc: calc 3\n"
               "d: calc 4\n",
               "7 calc free compute 2e-09 s #1\n"
               "8 calc free compute 3e-09 s #2 after #1\n"
               "4 calc free compute 1e-09 s #0 after #2\n"
               "9 calc free compute 4e-09 s #3\n");
}

static void test_writing(void)
{
    test_block("// a comment\n/* of two\nlines */ a : calc 1\n\t// more\n"
               " b:calc 2 // behind\r\n// memory of GPU 3\n"
               "send 1 b to 1\n// exactly 1.5e-10 s\ncalc 0\ncalc 1\n",
               "6 calc free compute 1e-09 s #0\n"
               "8 calc free compute 2e-09 s #1\n"
               "10 send free send to 1 tag 0 1 B gpu #2\n"
               "12 calc free compute 1.5e-10 s #3\n"
               "13 calc free compute 1e-09 s #4\n");
}

static void test_refused(void)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"num_ranks\n", "r:1: expected a number of ranks"},
        {"num_ranks 0\n", "r:1: expected a number of ranks"},
        {"num_ranks 4000000000\nrank 0 {\n}\n", "4000000000 ranks in a file"},
        {"num_ranks 1\n", "rank 0 of 1 has no block"},
        {"num_ranks 1\nrank 0 {\n", "the file ends within a block"},
        {"num_ranks 1\nrank 0 {\n/* x\n}\n", "a comment has no end"},
        {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "r:4: rank 0 has two"},
        {"num_ranks 1\nrank 1 {\n}\n", "r:2: rank 1 of 1"},
        {"num_ranks 1\nrank 0\n{\n}\n", "r:2: expected 'rank', a number and {"},
        {"num_ranks 1\nhello\n", "r:2: expected 'rank', a number and {"},
        {"num_ranks 2\nrank 0 {\nrank 1 {\n}\n", "r:3: expected the } of"},
    };
    static const struct {
        const char *line, *part;
    } lines[] = {
        {"send 4b to 1", "r:3: rank 0: expected a rank that there is, got '1'"},
        {"send 4b to -1", "expected a rank that there is, got '-1'"},
        {"recv 4b from -2", "expected a rank that there is, or -1, got '-2'"},
        {"send 4 to 0", "expected a size such as 4096b, got '4'"},
        {"send xb to 0", "expected a size such as 4096b, got 'xb'"},
        {"send 4b from 0", "expected to, got 'from'"},
        {"send 4b to 0 tag -1", "expected a tag, got '-1'"},
        {"send 4b to 0 tag 4294967295", "expected a tag"},
        {"send 4b to 0 tag", "expected a tag, and the line ends"},
        {"send 4b to 0 cpu 256", "expected a number up to 255, got '256'"},
        {"send 4b to 0 hand 1", "expected tag, cpu, nic or the end"},
        {"calc 1 tag 1", "expected cpu, or the end of the line, got 'tag'"},
        {"calc -1", "expected a whole number of ns, got '-1'"},
        {"calc 1.5", "expected a whole number of ns, got '1.5'"},
        {"calc 99999999999999999999", "expected a whole number of ns"},
        {"a: a: calc 1", "expected send, recv or calc, got 'a:'"},
        {"1: calc 1", "expected a label, got '1'"},
        {"a requires", "expected a label, and the line ends"},
        {"a needs b", "expected a colon, requires or irequires, got 'needs'"},
        {"a requires b c", "expected the end of the line, got 'c'"},
        {"a requires b", "r:3: rank 0: expected the label of an operation, got "
                         "'a'"},
        {"a: calc 1\na requires b", "r:4: rank 0: expected the label of an "
                                    "operation, got 'b'"},
        {"a: calc 1\na: calc 1", "r:4: rank 0: expected a label that is not"},
        {"a: calc 1\nb: calc 1\na requires b\nb requires a", "r:3: rank 0: "
                                                             "requires what, "
                                                             "in a circle"},
        {"a: calc 1\na requires a", "in a circle"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_trace_refused("r", cases[i].text, cases[i].part);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *text = xasprintf("num_ranks 1\nrank 0 {\n%s\n}\n", lines[i].line);
        check_trace_refused("r", text, lines[i].part);
        free(text);
    }
}

int main(void)
{
    scratch_make();
    test_operations();
    test_order();
    test_writing();
    test_refused();
    scratch_clear();
    return check_result();
}
