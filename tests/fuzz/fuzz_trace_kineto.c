/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a profile of PyTorch. */
#include "tests/fuzz/trace_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_trace("kineto", data, size);
    return 0;
}
