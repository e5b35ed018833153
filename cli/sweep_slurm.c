/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submits the parts of a sweep by sbatch. */
#include "cli/sweep_slurm.h"

#include "base/outfile.h"
#include "cli/figure_draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The script, the same for every sweep because all differences are
 * arguments. */
static const char script[] =
    "#!/bin/sh\n"
    "# A part of a sweep: the program, the folder where it was called, the\n"
    "# folder of the parts, how many there are, and options.\n"
    "program=$1 here=$2 folder=$3 parts=$4\n"
    "shift 4\n"
    "exec >>\"$folder/$SLURM_ARRAY_TASK_ID.log\" 2>&1\n"
    "cd \"$here\" || exit 1\n"
    "exec \"$program\" sweep \"$folder/space.json\" \\\n"
    "    -o \"$folder/$SLURM_ARRAY_TASK_ID.db\" \\\n"
    "    --shard \"$SLURM_ARRAY_TASK_ID/$parts\" --progress \"$@\"\n";

/* --- arguments ------------------------------------------------------------ */

struct arguments {
    char **list; /* NULL after the last */
    size_t n;
};

static void add_argument(struct arguments *a, char *text)
{
    a->list = xrealloc(a->list, a->n + 2, sizeof *a->list);
    a->list[a->n++] = text;
    a->list[a->n] = NULL;
}

static void free_arguments(struct arguments *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->list[i]);
    free(a->list);
}

static int whole_path(char **whole, const char *path, struct err *err)
{
    *whole = realpath(path, NULL);
    return *whole ? 0 : fail(err, "%s: %s", path, strerror(errno));
}

static int own_path(char **path, struct err *err)
{
    char place[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", place, sizeof place - 1);

    if (n < 0)
        return fail_work(err, "/proc/self/exe: %s", strerror(errno));
    place[n] = 0;
    *path = xstrdup(place);
    return 0;
}

/* Puts the user's options first, so that ours override them; then the script
 * and its arguments. */
static int make_arguments(struct arguments *a, const struct sweep_slurm *s,
                          struct err *err)
{
    char *folder, *here, *program;

    if (whole_path(&folder, s->folder, err) < 0)
        return -1;
    if (whole_path(&here, ".", err) < 0 || own_path(&program, err) < 0) {
        free(folder);
        return -1;
    }
    add_argument(a, xstrdup("sbatch"));
    for (size_t i = 0; i < s->sbatch->n; i++)
        add_argument(a, xstrdup(s->sbatch->items[i]));
    add_argument(a, xstrdup("--parsable"));
    add_argument(a, xstrdup("--job-name=sluice-sweep"));
    add_argument(a, xasprintf("--array=1-%u", s->parts));
    /* The script redirects the output itself, because --output is a pattern,
     * and the folder may have a % in it. */
    add_argument(a, xstrdup("--output=/dev/null"));
    add_argument(a, xasprintf("%s/part.sh", folder));
    add_argument(a, program);
    add_argument(a, here);
    add_argument(a, folder);
    add_argument(a, xasprintf("%u", s->parts));
    for (size_t i = 0; i < s->noptions; i++)
        add_argument(a, xstrdup(s->options[i]));
    return 0;
}

/* --- submission ----------------------------------------------------------- */

static int write_script(const char *folder, struct err *err)
{
    char *path = xasprintf("%s/part.sh", folder);
    struct outfile f;
    int result = outfile_open(&f, path, err);

    free(path);
    if (result < 0)
        return -1;
    fputs(script, f.stream);
    return outfile_close(&f, err);
}

static int furnish(const struct sweep_slurm *s, struct err *err)
{
    char *path = xasprintf("%s/space.json", s->folder);
    int result = figure_folder(s->folder, err);

    if (result == 0)
        result = json_write(s->space->doc, path, err);
    free(path);
    return result < 0 ? -1 : write_script(s->folder, err);
}

/* Returns the first line of the program's output. The caller frees it. */
static char *read_line(int fd)
{
    FILE *from = fdopen(fd, "r");
    char *line = NULL;
    size_t room = 0;

    if (!from) {
        close(fd);
        return xstrdup("");
    }
    if (getline(&line, &room, from) < 0) {
        free(line);
        line = xstrdup("");
    }
    while (getc(from) != EOF)
        ; /* because the closed pipe would end it */
    fclose(from);
    line[strcspn(line, "\r\n")] = 0;
    return line;
}

static int wait_for(pid_t child, struct err *err)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail_work(err, "sbatch: lost: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    return fail_work(err, "sbatch: fails%s",
                     WIFEXITED(status) ? " with the message above" : "");
}

static int call_sbatch(char **number, char *const *argv, struct err *err)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC))
        return fail_work(err, "pipe: %s", strerror(errno));
    fflush(NULL);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    int why = posix_spawnp(&child, "sbatch", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (why) {
        close(ends[0]);
        return why == ENOENT
                   ? fail_work(err, "sbatch: not found on PATH (it is Slurm's)")
                   : fail_work(err, "sbatch: cannot be run: %s", strerror(why));
    }
    *number = read_line(ends[0]);
    if (wait_for(child, err) == 0)
        return 0;
    free(*number);
    return -1;
}

static int check_options(const struct texts *sbatch, struct err *err)
{
    for (size_t i = 0; i < sbatch->n; i++)
        if (sbatch->items[i][0] != '-' || !sbatch->items[i][1] ||
            !strcmp(sbatch->items[i], "--"))
            return fail(err,
                        "--sbatch %s: expected an option in one word, such as "
                        "--time=1:00:00",
                        sbatch->items[i]);
    return 0;
}

int sweep_submit(const struct sweep_slurm *s, struct err *err)
{
    struct arguments a = {0};
    char *number = NULL;

    if (check_options(s->sbatch, err) < 0 || furnish(s, err) < 0)
        return -1;
    int result = make_arguments(&a, s, err);
    if (result == 0)
        result = call_sbatch(&number, a.list, err);
    free_arguments(&a);
    if (result < 0)
        return -1;
    printf("job %s: %u parts of %zu points, %s/1.db to %s/%u.db\n", number,
           s->parts, s->space->npoints, s->folder, s->folder, s->parts);
    free(number);
    return 0;
}
