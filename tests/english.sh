#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Comments are sentences with a subject (CONTRIBUTING.md, "English").
exec tests/english
