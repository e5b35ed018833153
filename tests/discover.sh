# SPDX-License-Identifier: GPL-3.0-or-later
# sluice discover: what it makes of small descriptions by hwloc and NCCL, that
# its platforms load and run, and what it refuses.
set -eu
sluice=$PWD/$1
case $1 in /*) sluice=$1 ;; esac
tree=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

code=0
echo '<system/>' >none.xml
"$sluice" discover none.xml 2>err >out || code=$?
if grep -q "built without libxml2" err; then exit 77; fi

fail() {
    echo "$*" >&2
    exit 1
}
refused() { # text, then the command's arguments
    text=$1
    shift
    code=0
    timeout 20 "$sluice" "$@" >out 2>err || code=$?
    [ "$code" = 2 ] || fail "$*: exit code $code, expected 2: $(cat err)"
    [ ! -s out ] || fail "$*: wrote to standard output"
    grep -qF -- "$text" err || fail "$*: expected '$text', got '$(cat err)'"
}
found() { # file, then what `show platform` must match, one by one
    file=$1
    shift
    "$sluice" discover "$file" -o found.json >out 2>err || fail "$file: $(cat err)"
    [ ! -s out ] || fail "$file: wrote to standard output"
    "$sluice" show platform found.json >shown
    for text; do
        grep -qE -- "$text" shown ||
            fail "$file: expected '$text' in: $(head -n 30 shown)"
    done
    "$sluice" run --platform ./found.json --csv \
        --workload random:ranks=2,messages=1,rounds=1,bytes=10..9000,seed=1 \
        >out 2>err || fail "$file: $(cat err)"
}

# Two APUs of 4 cores with two threads each, a GPU, a NIC and a bridge each.
apu() { # number, mask, the other's
    cat <<XML
<cpu numaid="$1" affinity="$2">
  <pci busid="0000:0$1:00.0" class="0x120000" vendor="0x1002" device="0x74a0"
       link_speed="32.0 GT/s PCIe" link_width="16">
    <gpu dev="$1" sm="228" gcn="942" rank="$1" gdr="1">
      <xgmi target="0000:0$3:00.0" count="2" tclass="0x120000"/>
    </gpu>
  </pci>
  <pci busid="0000:1$1:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
    <pci busid="0000:2$1:00.0" class="0x020000" vendor="0x17db" device="0x0501"
         link_speed="16.0 GT/s PCIe" link_width="16">
      <nic><net name="cxi$1" dev="$1" speed="200000000" port="1"/></nic>
    </pci>
  </pci>
</cpu>
XML
}
{
    echo '<system version="2">'
    apu 0 000f000f 1
    apu 1 00f000f0 0
    echo '</system>'
} >apu.xml
found apu.xml 'node: 8 cores, 2 GPUs, injection 50 GB/s' \
    'gpu1 +gpu of cpu1, memory_GiB 128' 'nic1 +nic of cpu1' '^  xgmi-128 ' \
    'gpu0-gpu1$' '^  nic-25 ' 'cpu0-nic0 cpu1-nic1' '^  pcie-63_02 ' \
    'specification: PCIe of 32 GT/s, 16 lanes' 'taken over from tuolumne: fit' \
    'specification: the port.s speed of 200 Gbit/s' '^  nodes +2 ' \
    'specification: MI300A' '^  arch +gfx942'
if grep -q switch shown; then fail "a bridge with one device remained"; fi

# A DGX's half: NVSwitches count as one, a bridge with two devices stays.
cat >dgx.xml <<'XML'
<system version="1">
<cpu numaid="0" affinity="ffff">
  <pci busid="0000:01:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
    <pci busid="0000:02:00.0" class="0x030200" vendor="0x10de" device="0x20b0" link_speed="16.0 GT/s PCIe" link_width="16">
      <gpu dev="0" sm="80" rank="0" gdr="1">
        <nvlink target="0000:c4:00.0" count="6" tclass="0x068000"/>
        <nvlink target="0000:c5:00.0" count="6" tclass="0x068000"/>
        <c2c bw="25000" count="2"/>
      </gpu>
    </pci>
    <pci busid="0000:03:00.0" class="0x030200" vendor="0x10de" device="0x20b0" link_speed="" link_width="">
      <gpu dev="1" sm="80" rank="1" gdr="1">
        <nvlink target="0000:c4:00.0" count="12" tclass="0x068000"/>
        <nvlink target="0000:99:00.0" count="12" tclass="0x030000"/>
      </gpu>
    </pci>
    <pci busid="0000:04:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16"/>
  </pci>
</cpu>
<cpu numaid="1" affinity="ffff0000"/>
</system>
XML
found dgx.xml 'node: 32 cores, 2 GPUs' 'gpu0-nvswitch0 gpu1-nvswitch0' \
    '^  nvlink-300 ' '^  c2c-50 ' 'gpu0-cpu0' 'cpu0-pci0 pci0-gpu0' \
    'specification: NVLink 3, 25 GB/s a link' '^  pcie-15_75 ' \
    'assumed: PCIe 3 x16' 'assumed: 100 Gbit/s' \
    'taken over from dgx-a100: taken over from lassen' '^  arch +sm_80'

# What NCCL 2.28.9 wrote of two H200 in a virtual machine: no affinity, lanes of 0,
# a NIC that is no PCI device.
found "$tree/tests/data/nccl_h200_x2.xml" 'node: 16 cores, 2 GPUs' \
    'gpu0 +gpu of cpu0, memory_GiB 141' '^  nvlink-450 ' 'gpu0-nvswitch0 gpu1-nvswitch0' \
    '^  pcie-63_02 ' 'assumed: 16 lanes of PCIe of 32 GT/s' '^  nic-1_25 ' \
    'assumed: 8 cores a GPU' 'specification: H200' '^  arch +sm_90'
# The numbers that advise names can be set.
"$sluice" advise --platform ./found.json --workload alltoall:bytes=64k \
    >advice 2>err || fail "advise: $(cat err)"
key=$(sed -n 's/^ *\(node\.wire_types\.[^ ]*\) .*/\1/p' advice | head -n 1)
[ "$key" ] || fail "no wire in: $(cat advice)"
"$sluice" run --platform ./found.json --workload alltoall:bytes=64k \
    --set "$key=x2" >out 2>err || fail "$key=x2: $(cat err)"
# The capability is NCCL's word, though no table has the GPU.
sed 's/0x2335/0xffff/; s/sm="90"/sm="103"/' "$tree/tests/data/nccl_h200_x2.xml" >new.xml
found new.xml '^  arch +sm_103'

# A GH200 has its link to the CPU also where nobody says so; what nobody says of
# links between GPUs is said.
sed -e '/nvlink/d; s/0x2335/0x2342/' "$tree/tests/data/nccl_h200_x2.xml" >gh.xml
found gh.xml '^  c2c-450 ' 'gpu0-cpu0 gpu1-cpu0' 'NVLink-C2C of a GH200'
sed '/nvlink/d' "$tree/tests/data/nccl_h200_x2.xml" >alone.xml
found alone.xml 'no links between GPUs are named'

# hwloc, version 2 and 3: packages and NUMA domains, caches, GPUs of several
# runtimes that are one device, InfiniBand before Ethernet, matrices of links.
object() { echo "<object type=\"$1\" $2>"; }
package() { # number, cpuset of the package, of its halves
    object Package "os_index=\"$1\" cpuset=\"$2\""
    n=0
    for half in $3; do
        object NUMANode "os_index=\"$((2 * $1 + n))\" cpuset=\"$half\""
        echo '</object>'
        object L3Cache "cpuset=\"$half\""
        for core in $4; do
            object Core 'cpuset="0x0"' | sed "s/0x0/${core#*:}/"
            echo '</object>'
            n=$((n + 0))
        done
        echo '</object>'
        n=$((n + 1))
        set -- "$1" "$2" "$3" "$5" ""
    done
}
pci() { # number of the package, types of a GPU's and of a network's OS devices
    object Bridge 'bridge_type="0-1"'
    object Bridge 'bridge_type="1-1" pci_link_speed="31.507692"'
    object PCIDev "gp_index=\"10$1\" pci_type=\"0380 [1002:740c] [0000:0000] 01\" pci_link_speed=\"31.507692\""
    object OSDev "gp_index=\"20$1\" name=\"rsmi$1\" osdev_type=\"$2\""
    echo '<info name="GPUModel" value="AMD Instinct MI250X"/><info name="RSMIVRAMSize" value="67092480KiB"/></object>'
    object OSDev "gp_index=\"30$1\" name=\"opencl0d$1\" osdev_type=\"$2\""
    echo '<info name="OpenCLDeviceType" value="GPU"/></object></object></object>'
    object Bridge 'bridge_type="1-1" pci_link_speed="31.507692"'
    object PCIDev "pci_type=\"0200 [17db:0501] [0000:0000] 01\" pci_link_speed=\"31.507692\""
    object OSDev "name=\"hsn$1\" osdev_type=\"$3\"" && echo '</object></object></object>'
    object PCIDev "pci_type=\"0200 [8086:1521] [0000:0000] 01\" pci_link_speed=\"2\""
    object OSDev "name=\"eth$1\" osdev_type=\"$3\"" && echo '</object></object></object>'
    echo '</object>'
}
machine() { # version, types of a GPU's and of a network's OS devices
    echo '<?xml version="1.0"?><!DOCTYPE topology SYSTEM "hwloc2.dtd">'
    echo "<topology version=\"$1\">"
    object Machine 'cpuset="0x000000ff"'
    package 0 0x0000000f '0x00000003 0x0000000c' '0x1 0x2' '0x4 0x8'
    pci 0 "$2" "$3"
    package 1 0x000000f0 '0x00000030 0x000000c0' '0x10 0x20' '0x40 0x80'
    pci 1 "$2" "$3"
    echo '</object>'
    echo '<distances2 type="OSDev" nbobjs="2" kind="25" name="XGMIBandwidth" indexing="gp">'
    echo '<indexes length="8">200 201 </indexes><u64values length="9">0 200000</u64values><u64values>200000 0 </u64values>'
    echo '</distances2></topology>'
}
machine 2.0 5 2 >v2.xml
machine 3.0 12 16 >v3.xml
for file in v2.xml v3.xml; do
    found $file 'node: 8 cores, 2 GPUs, injection 50 GB/s' \
        'cpu0 +socket, cores 4, cores_per_cache 2' '^  xgmi-200 ' \
        'gpu0-gpu1$' '^  nic-25 ' 'gpu0 +gpu of cpu0, memory_GiB 63.98' \
        '\] *$' 'specification: Slingshot 11' 'hwloc: package 1'
    if grep -qE 'eth[0-9]' shown; then fail "$file: a plain Ethernet beside Slingshot"; fi
done
"$sluice" discover v2.xml --sockets numa --nodes 16 --costs tuolumne --name four \
    -o four.json
"$sluice" show platform four.json >shown
grep -q 'hwloc: NUMA domain 3' shown || fail "no fourth NUMA domain"
grep -qE '^  nodes +16 ' shown || fail "not 16 nodes"
[ "$(grep -c 'socket, cores 2' shown)" = 4 ] || fail "not four sockets"
grep -q '^four (' shown || fail "not named four"

# InfraGraph, as connections and as edges between slices.
cat >old.yaml <<'YAML'
infrastructure:
  devices:
    - name: nic-card
      components: [{name: asic, type: cpu}]
    - name: half-dgx
      components:
        - {name: cpu, type: cpu}
        - {name: xpu, type: xpu, description: Nvidia A100 GPU}
        - {name: pciesw, type: custom, description: PCI Express Switch}
        - {name: nvlsw, type: custom}
      links:
        - {name: pcie, description: PCIe 4.0}
        - {name: nvlink, description: NVLINK 3.0}
      connections:
        - cpu.0.fabric.cpu.1
        - cpu.0.pcie.pciesw.0
        - pciesw.0.pcie.xpu.0
        - pciesw.0.pcie.xpu.1
        - xpu.0.nvlink.nvlsw.0
        - xpu.0.nvlink.nvlsw.1
        - nvlsw.1.nvlink.xpu.1
  connections:
    - server.0.pciesw.0.pcie.card.0.port.0
    - server.0.pciesw.0.pcie.card.1.port.0
    - server.0.card.0.eth.leaf.0.port.0
YAML
cat >new.yaml <<'YAML'
devices:
- name: quad
  components:
  - {name: cpu, count: 2, choice: cpu}
  - {name: xpu, count: 4, choice: xpu, description: AMD MI300X}
  - {name: nic, count: 2, choice: nic}
  links:
  - {name: pcie, physical: {bandwidth: {choice: gigabytes_per_second, gigabytes_per_second: 50}}}
  - {name: xgmi, physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 512}}}
  edges:
  - {ep1: {component: "cpu[0]"}, ep2: {component: "xpu[0:2]"}, scheme: many2many, link: pcie}
  - {ep1: {component: "cpu[1:]"}, ep2: {component: "xpu[2:4]"}, scheme: many2many, link: pcie}
  - {ep1: {component: cpu}, ep2: {component: nic}, scheme: one2one, link: pcie}
  - {ep1: {component: xpu}, ep2: {component: xpu}, scheme: ring, link: xgmi}
YAML
code=0
"$sluice" discover old.yaml >/dev/null 2>err || code=$?
if ! grep -q 'without libyaml' err; then
    found old.yaml 'node: 32 cores|node: 16 cores' 'gpu1 +gpu of cpu0, memory_GiB 40' \
        'injection 25 GB/s' '^  nvlink-300 ' 'gpu0-nvswitch0 gpu1-nvswitch0' \
        'cpu0-pci0 pci0-gpu0 pci0-gpu1' 'pci0-nic0 pci0-nic1' \
        'specification: all links of NVLink 3' 'assumed: 16 lanes of PCIe 4'
    found new.yaml '2 GPUs|4 GPUs' 'gpu2 +gpu of cpu1, memory_GiB 192' \
        'nic1 +nic of cpu1' '^  pcie-50 ' 'cpu0-gpu0 cpu0-gpu1' \
        '^  xgmi-64 ' 'gpu0-gpu1 gpu1-gpu2 gpu2-gpu3 gpu3-gpu0|gpu0-gpu3' \
        'taken over from tuolumne'
    echo 'devices: [{name: s, components: [{name: asic, type: custom}]}]' >switch.yaml
    refused 'switch.yaml: expected a device with a component of type cpu or xpu' \
        discover switch.yaml
    printf 'devices: [{name: a,\n' >cut.yaml
    refused 'cut.yaml: line 2: not YAML' discover cut.yaml
    printf 'devices: [{name: a, components: [{name: c, type: cpu, count: 1}], edges: [{ep1: {component: "c[0:9999999]"}, ep2: {component: "c[0:9999999]"}, scheme: many2many}]}]' >many.yaml
    refused 'expected at most 65536 edges' discover many.yaml
    {
        printf 'devices: '
        i=0
        while [ $i -lt 5000 ]; do printf '['; i=$((i + 1)); done
    } >nested.yaml
    refused 'not YAML' discover nested.yaml
fi

# Without GPUs and NICs, on standard output; packed; with a byte order mark.
cat >cpu.xml <<'XML'
<topology><object type="Machine" cpuset="0x3"><object type="Socket" cpuset="0x3"
  os_index="0"><object type="Cache" depth="2" cpuset="0x3"><object type="PU"
  cpuset="0x1"/><object type="PU" cpuset="0x2"/></object></object></object></topology>
XML
found cpu.xml 'node: 2 cores, 0 GPUs' '^  nodes +1 ' 'taken over from dane: fit'
"$sluice" discover cpu.xml >out
cmp out found.json || fail "standard output is not the file"
xz -k cpu.xml 2>/dev/null && found cpu.xml.xz 'node: 2 cores'
printf '\357\273\277' | cat - cpu.xml >mark.xml
found mark.xml 'node: 2 cores'
# This machine.
"$sluice" discover -o here.json 2>err || grep -q 'without hwloc' err ||
    fail "this machine: $(cat err)"
[ ! -f here.json ] || "$sluice" show platform here.json >shown

# What is refused.
refused 'none.xml: system: expected a cpu, got none' discover none.xml
head -c 900 apu.xml >cut.xml
refused 'cut.xml:' discover cut.xml -o never.json
[ ! -e never.json ] || fail "half a platform was written"
echo '<html/>' >page.xml
refused "page.xml: expected hwloc's <topology> or NCCL's <system>, got <html>" \
    discover page.xml
: >empty.xml
refused 'empty.xml: expected XML' discover empty.xml
refused 'missing.xml: cannot be read' discover missing.xml
refused 'cannot be read' discover .
gzip -k cpu.xml && refused 'cpu.xml.gz: a packed file' discover cpu.xml.gz
refused '--sockets: expected package or numa' discover cpu.xml --sockets core
refused 'expected one file, got 2' discover cpu.xml apu.xml
refused 'nowhere: unknown platform' discover cpu.xml --costs nowhere
refused 'with the costs of flat8' discover apu.xml --costs flat8
cat >bomb.xml <<'XML'
<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<system><cpu affinity="&c;"/></system>
XML
refused 'bomb.xml: entities are refused' discover bomb.xml
echo secret >secret
cat >outside.xml <<XML
<!DOCTYPE system [<!ENTITY a SYSTEM "file://$dir/secret">]><system><cpu affinity="f">&a;</cpu></system>
XML
refused 'entities are refused' discover outside.xml
iconv -f utf-8 -t utf-16 bomb.xml >bomb16.xml 2>/dev/null &&
    refused 'entities are refused' discover bomb16.xml
{
    i=0
    while [ $i -lt 3000 ]; do
        printf '<object type="Group" cpuset="0x1">'
        i=$((i + 1))
    done
} >deep.xml
{ echo '<topology>' && cat deep.xml; } >deeper.xml
refused 'deeper.xml:' discover deeper.xml
echo '<topology version="2.0"><object type="Machine"/></topology>' >bare.xml
refused 'bare.xml: topology: expected an object with a cpuset' discover bare.xml
sed 's/200000 0 /200000/' v2.xml >few.xml
refused 'few.xml: distances2: expected 4 values, got fewer' discover few.xml
