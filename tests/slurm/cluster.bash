# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm of two nodes on the loopback, as root, in a folder of its own:
# cluster_start FOLDER (which sets SLURM_CONF), cluster_stop.

cluster_has_tools() {
    [ "$(id -u)" = 0 ] || return 1
    for tool in munged mungekey slurmctld slurmd sbatch sinfo; do
        PATH=$PATH:/usr/sbin command -v $tool >/dev/null || return 1
    done
}

cluster_start() {
    local dir=$1 port=$((20000 + RANDOM % 20000)) host
    host=$(hostname -s)
    PATH=$PATH:/usr/sbin
    cluster_pids=
    mkdir -p "$dir/state" "$dir/spool.n1" "$dir/spool.n2" "$dir/munge"
    chmod 711 "$dir"
    chmod 755 "$dir/munge"
    mungekey --create --keyfile "$dir/munge.key"
    munged --foreground --force --key-file "$dir/munge.key" --socket "$dir/munge/socket" \
        --pid-file "$dir/munge/pid" --log-file "$dir/munge/log" \
        --seed-file "$dir/munge/seed" >"$dir/munged.out" 2>&1 &
    cluster_pids="$cluster_pids $!"
    cat >"$dir/slurm.conf" <<END
ClusterName=loop
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/linear
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=both Nodes=n1,n2 Default=YES MaxTime=10 State=UP
END
    export SLURM_CONF=$dir/slurm.conf
    for i in $(seq 50); do
        [ -S "$dir/munge/socket" ] && break
        sleep 0.1
    done
    slurmctld -D -i >"$dir/slurmctld.out" 2>&1 &
    cluster_pids="$cluster_pids $!"
    for node in n1 n2; do
        slurmd -D -N $node >"$dir/slurmd.$node.out" 2>&1 &
        cluster_pids="$cluster_pids $!"
    done
    for i in $(seq 300); do
        [ "$(sinfo -h -o '%t %D' 2>/dev/null)" = 'idle 2' ] && return 0
        sleep 0.1
    done
    return 1
}

cluster_stop() {
    # shellcheck disable=SC2086 # a list
    kill -9 $cluster_pids 2>/dev/null
    # shellcheck disable=SC2086
    wait $cluster_pids 2>/dev/null
}
