/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files of a figure: its table as CSV, its pictures by gnuplot. */
#include "cli/figure_draw.h"

#include "cli/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
            result = fail(err, "%s: cannot be made: %s", path, strerror(errno));
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

void figure_abandon(struct figure_files *files)
{
    abandon(files->list, files->n);
}

int figure_open(struct figure_files *files, const struct figure *f,
                const char *folder, struct err *err)
{
    if (figure_folder(folder, err) < 0)
        return -1;
    for (files->n = 0; files->n < count_files(f); files->n++) {
        char *name = figure_file(f, files->n);
        char *path = xasprintf("%s/%s", folder, name);
        int result = outfile_open(&files->list[files->n], path, err);
        free(path);
        free(name);
        if (result < 0) {
            figure_abandon(files);
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

static int figure_draw_run(const struct figure *f, const struct outfile *files,
                           const char *vars, const char *texts, struct err *err)
{
    char *template = xasprintf("fig-%s.gp", f->name);
    const struct picture p = {
        .template = template,
        .vars = vars,
        .texts = texts,
        .csv = files[FIGURE_CSV].temporary,
        .to = {[PICTURE_SVG] = files[FIGURE_SVG].temporary,
               [PICTURE_PDF] = files[FIGURE_PDF].temporary,
               [PICTURE_PNG] = files[FIGURE_PNG].temporary}};
    int result = gnuplot_draw(&p, err);

    free(template);
    return result;
}

static int figure_draw_print_csv(const struct figure *f,
                                 const struct figure_input *in,
                                 const struct outfile *file, FILE *vars,
                                 const char *command, struct err *err)
{
    FILE *csv = file->stream;

    fprintf(csv, "# %s\n# %s; ", command, f->about);
    if (in->m)
        fprintf(csv, "platform %s; ", in->m->name);
    fprintf(csv, "sluice %s\n", SLUICE_VERSION);
    /* Flushes all buffers, because a simulating child would write their
     * contents once more. */
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
    return figure_draw_print_csv(f, in, &files[TABLE_CSV], md, command, err);
}

static int figure_draw_fill(const struct figure *f,
                            const struct figure_input *in,
                            const struct outfile *files, const char *command,
                            struct err *err)
{
    char *vars, *texts;
    size_t vars_size, texts_size;
    FILE *to = open_memstream(&vars, &vars_size);
    struct figure_texts seen = {open_memstream(&texts, &texts_size), 0};
    struct figure_input with_texts = *in;

    with_texts.texts = &seen;
    figure_text(&seen, in->m ? in->m->name : "");
    int result = figure_draw_print_csv(f, &with_texts, &files[FIGURE_CSV], to,
                                       command, err);
    fclose(to);
    fclose(seen.to);
    if (result == 0)
        result = figure_draw_run(f, files, vars, texts, err);
    free(vars);
    free(texts);
    return result;
}

int figure_fill(struct figure_files *files, const struct figure *f,
                const struct figure_input *in, const char *command,
                struct err *err)
{
    int (*fill)(const struct figure *, const struct figure_input *,
                const struct outfile *, const char *, struct err *) =
        figure_is_table(f) ? fill_table : figure_draw_fill;

    if (fill(f, in, files->list, command, err) < 0) {
        figure_abandon(files);
        return -1;
    }
    return close_all(files->list, files->n, err);
}

int figure_write(const struct figure *f, const struct figure_input *in,
                 const char *folder, const char *command, struct err *err)
{
    struct figure_files files;

    if (figure_open(&files, f, folder, err) < 0)
        return -1;
    return figure_fill(&files, f, in, command, err);
}
