/* SPDX-License-Identifier: GPL-3.0-or-later */
typedef int placeholder_removed_by_the_first_real_file;
