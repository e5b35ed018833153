/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the missing cells of a study file in parallel and appends each row
 * when it is complete. */
#include "results/papers/study.h"

#include "base/child.h"
#include "results/papers/study_cell.h"
#include "results/papers/study_graphs.h"
#include "workloads/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* There are at most as many processes as numbers of GPUs, because the cells of
 * one number are done by one process. */
enum { MOST_GPUS = 8, MOST_JOBS = MOST_GPUS };

struct study {
    const struct study_request *r;
    int fd;
    struct cells cells; /* chosen ones have the present made_by */
    /* Scale at which to simulate each cell; 0 if it is not to be. */
    double *todo;
    double scales[NSTUDY_GRAPHS]; /* 0 for any */
    struct study_done *done;
};

/* The memory that the processes share. */
struct progress {
    _Atomic unsigned gpus; /* the next number of GPUs that no process has */
    _Atomic unsigned cells;
    _Atomic bool failed;
};

/* --- scales --------------------------------------------------------------- */

static int read_scales(double scales[NSTUDY_GRAPHS],
                       const struct study_names *texts, struct err *err)
{
    struct word words[NSTUDY_GRAPHS];

    for (int i = 0; i < NSTUDY_GRAPHS; i++) {
        words[i] =
            (struct word){study_graphs[i].name, WORD_SHARE, &scales[i], true};
        scales[i] = -1;
    }
    for (size_t k = 0; k < texts->n; k++) {
        const char *text = texts->items[k];
        char *list = xstrdup(text);
        for (int i = 0; i < NSTUDY_GRAPHS && !strchr(text, '='); i++) {
            char *longer = xasprintf("%s%s%s=%s", i ? list : "", i ? "," : "",
                                     study_graphs[i].name, text);
            free(list);
            list = longer;
        }
        int result = words_read(list, words, NSTUDY_GRAPHS, err);
        free(list);
        if (result < 0)
            return fail_in(err, "--scale %s", text);
        for (int i = 0; i < NSTUDY_GRAPHS; i++) {
            const char *graph = study_graphs[i].name;
            if (scales[i] == 0)
                return fail(err, "--scale %s: %s: expected a number above 0",
                            text, graph);
            /* This holds for the largest graph, too. */
            if (scales[i] > 0 && scales[i] < 1e-6)
                return fail(err,
                            "--scale %s: %s: leaves less than 256 vertices",
                            text, graph);
        }
    }
    for (int i = 0; i < NSTUDY_GRAPHS; i++)
        if (scales[i] < 0)
            scales[i] = 0; /* the graph's default */
    return 0;
}

/* --- the file ------------------------------------------------------------- */

static bool standard_output(const struct study *s)
{
    return !strcmp(s->r->path, "-");
}

static int study_write_all(int fd, const char *text, struct err *err)
{
    for (size_t left = strlen(text); left;) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_work(err, "cannot be written: %s", strerror(errno));
        text += n;
        left -= (size_t)n;
    }
    return 0;
}

/* Appends the whole row or nothing, even if another process writes to the
 * file. */
static int study_append(const struct study *s, const char *row, struct err *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    if (fcntl(s->fd, F_SETLKW, &lock) < 0)
        return fail_work(err, "%s: cannot be locked: %s", s->r->path,
                         strerror(errno));
    off_t end = lseek(s->fd, 0, SEEK_END);
    char *head = end == 0 ? cells_head() : xstrdup("");
    char *text = xasprintf("%s%s", head, row);
    int result = study_write_all(s->fd, text, err);
    if (result < 0)
        result = fail_in(err, "%s%s", s->r->path,
                         ftruncate(s->fd, end) < 0 ? ": a row" : "");
    lock.l_type = F_UNLCK;
    fcntl(s->fd, F_SETLK, &lock);
    free(text);
    free(head);
    return result;
}

static int put_row(const struct study *s, const struct cell *c, struct err *err)
{
    char *row = cells_row(c);
    int result = standard_output(s) ? study_write_all(s->fd, row, err)
                                    : study_append(s, row, err);

    free(row);
    return result;
}

/*
 * Removes a row that a killed study or a full disk cut off, so that it is
 * simulated again; only if the file begins as ours do.
 */
static int mend_end(const struct study *s, off_t size, struct err *err)
{
    char *head = cells_head(), begin[32] = "", last = '\n';
    bool ours = pread(s->fd, begin, sizeof begin - 1, 0) > 0 &&
                !strncmp(begin, head, strlen(begin));
    off_t end = size;

    free(head);
    if (!ours || pread(s->fd, &last, 1, size - 1) != 1 || last == '\n')
        return 0;
    while (end > 0 && pread(s->fd, &last, 1, end - 1) == 1 && last != '\n')
        end--;
    if (ftruncate(s->fd, end) < 0)
        return fail_work(err, "%s: its last row is cut off: %s", s->r->path,
                         strerror(errno));
    fprintf(stderr,
            "sluice: %s: its last row was cut off, and is simulated again\n",
            s->r->path);
    return 0;
}

static int open_file(struct study *s, struct err *err)
{
    const char *path = s->r->path;
    struct stat now;

    if (standard_output(s)) {
        char *head = cells_head();
        s->fd = STDOUT_FILENO;
        int result = study_write_all(s->fd, head, err);
        free(head);
        return result;
    }
    s->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (s->fd < 0 || fstat(s->fd, &now) < 0)
        return fail(err, "%s: cannot be written: %s", path, strerror(errno));
    if (now.st_size == 0)
        return 0;
    if (mend_end(s, now.st_size, err) < 0)
        return -1;
    if (fstat(s->fd, &now) == 0 && now.st_size == 0)
        return 0;
    cells_clear(&s->cells);
    return cells_read(&s->cells, path, err);
}

static void close_file(struct study *s)
{
    if (s->fd >= 0 && !standard_output(s))
        close(s->fd);
}

/* --- cells to simulate ---------------------------------------------------- */

static bool of_graph(const struct study *s, size_t i, int graph)
{
    return !strcmp(s->cells.list[i].key.graph, study_graphs[graph].name);
}

static bool wants(const struct study *s, size_t i, int graph)
{
    const struct study_request *r = s->r;
    bool chosen = false;

    for (size_t k = 0; k < r->nchoices; k++)
        chosen |= study_wants(&r->choices[k], &s->cells.list[i].key);
    return chosen && of_graph(s, i, graph);
}

/* Judges whether the file has a valid row of a chosen cell. If not, the cell is
 * simulated at the scale that is asked for, or else that of its row, or else
 * the graph's default. */
static void judge(struct study *s, size_t i, int graph, const char *made_by)
{
    double asked = s->scales[graph];
    struct cell *c = &s->cells.list[i];
    bool there = c->scale > 0;
    bool stale = there && strcmp(c->made_by, made_by) != 0;

    s->done->chosen++;
    s->done->stale += stale;
    if (stale && s->r->keep_stale)
        return;
    if (!there || stale || (asked > 0 && !cells_same_scale(asked, c->scale)))
        s->todo[i] = asked > 0 ? asked
                     : there   ? c->scale
                               : study_graphs[graph].scale;
    memcpy(c->made_by, made_by, sizeof c->made_by);
}

/* Judges the chosen cells of a graph on a number of GPUs, under one partition;
 * g is the tiny graph. */
static int judge_some(struct study *s, int graph, unsigned gpus,
                      enum graph_partition how, const struct graph *g,
                      struct err *err)
{
    uint32_t *part = NULL;
    int result = 0;

    for (size_t i = 0; i < s->cells.n && result == 0; i++) {
        const struct cell *c = &s->cells.list[i];
        char made_by[17];
        if (c->key.gpus != gpus || !wants(s, i, graph) ||
            study_partition(&c->key) != how)
            continue;
        if (!part)
            result = study_part(&part, g, how, gpus, err);
        const struct study_input in = {.g = g, .part = part};
        if (result == 0)
            result = study_made_by(made_by, c, &in, err);
        if (result == 0)
            judge(s, i, graph, made_by);
    }
    free(part);
    return result;
}

static int judge_all(struct study *s, int graph, unsigned gpus,
                     const struct graph *g, struct err *err)
{
    int result = 0;

    for (int how = 0; how < NGRAPH_PARTITIONS && result == 0; how++)
        result = judge_some(s, graph, gpus, (enum graph_partition)how, g, err);
    return result;
}

static int judge_graph(struct study *s, int graph, struct err *err)
{
    const struct study_graph *sg = &study_graphs[graph];
    struct graph g;
    bool any = false;
    int result = 0;

    for (size_t i = 0; i < s->cells.n; i++)
        any |= wants(s, i, graph);
    if (!any)
        return 0;
    if (study_make(&g, sg, sg->tiny, err) < 0)
        return -1;
    for (unsigned gpus = 1; gpus <= MOST_GPUS && result == 0; gpus++)
        result = judge_all(s, graph, gpus, &g, err);
    graph_clear(&g);
    return result;
}

/* --- simulation ----------------------------------------------------------- */

struct crew {
    const struct study *s;
    struct progress *progress;
    int graph;
    const struct graph *g;
    const double *rank; /* study_ranks(); NULL if they are not needed */
    const struct study_files *files;
    double scale;
    size_t todo; /* number of cells in the whole study */
};

static void say(const struct crew *w, const struct cell *c, unsigned number)
{
    if (!w->s->r->quiet)
        fprintf(stderr, "%u of %zu: %s, %s, %s, %s, %u GPUs: %.4g ms; %.1f s\n",
                number, w->todo, c->key.application, c->key.machine,
                c->key.framework, c->key.graph, c->key.gpus, c->ms, c->wall_s);
}

static bool to_do(const struct crew *w, size_t i)
{
    return w->s->todo[i] == w->scale && of_graph(w->s, i, w->graph);
}

static int simulate_one(const struct crew *w, struct cell *c,
                        const uint32_t *part, struct err *err)
{
    const struct study_input in = {w->g, part, w->rank};

    if (study_simulate(c, &in, err) < 0)
        return -1;
    c->scale = w->scale;
    if (put_row(w->s, c, err) < 0)
        return -1;
    say(w, c, ++w->progress->cells);
    return 0;
}

/* Simulates the cells of one number of GPUs and one partition. */
static int study_simulate_some(const struct crew *w, unsigned gpus,
                               enum graph_partition how, struct err *err)
{
    const struct study *s = w->s;
    uint32_t *part = NULL;
    int result = 0;

    for (size_t i = 0; i < s->cells.n && result == 0; i++) {
        struct cell c = s->cells.list[i];
        if (!to_do(w, i) || c.key.gpus != gpus ||
            study_partition(&c.key) != how || w->progress->failed)
            continue;
        if (!part)
            result = study_files_part(&part, w->files, w->g, how, gpus, err);
        if (result == 0 && !s->r->only_graphs)
            result = simulate_one(w, &c, part, err);
    }
    free(part);
    return result;
}

static int study_simulate_all(const struct crew *w, unsigned gpus,
                              struct err *err)
{
    int result = 0;

    for (int how = 0; how < NGRAPH_PARTITIONS && result == 0; how++)
        result = study_simulate_some(w, gpus, (enum graph_partition)how, err);
    return result;
}

/* Runs one process, which does one number of GPUs after the other that no
 * process has. */
static void study_work(const void *arg, int fd)
{
    const struct crew *w = arg;
    struct err err = {0};
    int status = 0;

    while (status == 0 && !w->progress->failed) {
        unsigned gpus = w->progress->gpus++;
        if (gpus > MOST_GPUS)
            break;
        status = study_simulate_all(w, gpus, &err);
    }
    if (status < 0)
        w->progress->failed = true;
    if (child_put_status(fd, status, &err) < 0)
        return;
}

static int run_crew(const struct crew *w, unsigned jobs, struct err *err)
{
    struct child children[MOST_JOBS];
    unsigned n = 0;
    int result = 0;

    w->progress->gpus = 1;
    while (n < jobs && result == 0) {
        result = child_spawn(&children[n], study_work, w, err);
        n += result == 0;
    }
    if (result < 0)
        w->progress->failed = true; /* the processes that have begun end */
    for (unsigned i = 0; i < n; i++) {
        struct err why = {0};
        int status = child_get_status(children[i].from, &why);
        if (child_reap(&children[i], status >= 0, &why) < 0)
            w->progress->failed = true;
        if ((status != 0) && result == 0) {
            *err = why;
            result = -1;
        }
    }
    return result;
}

static unsigned jobs_of(const struct study_request *r)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = r->jobs          ? r->jobs
                    : processors > 0 ? (unsigned)processors
                                     : 1;

    return jobs < MOST_JOBS ? jobs : MOST_JOBS;
}

static int find_files(struct study_files *f, const struct study *s, int graph,
                      double scale, struct err *err)
{
    const struct study_graph *sg = &study_graphs[graph];
    struct graph tiny;

    if (study_make(&tiny, sg, sg->tiny, err) < 0)
        return -1;
    int result = study_files_of(f, s->r->graphs, sg, scale, &tiny, err);
    graph_clear(&tiny);
    return result;
}

/* Returns the residue at which shared reference ranks have to stop, the least
 * of the PageRank cells by residues; 0 if there are fewer than two, because
 * they share nothing then. */
static double shared_residue(const struct crew *w)
{
    const struct cells *c = &w->s->cells;
    double least = 0;
    size_t n = 0;

    for (size_t i = 0; i < c->n && !w->s->r->only_graphs; i++) {
        double residue = to_do(w, i) ? study_residue(&c->list[i].key) : 0;
        n += residue > 0;
        if (residue > 0 && (least == 0 || residue < least))
            least = residue;
    }
    return n > 1 ? least : 0;
}

/* Simulates the cells of a graph at one scale. */
static int run_graph(const struct study *s, int graph, double scale,
                     size_t todo, struct progress *p, struct err *err)
{
    struct study_files files;
    struct graph g;

    if (find_files(&files, s, graph, scale, err) < 0 ||
        study_files_graph(&g, &files, err) < 0)
        return -1;
    struct crew w = {s, p, graph, &g, NULL, &files, scale, todo};
    double residue = shared_residue(&w);
    double *rank = residue > 0 ? study_ranks(&g, residue) : NULL;
    w.rank = rank;
    int result = run_crew(&w, jobs_of(s->r), err);
    free(rank);
    graph_clear(&g);
    return result;
}

/* Returns the smallest scale above `last` at which a cell of the graph is to be
 * simulated; 0 if there is none. */
static double next_scale(const struct study *s, int graph, double last)
{
    double next = 0;

    for (size_t i = 0; i < s->cells.n; i++)
        if (of_graph(s, i, graph) && s->todo[i] > last &&
            (next == 0 || s->todo[i] < next))
            next = s->todo[i];
    return next;
}

/* Simulates the cells of one graph at all scales; there may be several, because
 * stale rows keep theirs. */
static int run_scales(const struct study *s, int graph, size_t todo,
                      struct progress *p, struct err *err)
{
    double scale = 0;

    while ((scale = next_scale(s, graph, scale)) > 0)
        if (run_graph(s, graph, scale, todo, p, err) < 0)
            return -1;
    return 0;
}

/* -------------------------------------------------------------------------- */

static int study_all(struct study *s, struct err *err)
{
    size_t todo = 0;
    int result = 0;

    s->todo = xcalloc(s->cells.n, sizeof *s->todo);
    for (int k = 0; k < NSTUDY_GRAPHS && result == 0; k++)
        result = judge_graph(s, k, err);
    for (size_t i = 0; i < s->cells.n; i++)
        todo += s->todo[i] > 0;
    struct progress *p = child_shared(sizeof *p);
    for (int k = 0; k < NSTUDY_GRAPHS && result == 0; k++)
        result = run_scales(s, k, todo, p, err);
    s->done->simulated = p->cells;
    child_unshare(p, sizeof *p);
    free(s->todo);
    return result;
}

int study_run(struct study_done *done, const struct study_request *r,
              struct err *err)
{
    struct study s = {.r = r, .fd = -1, .done = done};

    *done = (struct study_done){0};
    if (r->jobs > MOST_JOBS)
        return fail(err,
                    "--jobs: expected at most %d, one a number of GPUs, "
                    "got %u",
                    MOST_JOBS, r->jobs);
    if (read_scales(s.scales, &r->scales, err) < 0 ||
        cells_printed(&s.cells, err) < 0)
        return -1;
    int result = 0;
    for (size_t k = 0; k < r->nchoices && result == 0; k++)
        result = study_check(&r->choices[k], &s.cells, err);
    if (result == 0)
        result = open_file(&s, err);
    if (result == 0)
        result = study_all(&s, err);
    close_file(&s);
    cells_clear(&s.cells);
    return result;
}
