/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places of the ranks of a file of measurements: those that the file
 * states, or BenchPress' placement. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "platforms/platform.h"
#include "validate/measure/measured.h"

static const char PONG[] =
    "machine,mpi,device,locality,rank_a,rank_b,socket_a,socket_b,bytes,time_s";
static const char MULT[] = "machine,mpi,direction_performed,"
                           "copying_ranks_per_gpu,bytes_per_rank,config,time_s";

/* Returns the experiment of the one row; `head` is the comments. */
static struct experiment one(const struct machine *m, const char *head,
                             const char *columns, const char *row)
{
    struct experiment x = {0};
    struct measured f;
    struct err err = {0};
    char *text = xasprintf("%s%s\n%s\n", head, columns, row);
    char *path = scratch_file("one.csv", text);

    if (measured_load(&f, path, m, &err) < 0) {
        err_print(&err);
        CHECK(!"the file is good");
    } else {
        CHECK_EQ(f.npoints, 1);
        x = f.points[0].x;
        measured_clear(&f);
    }
    free(path);
    free(text);
    return x;
}

static void ping_pongs(const struct machine *lassen)
{
    /* Lassen has 20 cores a socket and 4 GPUs. BenchPress has 4 ranks a
     * node. */
    struct experiment x =
        one(lassen, "", PONG, "l,s,gpu,off_node,1,7,0,1,4,1e-6");
    CHECK_EQ(x.core[0], 1);
    CHECK_EQ(x.core[1], 21);
    CHECK_EQ(x.device[1], 3);
    CHECK(x.two_nodes);

    /* A column, and a comment of the run, give 40. */
    char columns[160];
    snprintf(columns, sizeof columns, "%s,ranks_per_node", PONG);
    x = one(lassen, "", columns, "l,s,cpu,off_node,19,79,0,1,4,1e-6,40");
    CHECK_EQ(x.core[0], 19);
    CHECK_EQ(x.core[1], 39);
    snprintf(columns, sizeof columns, "%s,run_id", PONG);
    x = one(lassen, "# run: run_id=7 date=x ranks_per_node=40 hosts=a\n",
            columns, "l,s,cpu,off_node,19,79,0,1,4,1e-6,7");
    CHECK_EQ(x.core[0], 19);
    CHECK_EQ(x.core[1], 39);

    /* They are dealt to the sockets in turn: ranks 0 and 2 are neighbours on
     * one. */
    x = one(lassen, "", PONG, "l,s,cpu,on_socket,0,2,0,0,4,1e-6");
    CHECK_EQ(x.core[0], 0);
    CHECK_EQ(x.core[1], 1);
}

static void copies(const struct machine *lassen, const struct machine *quad)
{
    static const char head[] =
        "# measured: copies, one node of Lassen, 40 ranks (10 per GPU)\n";
    static const char row[] = "l,s,H2D,3,4,MPS_on,1e-5";

    CHECK_EQ(one(lassen, head, MULT, row).ranks_per_node, 40);
    CHECK_EQ(one(lassen, "", MULT, row).ranks_per_node, 12);
    CHECK_EQ(one(quad, "", MULT, "l,s,H2D,1,4,x,1e-5").ranks_per_node, 4);
}

/* Copies to the GPUs and from them are separate points. */
static void copies_both_ways(const struct machine *quad)
{
    struct measured f;
    struct err err = {0};
    char *text = xasprintf("%s\nl,s,H2D,1,4,x,3e-5\nl,s,D2H,1,4,x,1e-5\n"
                           "l,s,H2D,1,4,x,3e-5\nl,s,D2H,1,4,x,1e-5\n",
                           MULT);
    char *path = scratch_file("both.csv", text);

    if (measured_load(&f, path, quad, &err) < 0) {
        err_print(&err);
        CHECK(!"the file is good");
    } else {
        CHECK_EQ(f.npoints, 2);
        for (size_t i = 0; i < f.npoints && i < 2; i++)
            CHECK_NEAR(f.points[i].measured_s,
                       f.points[i].x.dir == H2D ? 3e-5 : 1e-5, 1e-12);
        measured_clear(&f);
    }
    free(path);
    free(text);
}

int main(void)
{
    struct machine lassen, quad;
    struct err err = {0};

    if (platform_load(&lassen, "lassen", NULL, 0, &err) < 0 ||
        platform_load(&quad, "tests/data/quad.json", NULL, 0, &err) < 0)
        return err_print(&err);
    scratch_make();
    ping_pongs(&lassen);
    copies(&lassen, &quad);
    copies_both_ways(&quad);
    scratch_clear();
    machine_clear(&lassen);
    machine_clear(&quad);
    return check_result();
}
