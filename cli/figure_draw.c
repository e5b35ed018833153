/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files of a figure: its table as CSV, its pictures by gnuplot. */
#include "cli/figure_draw.h"

#include "base/datafile.h"

#include <ctype.h>
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

static int count_files(const struct figure *f)
{
    return figure_is_table(f) ? NTABLE_FILES : NFIGURE_FILES;
}

char *figure_file(const struct figure *f, int i)
{
    static const char *const ends[NFIGURE_FILES] = {"csv", "svg", "pdf", "png"};

    if (i >= count_files(f))
        return NULL;
    if (figure_is_table(f))
        return xasprintf("%s.%s", f->name, i == TABLE_MD ? "md" : "csv");
    return xasprintf("fig-%s.%s", f->name, ends[i]);
}

int figure_folder(const char *folder, struct err *err)
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

static int open_all(struct outfile *files, int n, const char *folder,
                    const struct figure *f, struct err *err)
{
    for (int i = 0; i < n; i++) {
        char *name = figure_file(f, i);
        char *path = xasprintf("%s/%s", folder, name);
        int result = outfile_open(&files[i], path, err);
        free(path);
        free(name);
        if (result < 0) {
            abandon(files, i);
            return -1;
        }
    }
    return 0;
}

static int close_all(struct outfile *files, int n, struct err *err)
{
    for (int i = 0; i < n; i++)
        if (outfile_close(&files[i], err) < 0) {
            abandon(files + i + 1, n - i - 1);
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
    char *template = datafile_find(name, err);
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

static int print_csv(const struct figure *f, const struct figure_input *in,
                     const struct outfile *file, FILE *vars,
                     const char *command, struct err *err)
{
    FILE *csv = file->stream;

    fprintf(csv, "# %s\n# %s; ", command, f->about);
    if (in->m)
        fprintf(csv, "platform %s; ", in->m->name);
    fprintf(csv, "sluice %s\n", SLUICE_VERSION);
    /* A simulating child would write what waits in the buffer once more. */
    fflush(NULL);
    if (f->make(csv, vars, in, err) < 0)
        return -1;
    if (fflush(csv) != 0)
        return fail_work(err, "%s: cannot be written: %s", file->path,
                         strerror(errno));
    return 0;
}

static int fill_table(const struct figure *f, const struct figure_input *in,
                      const struct outfile *files, const char *command,
                      struct err *err)
{
    FILE *md = files[TABLE_MD].stream;

    fprintf(md, "# %c%s\n\n    %s\n\n", toupper((unsigned char)*f->about),
            f->about + 1, command);
    return print_csv(f, in, &files[TABLE_CSV], md, command, err);
}

static int fill(const struct figure *f, const struct figure_input *in,
                const struct outfile *files, const char *command,
                struct err *err)
{
    char *vars;
    size_t size;
    FILE *to = open_memstream(&vars, &size);

    int result = print_csv(f, in, &files[FIGURE_CSV], to, command, err);
    fclose(to);
    if (result == 0)
        result = draw(f, files, in->m ? in->m->name : "", vars, err);
    free(vars);
    return result;
}

int figure_write(const struct figure *f, const struct figure_input *in,
                 const char *folder, const char *command, struct err *err)
{
    struct outfile files[NFIGURE_FILES];
    int n = count_files(f);

    if (figure_folder(folder, err) < 0 ||
        open_all(files, n, folder, f, err) < 0)
        return -1;
    if ((n == NTABLE_FILES ? fill_table : fill)(f, in, files, command, err) <
        0) {
        abandon(files, n);
        return -1;
    }
    return close_all(files, n, err);
}
