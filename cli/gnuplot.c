/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws pictures by running gnuplot in a private folder. This is no sandbox:
 * the protection is that no text of the user is in the script (gnuplot.h). */
#include "cli/gnuplot.h"

#include "base/cleanup.h"
#include "base/datafile.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The files in the folder. */
#define SCRIPT "script.gp"
#define TEXTS "texts"
#define TABLE "table.csv"
#define TEMPLATES "templates"
static const char *const pictures[NPICTURE_FORMATS] = {
    "picture.svg", "picture.pdf", "picture.png"};

/* Runs gnuplot in the folder (if NULL, in the present one) without the user's
 * settings. Returns its exit code, or -1 with err if it cannot be run. */
static int run_gnuplot(const char *argument, const char *folder,
                       struct err *err)
{
    char name[] = "gnuplot", defaults[] = "-d", *given = xstrdup(argument);
    char *argv[] = {name, defaults, given, NULL};
    posix_spawn_file_actions_t actions;
    int status = 0;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (folder)
        posix_spawn_file_actions_addchdir_np(&actions, folder);
    else
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    int why = posix_spawnp(&child, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(given);
    if (why == ENOENT)
        return fail_work(err, "gnuplot: not found on PATH (it is in the "
                              "package gnuplot-nox)");
    if (why)
        return fail_work(err, "gnuplot: cannot be run: %s", strerror(why));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail_work(err, "gnuplot: lost: %s", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int gnuplot_check(struct err *err)
{
    int code = run_gnuplot("--version", NULL, err);

    if (code > 0)
        return fail_work(err, "gnuplot: `gnuplot --version` fails");
    return code;
}

/* --- the folder ----------------------------------------------------------- */

static char *inside(const char *folder, const char *name)
{
    return xasprintf("%s/%s", folder, name);
}

static FILE *make_file(const char *folder, const char *name, struct err *err)
{
    char *path = inside(folder, name);
    FILE *to = fopen(path, "wx");

    if (!to)
        (void)fail_work(err, "%s: cannot be written: %s", path,
                        strerror(errno));
    free(path);
    return to;
}

static int close_file(FILE *to, const char *folder, const char *name,
                      struct err *err)
{
    bool bad = ferror(to);

    if (fclose(to) || bad)
        return fail_work(err, "%s/%s: cannot be written: %s", folder, name,
                         strerror(errno));
    return 0;
}

static int write_text(const char *folder, const char *name, const char *text,
                      struct err *err)
{
    FILE *to = make_file(folder, name, err);

    if (!to)
        return -1;
    fputs(text, to);
    return close_file(to, folder, name, err);
}

static int make_link(const char *folder, const char *name, const char *target,
                     struct err *err)
{
    char *whole = realpath(target, NULL);
    char *path = inside(folder, name);
    int result = 0;

    if (!whole || symlink(whole, path))
        result = fail_work(err, "%s: no link to %s: %s", path, target,
                           strerror(errno));
    free(path);
    free(whole);
    return result;
}

/* Copies the table without quoted text: this is names from the user, which are
 * not drawn, and which gnuplot reads by other rules than CSV's. */
static int copy_table(const char *folder, const char *path, struct err *err)
{
    FILE *from = fopen(path, "r");
    bool quoted = false;

    if (!from)
        return fail_work(err, "%s: cannot be read: %s", path, strerror(errno));
    FILE *to = make_file(folder, TABLE, err);
    for (int c; to && (c = getc(from)) != EOF;) {
        if (c == '#' && !quoted) { /* a comment, to the end of the line */
            while (c != EOF && c != '\n')
                c = getc(from);
            continue;
        }
        quoted ^= c == '"';
        if (!quoted && c != '"')
            putc(c, to);
    }
    fclose(from);
    return to ? close_file(to, folder, TABLE, err) : -1;
}

/* Returns the name's end, such as "svg". */
static const char *picture_kind(int i)
{
    return strchr(pictures[i], '.') + 1;
}

static int write_script(const char *folder, const struct picture *p,
                        struct err *err)
{
    FILE *to = make_file(folder, SCRIPT, err);

    if (!to)
        return -1;
    /* A byte is three digits; a 1 is put before them, because 010 would be
     * octal. */
    fprintf(to, "stats '" TEXTS "' using (0) nooutput\n"
                "array texts[int(STATS_records)]\n"
                "stats '" TEXTS "' using (texts[int($0) + 1] = strcol(1), 0) "
                "nooutput\n"
                "do for [i = 1 : |texts|] {\n"
                "    digits = texts[i]\n"
                "    decoded = ''\n"
                "    do for [at = 2 : strlen(digits) : 3] {\n"
                "        decoded = decoded.sprintf('%%c', "
                "int(real('1'.digits[at : at + 2])) - 1000)\n"
                "    }\n"
                "    texts[i] = decoded\n"
                "}\n"
                "platform = texts[1]\n"
                "csv = '" TABLE "'\nhere = '" TEMPLATES "/'\n");
    for (int i = 0; i < NPICTURE_FORMATS; i++)
        fprintf(to, "%s = '%s'\n", picture_kind(i), pictures[i]);
    fprintf(to, "template = here.'%s'\n%sdo for [kind in '", p->template,
            p->vars);
    for (int i = 0; i < NPICTURE_FORMATS; i++)
        fprintf(to, "%s%s", i ? " " : "", picture_kind(i));
    fprintf(to, "'] {\nload template\n}\n");
    return close_file(to, folder, SCRIPT, err);
}

static int link_templates(const char *folder, struct err *err)
{
    char *path = datafile_find("results/figures/style.gp", err);

    if (!path)
        return -1;
    strrchr(path, '/')[0] = 0;
    int result = make_link(folder, TEMPLATES, path, err);
    free(path);
    return result;
}

static int furnish(const char *folder, const struct picture *p, struct err *err)
{
    if (write_script(folder, p, err) < 0 ||
        write_text(folder, TEXTS, p->texts, err) < 0 ||
        copy_table(folder, p->csv, err) < 0 || link_templates(folder, err) < 0)
        return -1;
    for (int i = 0; i < NPICTURE_FORMATS; i++)
        if (make_link(folder, pictures[i], p->to[i], err) < 0)
            return -1;
    return 0;
}

static const char *const inputs[] = {SCRIPT, TEXTS, TABLE, TEMPLATES};
enum {
    NINPUTS = sizeof inputs / sizeof inputs[0],
    NNAMES = NINPUTS + NPICTURE_FORMATS
};

/* Returns the path of a file in the folder; the caller frees it. */
static char *path_of(const char *folder, size_t i)
{
    return inside(folder, i < NINPUTS ? inputs[i] : pictures[i - NINPUTS]);
}

/* Registers the files that a signal must remove. */
static void remember(int numbers[NNAMES + 1], const char *folder)
{
    for (size_t i = 0; i < NNAMES; i++) {
        char *path = path_of(folder, i);
        numbers[i] = cleanup_add(path);
        free(path);
    }
    numbers[NNAMES] = cleanup_add(folder);
}

static void clear_folder(const int numbers[NNAMES + 1], const char *folder)
{
    for (size_t i = 0; i < NNAMES; i++) {
        char *path = path_of(folder, i);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    for (size_t i = 0; i <= NNAMES; i++)
        cleanup_drop(numbers[i]);
}

int gnuplot_draw(const struct picture *p, struct err *err)
{
    const char *place = getenv("TMPDIR");
    char *folder =
        xasprintf("%s/sluice-XXXXXX", place && *place ? place : "/tmp");
    int result = 0;

    if (!mkdtemp(folder)) {
        result =
            fail_work(err, "%s: cannot be made: %s", folder, strerror(errno));
        free(folder);
        return result;
    }
    int numbers[NNAMES + 1];
    remember(numbers, folder);
    result = furnish(folder, p, err);
    if (result == 0)
        result = run_gnuplot(SCRIPT, folder, err);
    if (result > 0)
        result = fail_work(err, "%s: gnuplot fails with exit code %d",
                           p->template, result);
    clear_folder(numbers, folder);
    free(folder);
    return result;
}
