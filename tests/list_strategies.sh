#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every line of strategies/list.def has its line in the list; those of the
# golden text as they are there, in its order.
set -eu
golden=tests/golden/list_strategies.out
"$1" list strategies | grep -Fx -f $golden | diff $golden -
[ "$("$1" list strategies | wc -l)" -eq "$(grep -c '^STRATEGY(' strategies/list.def)" ]
