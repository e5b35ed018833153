/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the jobs of one workload, one for each shape of machine. */
#include "study/explore/family.h"

#include <pthread.h>
#include <stdlib.h>

/* The most shapes that are kept; further ones are loaded for a single point. */
enum { MOST_MEMBERS = 16 };

struct family_member {
    struct machine machine;
    struct job job;
    struct job_plans plans;
    bool alone; /* it belongs to no family */
};

struct family {
    pthread_mutex_t lock;
    struct family_member *members[MOST_MEMBERS];
    size_t n;
};

struct family *family_new(void)
{
    struct family *f = xcalloc(1, sizeof *f);

    pthread_mutex_init(&f->lock, NULL);
    return f;
}

static void member_free(struct family_member *v)
{
    job_plans_clear(&v->plans);
    job_clear(&v->job);
    machine_clear(&v->machine);
    free(v);
}

void family_free(struct family *f)
{
    if (!f)
        return;
    while (f->n)
        member_free(f->members[--f->n]);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

/* The first member lends the others its graph on hosts. */
static struct family_member *
member_new(const struct family *f, const struct request *r, struct err *err)
{
    struct family_member *v = xcalloc(1, sizeof *v);
    struct request one = *r;

    one.like = f->n ? f->members[0]->job.rounds : NULL;

    if (job_machine(&v->machine, r, err) < 0) {
        free(v);
        return NULL;
    }
    if (job_load_on(&v->job, &v->machine, &one, err) < 0) {
        machine_clear(&v->machine);
        free(v);
        return NULL;
    }
    v->job.all = true;
    job_keep_plans(&v->plans, &v->job);
    return v;
}

/* Returns the member of the machine's shape, or a new one. */
static struct family_member *find_member(struct family *f, struct job *on,
                                         const struct machine *m,
                                         const struct request *r,
                                         struct err *err)
{
    for (size_t i = 0; i < f->n; i++)
        if (job_on_machine(on, &f->members[i]->job, m, err) == 0)
            return f->members[i];
    if (f->n == MOST_MEMBERS)
        return NULL;
    struct family_member *v = member_new(f, r, err);
    if (v)
        f->members[f->n++] = v;
    return v;
}

int family_join(struct family *f, struct job *on, struct family_member **member,
                const struct machine *m, const struct request *r,
                struct err *err)
{
    pthread_mutex_lock(&f->lock);
    bool full = f->n == MOST_MEMBERS;
    struct family_member *v = find_member(f, on, m, r, err);
    pthread_mutex_unlock(&f->lock);
    if (!v && full) {
        v = member_new(f, r, err);
        if (v)
            v->alone = true;
    }
    *member = v;
    return v ? job_on_machine(on, &v->job, m, err) : -1;
}

void family_leave(struct family_member *member)
{
    if (member && member->alone)
        member_free(member);
}
