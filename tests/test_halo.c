/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halos: their sums and maxima, and messages that are refused. */
#include "tests/check.h"
#include "workloads/halo.h"

#include <stdlib.h>

static void check_class(const struct halo *h, uint32_t i,
                        struct halo_class want)
{
    CHECK(i < h->nclasses);
    CHECK_EQ(h->classes[i].src, want.src);
    CHECK_EQ(h->classes[i].dst_node, want.dst_node);
    CHECK_EQ(h->classes[i].dst_mask, want.dst_mask);
    CHECK_EQ(h->classes[i].count, want.count);
}

/* There are three nodes of two GPUs; GPU 0 has values that both GPUs of node 1
 * need. */
static struct halo_class classes[] = {
    {.src = 0, .dst_node = 0, .dst_mask = 2, .count = 5},
    {.src = 0, .dst_node = 1, .dst_mask = 1, .count = 3},
    {.src = 0, .dst_node = 1, .dst_mask = 3, .count = 2},
    {.src = 0, .dst_node = 2, .dst_mask = 2, .count = 4},
    {.src = 1, .dst_node = 1, .dst_mask = 3, .count = 1},
    {.src = 4, .dst_node = 0, .dst_mask = 1, .count = 7},
};
static const struct halo by_hand = {.ngpus = 6,
                                    .gpus_per_node = 2,
                                    .value_bytes = 8,
                                    .classes = classes,
                                    .nclasses = 6};

static void test_sums(void)
{
    struct halo_stats s;

    halo_stats(&by_hand, &s);
    /* Messages are from 0 to 1, 2, 3, 5; from 1 to 2, 3; from 4 to 0. */
    CHECK_EQ(s.messages, 7);
    CHECK_EQ(s.values, 5 + 5 + 2 + 4 + 1 + 1 + 7);
    CHECK_EQ(s.off_node_messages, 6);
    CHECK_EQ(s.off_node_values, 20);
    CHECK_EQ(s.off_node_values_dedup, 17);
    CHECK_EQ(s.off_node_values_shared, 3);
    CHECK_EQ(s.gpu_node_pairs, 4);
    CHECK_EQ(s.node_pairs, 3);
}

static void test_most_of_gpus(void)
{
    struct halo_stats s;

    halo_stats(&by_hand, &s);
    CHECK_EQ(s.max_messages_per_gpu, 4);
    CHECK_EQ(s.max_values_per_gpu, 16);
    CHECK_EQ(s.max_off_node_messages_per_gpu, 3);
    CHECK_EQ(s.max_off_node_values_per_gpu, 11);
    CHECK_EQ(s.max_off_node_values_per_gpu_dedup, 9);
    CHECK_EQ(s.max_nodes_per_gpu, 2);
    CHECK_EQ(s.max_values_proc_to_node, 7);
}

static void test_most_of_nodes(void)
{
    struct halo_stats s;

    halo_stats(&by_hand, &s);
    /* Node 0 sends 7 + 2 to node 1 and 4 to node 2. */
    CHECK_EQ(s.max_values_per_node, 13);
    CHECK_EQ(s.max_values_per_node_dedup, 10);
    CHECK_EQ(s.max_nodes_per_node, 2);
    CHECK_EQ(s.max_values_node_to_node, 9);
    CHECK_EQ(s.max_values_node_to_node_dedup, 7);
    CHECK_EQ(s.max_messages_node_to_node, 4);
}

static void test_spell_out(void)
{
    struct halo out;
    struct halo_stats s;

    halo_spell_out(&out, &by_hand);
    CHECK_EQ(out.nclasses, 7);
    check_class(&out, 0, classes[0]);
    check_class(&out, 1, (struct halo_class){0, 1, 1, 0, 5});
    check_class(&out, 2, (struct halo_class){0, 1, 2, 0, 2});
    check_class(&out, 3, classes[3]);
    check_class(&out, 4, (struct halo_class){1, 1, 1, 0, 1});
    check_class(&out, 5, (struct halo_class){1, 1, 2, 0, 1});
    check_class(&out, 6, classes[5]);

    halo_stats(&out, &s);
    CHECK_EQ(s.messages, 7);
    CHECK_EQ(s.off_node_values, 20);
    CHECK_EQ(s.off_node_values_dedup, 20);
    halo_clear(&out);
}

static void test_from_messages(void)
{
    const struct halo_msg msgs[] = {
        {4, 0, 7}, {0, 2, 3}, {0, 1, 5}, {0, 2, 4}, {0, 3, 6}, {5, 1, 0},
    };
    struct halo h;
    struct err err;

    CHECK_EQ(halo_from_messages(&h, 5, 2, 8, msgs, 5, &err), 0);
    CHECK_EQ(halo_nodes(&h), 3);
    CHECK_EQ(h.nclasses, 4);
    check_class(&h, 0, (struct halo_class){0, 0, 2, 0, 5});
    check_class(&h, 1, (struct halo_class){0, 1, 1, 0, 7});
    check_class(&h, 2, (struct halo_class){0, 1, 2, 0, 6});
    check_class(&h, 3, (struct halo_class){4, 0, 1, 0, 7});
    CHECK_EQ(h.gpu_rows[4], 0);
    halo_clear(&h);

    /* A message without values is none. Without messages the halo is empty. */
    CHECK_EQ(halo_from_messages(&h, 6, 2, 8, msgs + 5, 1, &err), 0);
    CHECK_EQ(h.nclasses, 0);
    halo_clear(&h);
    CHECK_EQ(halo_from_messages(&h, 6, 2, 8, NULL, 0, &err), 0);
    CHECK_EQ(h.nclasses, 0);
    halo_clear(&h);

    /* With 32 GPUs on a node the last bit of the mask is used. */
    const struct halo_msg far = {0, 63, 9};
    CHECK_EQ(halo_from_messages(&h, 64, 32, 8, &far, 1, &err), 0);
    check_class(&h, 0, (struct halo_class){0, 1, 0x80000000u, 0, 9});
    halo_clear(&h);

    /* The last of 128 is also spelled out. */
    const struct halo_msg last = {0, 255, 9};
    struct halo all;
    CHECK_EQ(halo_from_messages(&h, 256, 128, 8, &last, 1, &err), 0);
    CHECK(h.classes[0].dst_mask == gpu_set_of(127));
    halo_spell_out(&all, &h);
    CHECK_EQ(all.nclasses, 1);
    CHECK_EQ(gpu_set_first(all.classes[0].dst_mask), 127);
    halo_clear(&all);
    halo_clear(&h);
}

static void test_bad_messages(void)
{
    const struct halo_msg far = {0, 6, 1}, self = {2, 2, 1};
    struct halo h;
    struct err err;

    CHECK_EQ(halo_from_messages(&h, 6, 2, 8, &far, 1, &err), -1);
    CHECK_HAS(err.text, "message 0: GPU 0 to 6: there are 6 GPUs");
    CHECK_EQ(halo_from_messages(&h, 6, 2, 8, &self, 1, &err), -1);
    CHECK_HAS(err.text, "message 0: GPU 2 sends to itself");
    CHECK_EQ(halo_from_messages(&h, 0, 2, 8, NULL, 0, &err), -1);
    CHECK_HAS(err.text, "expected at least one GPU");
    CHECK_EQ(halo_from_messages(&h, 6, 129, 8, NULL, 0, &err), -1);
    CHECK_HAS(err.text, "129 GPUs per node: expected 1 to 128");
}

int main(void)
{
    test_sums();
    test_most_of_gpus();
    test_most_of_nodes();
    test_spell_out();
    test_from_messages();
    test_bad_messages();
    return check_result();
}
