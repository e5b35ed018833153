/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from the system to which socket or NUMA domain a CPU or a PCI device
 * belongs, and how large the caches are. */
#include "validate/native/host.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DOMAINS = 256 };

/* Returns the system's number of the CPU's socket; -1 if it does not say. */
static long package_of(long cpu)
{
    char path[96], text[16] = "";

    snprintf(path, sizeof path,
             "/sys/devices/system/cpu/cpu%ld/topology/physical_package_id",
             cpu);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    if (!fgets(text, sizeof text, f))
        snprintf(text, sizeof text, "-1");
    fclose(f);
    return strtol(text, NULL, 10);
}

/* Returns the number of a package among the sockets, counted from 0: that of
 * packages with a lower number. */
static unsigned socket_of(long package)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF), below = package, next;
    unsigned socket = 0;

    for (;; socket++, below = next) {
        next = -1;
        for (long c = 0; c < cpus; c++) {
            long p = package_of(c);
            if (p >= 0 && p < below && p > next)
                next = p;
        }
        if (next < 0)
            return socket;
    }
}

/* Returns the NUMA domain of a CPU; -1 if it has none. */
static long numa_of(long cpu)
{
    char path[96];

    for (int domain = 0; domain < MOST_DOMAINS; domain++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/node%d",
                 cpu, domain);
        if (access(path, F_OK) == 0)
            return domain;
    }
    return -1;
}

/* Returns the place, by `of`, of the CPUs that this process may run on; -1 if
 * they have different places, or one has none. */
static long own_place(long (*of)(long cpu))
{
    cpu_set_t set;
    long one = -1;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return -1;
    for (long c = 0; c < CPU_SETSIZE; c++) {
        if (!CPU_ISSET((size_t)c, &set))
            continue;
        long here = of(c);
        if (here < 0 || (one >= 0 && here != one))
            return -1;
        one = here;
    }
    return one;
}

unsigned host_own_socket(void)
{
    long package = own_place(package_of);

    return package >= 0 ? socket_of(package) : 0;
}

unsigned host_own_numa(void)
{
    long domain = own_place(numa_of);

    return domain > 0 ? (unsigned)domain : 0;
}

uint64_t host_cache(int level)
{
    long bytes =
        sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);

    return bytes > 0 ? (uint64_t)bytes : (level == 2 ? 2u : 64u) << 20;
}

int host_pci_socket(const char *address)
{
    char path[128], list[1024] = "";
    int socket = -1;

    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/local_cpulist",
             address);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    if (!fgets(list, sizeof list, f))
        list[0] = 0;
    fclose(f);
    /* The list is like "0-15,64-79": the ends of all ranges must be on one
     * socket. */
    for (char *at = list; *at;) {
        char *end;
        long cpu = strtol(at, &end, 10);
        if (end == at)
            break;
        long package = package_of(cpu);
        int here = package >= 0 ? (int)socket_of(package) : -1;
        if (here < 0 || (socket >= 0 && here != socket))
            return -1;
        socket = here;
        at = end + strspn(end, "-,");
    }
    return socket;
}
