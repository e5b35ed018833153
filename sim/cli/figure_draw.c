/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/figure_draw.h"

#include "sim/house.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs gnuplot with fd as its standard input and without the user's settings;
 * its exit code, or -1. */
static int gnuplot(const char *argument, int fd, bool quiet, struct err *err)
{
    char name[] = "gnuplot", defaults[] = "-d", *given = xstrdup(argument);
    char *argv[] = {name, defaults, given, NULL};
    posix_spawn_file_actions_t actions;
    int status = 0;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    if (fd >= 0)
        posix_spawn_file_actions_adddup2(&actions, fd, 0);
    if (quiet)
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
    int code = gnuplot("--version", -1, true, err);

    if (code > 0)
        return fail_work(err, "gnuplot: `gnuplot --version` fails");
    return code;
}

/* With every folder above it that is not there. */
static int make_folder(const char *folder, struct err *err)
{
    char *path = xstrdup(folder);
    int result = 0;

    for (char *c = path + 1; result == 0; c++) {
        char was = *c;
        if (was != '/' && was != 0)
            continue;
        *c = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            result = fail(err, "--out %s: %s cannot be made: %s", folder, path,
                          strerror(errno));
        *c = was;
        if (!was)
            break;
    }
    free(path);
    return result;
}

static void abandon(struct outfile *files, int n)
{
    for (int i = 0; i < n; i++)
        outfile_abandon(&files[i]);
}

static int open_all(struct outfile *files, const char *folder, const char *name,
                    struct err *err)
{
    static const char *const ends[NFIGURE_FILES] = {"csv", "svg", "pdf", "png"};

    for (int i = 0; i < NFIGURE_FILES; i++) {
        char *path = xasprintf("%s/fig-%s.%s", folder, name, ends[i]);
        int result = outfile_open(&files[i], path, err);
        free(path);
        if (result < 0) {
            abandon(files, i);
            return -1;
        }
    }
    return 0;
}

static int close_all(struct outfile *files, struct err *err)
{
    for (int i = 0; i < NFIGURE_FILES; i++)
        if (outfile_close(&files[i], err) < 0) {
            abandon(files + i + 1, NFIGURE_FILES - i - 1);
            return -1;
        }
    return 0;
}

/* A gnuplot string: only ' is special in '...', and is doubled. */
static void assign(FILE *to, const char *name, const char *text)
{
    fprintf(to, "%s = '", name);
    for (; *text; text++)
        fprintf(to, *text == '\'' ? "''" : "%c", *text);
    fprintf(to, "'\n");
}

static void print_script(FILE *to, const char *template,
                         const struct outfile *files, const char *platform,
                         const char *vars)
{
    char *folder = xstrdup(template);

    strrchr(folder, '/')[1] = 0;
    assign(to, "here", folder);
    free(folder);
    assign(to, "platform", platform);
    assign(to, "csv", files[FIGURE_CSV].temporary);
    assign(to, "svg", files[FIGURE_SVG].temporary);
    assign(to, "pdf", files[FIGURE_PDF].temporary);
    assign(to, "png", files[FIGURE_PNG].temporary);
    assign(to, "template", template);
    fprintf(to, "%s", vars);
    fprintf(to, "do for [kind in 'svg pdf png'] {\nload template\n}\n");
}

static int draw(const struct figure *f, const struct outfile *files,
                const char *platform, const char *vars, struct err *err)
{
    char *name = xasprintf("results/figures/fig-%s.gp", f->name);
    char *template = house_file(name, err);
    FILE *script = template ? tmpfile() : NULL;
    int code = -1;

    if (template && !script)
        code = fail_work(err, "no temporary file: %s", strerror(errno));
    if (script) {
        print_script(script, template, files, platform, vars);
        if (fflush(script) != 0)
            code = fail_work(err, "temporary file: %s", strerror(errno));
        else
            code = gnuplot("/dev/stdin", fileno(script), false, err);
        if (code > 0)
            code = fail_work(err, "%s: gnuplot fails with exit code %d",
                             template, code);
        fclose(script);
    }
    free(template);
    free(name);
    return code;
}

static int fill(const struct figure *f, const struct figure_input *in,
                const struct outfile *files, const char *command,
                struct err *err)
{
    char *vars;
    size_t size;
    FILE *csv = files[FIGURE_CSV].stream, *to = open_memstream(&vars, &size);

    fprintf(csv, "# %s\n# %s; platform %s; sluice %s\n", command, f->about,
            in->m->name, SLUICE_VERSION);
    /* A simulating child would write what waits in the buffer once more. */
    fflush(csv);
    int result = f->make(csv, to, in, err);
    fclose(to);
    if (result == 0 && fflush(csv) != 0)
        result = fail_work(err, "%s: cannot be written: %s",
                           files[FIGURE_CSV].path, strerror(errno));
    if (result == 0)
        result = draw(f, files, in->m->name, vars, err);
    free(vars);
    return result;
}

int figure_write(const struct figure *f, const struct figure_input *in,
                 const char *folder, const char *command, struct err *err)
{
    struct outfile files[NFIGURE_FILES];

    if (make_folder(folder, err) < 0 ||
        open_all(files, folder, f->name, err) < 0)
        return -1;
    if (fill(f, in, files, command, err) < 0) {
        abandon(files, NFIGURE_FILES);
        return -1;
    }
    return close_all(files, err);
}
