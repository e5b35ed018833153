/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of measured all-to-alls: the experiments of their rows, in groups that
 * pool no campaigns, and the rows that are refused. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "platforms/platform.h"
#include "strategies/collective/collective.h"
#include "validate/measure/measured.h"

static const char HEAD[] =
    "machine,series,run,nodes,ranks_per_node,ranks,bytes_per_rank_pair,"
    "strategy,exchange,leaders_or_groups_per_node,phase,time_s,outlier\n";

static int load(struct measured *f, const struct machine *m, const char *rows,
                struct err *err)
{
    char *text = xasprintf("%s%s", HEAD, rows);
    char *path = scratch_file("alltoall.csv", text);
    int result = measured_load(f, path, m, err);

    free(path);
    free(text);
    return result;
}

static void good_rows(const struct machine *m)
{
    struct measured f;
    struct err err = {0};

    CHECK(
        load(&f, m,
             "l,a,1,2,8,16,4,node_aware,pairwise,,total,1e-5,0\n"
             "l,a,1,2,8,16,4,node_aware,pairwise,,intra_node_alltoall,3e-6,0\n"
             "l,a,2,2,8,16,4,node_aware,pairwise,,intra_node_alltoall,5e-6,0\n"
             "l,b,3,2,8,16,4,node_aware,pairwise,,intra_node_alltoall,9e-6,0\n"
             "l,a,1,2,8,16,64,multileader_hierarchical,,4,gather,1e-5,0\n"
             "l,a,1,2,8,16,4,mpi_library,,,total,1e-5,0\n"
             "l,a,1,2,8,16,4,locality_aware,nonblocking,3,total,1e-5,0\n",
             &err) == 0);
    CHECK_EQ(f.npoints, 4);
    const struct measured_point *p = f.points;
    CHECK(!p[0].x.phase && p[0].x.pairwise && p[0].x.groups == 1);
    CHECK_HAS(p[0].group, "alltoall/total/node_aware/total/2");
    CHECK_HAS(p[0].choice, "node_aware, pairwise");
    CHECK_HAS(p[1].group, "alltoall/on_node/node_aware/intra_node_alltoall/2");
    CHECK_EQ(p[1].nrows, 2);
    CHECK_NEAR(p[1].measured_s, 4e-6, 1e-9);
    CHECK(strcmp(p[1].name, p[2].name) != 0);
    CHECK_EQ(p[3].x.groups, 4);
    CHECK_EQ(p[3].x.bytes, 64);
    CHECK_HAS(p[3].group, "gather_scatter/multileader_hierarchical/gather/2");
    CHECK(measured_simulate(&f, m, 0, NULL, NULL, &err) == 0);
    for (size_t i = 0; i < f.npoints; i++)
        CHECK(f.points[i].simulated_s > 0);
    measured_clear(&f);
}

static void bad_rows(const struct machine *m)
{
    static const char *const bad[][2] = {
        {"l,a,1,2,8,16,4,unheard,pairwise,,total,1e-5,0\n",
         "unknown algorithm of alltoall"},
        {"l,a,1,2,8,16,4,node_aware,pairwise,,gather,1e-5,0\n",
         ":2: phase: node_aware has no phase 'gather'"},
        {"l,a,1,2,8,16,4,node_aware,ring,,total,1e-5,0\n",
         "expected pairwise or nonblocking"},
        {"l,a,1,0,8,16,4,node_aware,pairwise,,total,1e-5,0\n", "nodes"},
        {"l,a,1,2,8,16,4,node_aware,pairwise,,total,-1e-5,0\n", "above 0"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct measured f;
        struct err err = {0};
        CHECK(load(&f, m, bad[i][0], &err) < 0);
        CHECK_HAS(err.text, bad[i][1]);
    }
}

int main(void)
{
    struct machine lassen;
    struct err err = {0};

    if (platform_load(&lassen, "lassen", NULL, 0, &err) < 0)
        return err_print(&err);
    scratch_make();
    good_rows(&lassen);
    bad_rows(&lassen);
    scratch_clear();
    machine_clear(&lassen);
    return check_result();
}
