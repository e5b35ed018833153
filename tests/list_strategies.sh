#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every line of strategies/list.def has its line in the list.
set -eu
"$1" list strategies | diff tests/golden/list_strategies.out -
