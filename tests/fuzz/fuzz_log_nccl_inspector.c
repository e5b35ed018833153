/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a dump of NCCL Inspector. */
#include "tests/fuzz/log_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_log(&nccl_inspector_log, data, size);
    return 0;
}
