/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of specified rates: PCIe, NICs, links between GPUs, GPU memories. */
#include "platforms/discover/known.h"

#include "base/err.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NVIDIA = 0x10de, AMD = 0x1002, INTEL = 0x8086 };

double known_pcie_Bps(double GTps, unsigned width)
{
    if (!(GTps >= 2 && GTps <= 128) || width < 1 || width > 32)
        return 0;
    /* The encoding is 8b/10b; 128b/130b; flits of 256 B with 242 of them
     * data. */
    double data = GTps < 6 ? 0.8 : GTps < 40 ? 128.0 / 130 : 242.0 / 256;
    return GTps * 1e9 * data / 8 * width;
}

double known_nic_Bps(unsigned vendor, unsigned device, const char **name)
{
    static const struct {
        unsigned vendor, device;
        double Gbps;
        const char *name;
    } nics[] = {
        {0x15b3, 0x673c, 32, "ConnectX-2, QDR"},
        {0x15b3, 0x6746, 32, "ConnectX-2, QDR"},
        {0x15b3, 0x1003, 54.5, "ConnectX-3, FDR"},
        {0x15b3, 0x1007, 54.5, "ConnectX-3 Pro, FDR"},
        {0x15b3, 0x1011, 54.5, "Connect-IB, FDR"},
        {0x15b3, 0x1013, 100, "ConnectX-4, EDR"},
        {0x15b3, 0x1015, 25, "ConnectX-4 Lx"},
        {0x15b3, 0x1017, 100, "ConnectX-5, EDR"},
        {0x15b3, 0x1019, 100, "ConnectX-5 Ex, EDR"},
        {0x15b3, 0x101b, 200, "ConnectX-6, HDR"},
        {0x15b3, 0x101d, 100, "ConnectX-6 Dx"},
        {0x15b3, 0x101f, 25, "ConnectX-6 Lx"},
        {0x15b3, 0x1021, 400, "ConnectX-7, NDR"},
        {0x15b3, 0x1023, 800, "ConnectX-8, XDR"},
        {0x15b3, 0xa2d6, 200, "BlueField-2, HDR"},
        {0x15b3, 0xa2dc, 400, "BlueField-3, NDR"},
        {0x17db, 0x0501, 200, "Slingshot 11 (Cassini)"},
        {0x8086, 0x24f0, 100, "Omni-Path 100"},
        {0x8086, 0x24f1, 100, "Omni-Path 100"},
        {0x434e, 0x0001, 400, "Omni-Path CN5000"},
        {0x1d0f, 0xefa0, 100, "EFA"},
        {0x1d0f, 0xefa1, 100, "EFA"},
        {0x1d0f, 0xefa2, 100, "EFA"},
        {0x1d0f, 0xefa3, 200, "EFA"},
        {0x1fc1, 0x0010, 10, "InfiniPath"},
        {0x1077, 0x7322, 32, "QLogic QDR"},
        {0x8086, 0x10c9, 1, "82576 Gigabit Ethernet"},
        {0x8086, 0x1533, 1, "I210 Gigabit Ethernet"},
        {0x8086, 0x1521, 1, "I350 Gigabit Ethernet"},
        {0x8086, 0x1572, 10, "X710"},
        {0x8086, 0x1584, 40, "XL710"},
        {0x8086, 0x1592, 100, "E810"},
    };

    for (size_t i = 0; i < sizeof nics / sizeof nics[0]; i++)
        if (nics[i].vendor == vendor && nics[i].device == device) {
            *name = nics[i].name;
            return nics[i].Gbps * 1e9 / 8;
        }
    *name = NULL;
    return 0;
}

double known_nvlink_Bps(unsigned sm, const char **name)
{
    *name = sm < 60    ? NULL
            : sm < 70  ? "NVLink 1"
            : sm < 80  ? "NVLink 2"
            : sm == 86 ? "NVLink 3 of four lanes"
            : sm < 90  ? "NVLink 3"
            : sm < 100 ? "NVLink 4"
                       : "NVLink 5";
    return sm < 60    ? 0
           : sm < 70  ? 20e9
           : sm == 86 ? 14.06e9
           : sm < 100 ? 25e9
                      : 50e9;
}

double known_xgmi_Bps(const char *gcn, const char **name)
{
    static const struct {
        const char *gcn, *name;
        double Bps;
    } links[] = {
        {"906", "Infinity Fabric of MI50", 46e9},
        {"908", "Infinity Fabric of MI100", 46e9},
        {"910", "Infinity Fabric of MI200", 50e9}, /* RCCL's number of 90a */
        {"90a", "Infinity Fabric of MI200", 50e9},
        {"940", "Infinity Fabric of MI300", 64e9},
        {"941", "Infinity Fabric of MI300", 64e9},
        {"942", "Infinity Fabric of MI300", 64e9},
        {"950", "Infinity Fabric of MI350", 76.8e9},
    };

    if (!strncmp(gcn, "gfx", 3))
        gcn += 3;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (!strncmp(links[i].gcn, gcn, 3)) {
            *name = links[i].name;
            return links[i].Bps;
        }
    *name = NULL;
    return 0;
}

/* The first one that fits counts, so that longer names stand before shorter
 * ones. */
static const struct known_gpu gpus[] = {
    {"P100", "P100", "nvidia", "sm_60", 732, 4, 16, 56},
    {"V100", "V100", "nvidia", "sm_70", 900, 6, 0, 80},
    {"A100-SXM4-80GB", "A100 80 GB", "nvidia", "sm_80", 2039, 40, 80, 108},
    {"A100-SXM-80GB", "A100 80 GB", "nvidia", "sm_80", 2039, 40, 80, 108},
    {"A100 80GB PCIe", "A100 80 GB PCIe", "nvidia", "sm_80", 1935, 40, 80, 108},
    {"A100", "A100 40 GB", "nvidia", "sm_80", 1555, 40, 40, 108},
    {"GH200 480GB", "GH200", "nvidia", "sm_90", 4000, 50, 96, 132},
    {"GH200", "GH200", "nvidia", "sm_90", 4000, 50, 96, 132},
    {"H200", "H200", "nvidia", "sm_90", 4800, 50, 141, 132},
    {"H100 PCIe", "H100 PCIe", "nvidia", "sm_90", 2039, 50, 80, 114},
    {"H100", "H100", "nvidia", "sm_90", 3350, 50, 80, 132},
    {"B200", "B200", "nvidia", "sm_100", 8000, 126, 180, 148},
    {"MI100", "MI100", "amd", "gfx908", 1229, 8, 32, 120},
    {"MI210", "MI210", "amd", "gfx90a", 1638, 8, 64, 104},
    {"MI250", "GCD of MI250", "amd", "gfx90a", 1638, 8, 64, 110},
    {"MI300A", "MI300A", "amd", "gfx942", 5300, 24, 128, 228},
    {"MI300X", "MI300X", "amd", "gfx942", 5300, 32, 192, 304},
};

const struct known_gpu *known_gpu(const char *model)
{
    for (size_t i = 0; model && i < sizeof gpus / sizeof gpus[0]; i++)
        if (strstr(model, gpus[i].part))
            return &gpus[i];
    return NULL;
}

const struct known_gpu *known_pci_gpu(unsigned vendor, unsigned device)
{
    static const struct {
        unsigned vendor, device;
        const char *model;
    } ids[] = {
        {NVIDIA, 0x15f9, "P100"},
        {NVIDIA, 0x1db0, "V100"},
        {NVIDIA, 0x1db1, "V100"},
        {NVIDIA, 0x1db5, "V100"},
        {NVIDIA, 0x1db8, "V100"},
        {NVIDIA, 0x20b0, "A100"},
        {NVIDIA, 0x20b2, "A100-SXM4-80GB"},
        {NVIDIA, 0x20b5, "A100 80GB PCIe"},
        {NVIDIA, 0x2330, "H100"},
        {NVIDIA, 0x2331, "H100 PCIe"},
        {NVIDIA, 0x2335, "H200"},
        {NVIDIA, 0x2342, "GH200"},
        {NVIDIA, 0x2901, "B200"},
        {AMD, 0x738c, "MI100"},
        {AMD, 0x7408, "MI250"},
        {AMD, 0x740c, "MI250"},
        {AMD, 0x740f, "MI210"},
        {AMD, 0x74a0, "MI300A"},
        {AMD, 0x74a1, "MI300X"},
    };

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (ids[i].vendor == vendor && ids[i].device == device)
            return known_gpu(ids[i].model);
    return NULL;
}

const struct known_gpu *known_gcn_gpu(const char *gcn, unsigned sms)
{
    if (!strncmp(gcn, "gfx", 3))
        gcn += 3;
    return !strncmp(gcn, "908", 3) ? known_gpu("MI100")
           : !strncmp(gcn, "910", 3) || !strncmp(gcn, "90a", 3)
               ? known_gpu("MI250")
           : strncmp(gcn, "94", 2) != 0 ? NULL
           : sms == 228                 ? known_gpu("MI300A")
                                        : known_gpu("MI300X");
}

char *known_gcn_arch(const char *gcn)
{
    if (!strncmp(gcn, "gfx", 3))
        gcn += 3;
    size_t digits = strspn(gcn, "0123456789abcdef");
    if (digits < 3 || digits > 4 || gcn[digits])
        return NULL;
    return xasprintf("gfx%s", strcmp(gcn, "910") != 0 ? gcn : "90a");
}

const char *known_maker(unsigned vendor)
{
    return vendor == NVIDIA  ? "nvidia"
           : vendor == AMD   ? "amd"
           : vendor == INTEL ? "intel"
                             : NULL;
}
