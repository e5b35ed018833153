/* SPDX-License-Identifier: GPL-3.0-or-later */
/* volume.h - bytes as text for people: "512 B", "1.23 MB" (decimal units). */
#ifndef CLI_VOLUME_H
#define CLI_VOLUME_H

/* Writes into `text` and returns it. */
const char *volume(char text[32], double bytes);

#endif
