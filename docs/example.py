# SPDX-License-Identifier: GPL-3.0-or-later
# Which NIC for the next machine? Cells as of a notebook; `# %%` begins one.
# %%
import sluice

matrix = "stencil:27pt:96x96x96"
options = {"nodes": 4, "partition": "boxes", "value_bytes": 256}
rows = sluice.run(matrix, platform="lassen", **options)
for row in rows[:3]:
    print(f"{row['strategy']:16} {row['time_s'] * 1e6:8.2f} us  {row['times_best']:.2f} x best")

# %% The same with other network interfaces: the best strategy may change.
best = []
for GBps in (12.5, 25, 50, 100):
    nic = {"node.wire_types.nic.bandwidth_GBps": GBps}
    row = sluice.run(matrix, platform="lassen", sets=nic, **options)[0]
    best.append({"nic_GBps": GBps, "strategy": row["strategy"], "time_us": row["time_s"] * 1e6})
for row in best:
    print(f"{row['nic_GBps']:6} GB/s  {row['strategy']:16} {row['time_us']:8.2f} us")

# %% Where the time goes: the links that are used most.
machine = sluice.Machine("lassen")
workload = sluice.Workload(machine, matrix, **options)
result = workload.simulate(rows[0]["strategy"], links=True)
for link in result["links"][:3]:
    used = link["bytes"] / link["bandwidth_Bps"] / result["time_s"]
    print(f"{link['name']:24} {link['bytes'] / 1e3:8.1f} kB  {used:5.1%} of the time")

# %% All of it as a table, if pandas is installed.
try:
    print(sluice.frame(rows)[["strategy", "time_s", "off_node_messages"]])
except ImportError:
    print("pandas is not installed")
