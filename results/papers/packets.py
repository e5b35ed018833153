# SPDX-License-Identifier: GPL-3.0-or-later
"""The share of the requested bytes in the bytes on the wire, and the time of a put that
a GPU starts: Figs 2 and 4 of Chen et al. 2022."""

import collections
import math

Packet = collections.namedtuple("Packet", "granule payload header")

# Memory writes over PCIe 3: 2 dwords of framing, sequence number and LCRC, a header of 4
# dwords (64-bit addresses), and whole dwords of payload (Intel AN 855, "Protocol
# Overhead", without ECRC). The largest payload depends on the system: 256 B is assumed.
# 2 of 130 bits are the encoding's.
PCIE3 = Packet(4, 256, 24)
PCIE3_CODE = 128 / 130
STREAMED = 64  # puts that are streamed


def nvlink(platform, name):
    """Returns the packets of a platform's NVLink."""
    packet = platform.get("gpu", {}).get("nvlink_packet")
    if not packet:
        raise ValueError(f"{name} has no gpu.nvlink_packet")
    keys = ("granule_bytes", "payload_bytes", "header_bytes")
    return Packet(*(packet[key] for key in keys))


def share(packet, size):
    sent = math.ceil(size / packet.granule) * packet.granule
    return size / (sent + math.ceil(sent / packet.payload) * packet.header)


def pcie3_share(size):
    return share(PCIE3, size) * PCIE3_CODE


def enough_over_pcie(wanted):
    """Returns the least payload, in whole dwords, with at least this share of the bytes
    on PCIe; 0 if there is none."""
    sizes = range(PCIE3.granule, PCIE3.payload + 1, PCIE3.granule)
    return next((size for size in sizes if pcie3_share(size) >= wanted), 0)


def blocking_s(lab, machine, size):
    """Returns the time of a put: "each send is performed as a blocking send operation
    followed by a system memory fence and a remote counter update". The fence is passed
    once the bytes are there. The counter is another put, of 8 B, whose time on the wire
    is negligible beside its latency."""
    time_s, latency_s = lab.puts(machine, size, 1)
    return time_s + latency_s
