# SPDX-License-Identifier: GPL-3.0-or-later
# Scores predicted times of a node against measured ones. Both files have the
# columns part,case,way,gpus,bytes,time_s; the first is the prediction. A case is
# what ways are compared in. Exit code 1: a target is missed, or nothing can be
# compared.
BEGIN { FS = ","; MIB = 1048576 }

function abs(x) { return x < 0 ? -x : x }

function sort_numbers(v, n,   i, j, x) {
    for (i = 2; i <= n; i++) {
        x = v[i]
        for (j = i - 1; j >= 1 && v[j] > x; j--)
            v[j + 1] = v[j]
        v[j + 1] = x
    }
}

# The value below which a part `share` of v[1..n] lies; sorts v.
function quantile(v, n, share,   i) {
    sort_numbers(v, n)
    i = int(share * n + 0.5)
    return v[i < 1 ? 1 : i > n ? n : i]
}
function median(v, n) {
    sort_numbers(v, n)
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

FNR == 1 { file++; next }
file == 1 { predicted[$1 "," $2 "," $3 "," $4 "," $5] = $6; next }
{
    key = $1 "," $2 "," $3 "," $4 "," $5
    if (!(key in predicted)) {
        sub(/\/.*/, "", $2) # a graph's parts
        unpredicted[$1 ", " $2]++
        next
    }
    n++
    part[n] = $1; kase[n] = $2; way[n] = $3; gpus[n] = $4; bytes[n] = $5
    measured[n] = $6; guess[n] = predicted[key]
    error[n] = predicted[key] / $6 - 1
    at[key] = n
}

# nccl_graph: in a CUDA graph, so without the CPU's launches; shared: of two
# processes a GPU.
function is_collective(i) {
    return part[i] ~ /^(nccl|nccl_graph|collective|shared)$/
}

# What a point counts to, and what is wanted of it: median |error|, percent.
function group_of(i) {
    if (is_collective(i))
        return part[i] (bytes[i] > MIB ? ", above 1 MiB" : ", up to 1 MiB")
    return part[i]
}
function target_of(i) {
    if (is_collective(i))
        return bytes[i] > MIB ? 10 : 20
    return part[i] == "halo" ? 12 : 15
}

function line(what, points, value, ninety, within, target, good) {
    printf "%-34s %7d %9.1f%% %9s %9s %9s  %s\n", what, points, value, ninety,
        within, target, good ? "reached" : "MISSED"
    if (!good)
        missed = 1
}

function print_groups(   i, g, m, v, w, close_) {
    for (i = 1; i <= n; i++) {
        g = group_of(i)
        if (!(g in target)) { order[++ngroups] = g; target[g] = target_of(i) }
    }
    for (g = 1; g <= ngroups; g++) {
        m = close_ = 0
        for (i = 1; i <= n; i++)
            if (group_of(i) == order[g]) {
                v[++m] = 100 * abs(error[i])
                close_ += v[m] <= target[order[g]]
            }
        w = median(v, m)
        line(order[g], m, w, sprintf("%.1f%%", quantile(v, m, 0.9)),
            sprintf("%.0f%%", 100 * close_ / m), target[order[g]] "%",
            w <= target[order[g]])
    }
}

# Pairs of ways of a case that differ by more than 5 %: whose order is right.
function print_winners(name, wanted,   i, j, pairs, right) {
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n && part[i] == name; j++) {
            if (part[j] != name || kase[i] != kase[j] || gpus[i] != gpus[j] ||
                bytes[i] != bytes[j])
                continue
            if (measured[i] <= 1.05 * measured[j] &&
                measured[j] <= 1.05 * measured[i])
                continue
            pairs++
            right += (measured[i] < measured[j]) == (guess[i] < guess[j])
        }
    if (pairs)
        line(name ": faster of pairs > 5 % apart", pairs, 100 * right / pairs,
            "-", "-", wanted "%", 100 * right / pairs >= wanted)
}

# How much faster the same is on more GPUs than on one.
function print_speedups(   i, one, m, v, w, real, close_) {
    for (i = 1; i <= n; i++) {
        if (part[i] != "graph" || gpus[i] == 1)
            continue
        split(kase[i], words, "/")
        split(way[i], hows, "/")
        one = at["graph," words[1] "/-," hows[1] "/-,1,0"]
        if (!one)
            continue
        real = measured[one] / measured[i]
        v[++m] = 100 * abs(guess[one] / guess[i] / real - 1)
        close_ += v[m] <= 10
    }
    if (!m)
        return
    w = median(v, m)
    line("graph: speed-ups from one GPU", m, w,
        sprintf("%.1f%%", quantile(v, m, 0.9)), sprintf("%.0f%%", 100 * close_ / m),
        "10%", w <= 10)
}

# Ways whose median error is above the target, worst first.
function print_failed(   i, k, g, m, v, e, signed_, count, worst, best, shown) {
    for (i = 1; i <= n; i++) {
        g = group_of(i) "; " way[i] " on " gpus[i]
        if (part[i] != "graph" && part[i] != "halo")
            g = g ", " kase[i]
        if (!(g in ways_seen)) { ways_seen[g] = ++count; names[count] = g }
        k = ways_seen[g]
        wanted_of[k] = target_of(i)
        members[k] = members[k] " " i
    }
    for (k = 1; k <= count; k++) {
        m = split(members[k], ids, " ")
        signed_ = 0
        for (i = 1; i <= m; i++) { v[i] = 100 * abs(error[ids[i]]) }
        e = median(v, m)
        for (i = 1; i <= m; i++) { v[i] = 100 * error[ids[i]] }
        bias[k] = median(v, m)
        excess[k] = e > wanted_of[k] ? e : 0
        sizes[k] = m
    }
    for (shown = 0; shown < 40; shown++) {
        worst = 0
        for (k = 1; k <= count; k++)
            if (excess[k] > (worst ? excess[worst] : 0))
                worst = k
        if (!worst)
            break
        if (!shown)
            printf "\nmissed by way (median |error|, bias), worst first\n"
        printf "%-60s %5d %8.1f%% %+8.1f%%\n", names[worst], sizes[worst],
            excess[worst], bias[worst]
        excess[worst] = 0
    }
}

END {
    if (!n) { print "nothing of what was measured is predicted"; exit 1 }
    printf "%-34s %7s %10s %9s %9s %9s\n", "", "points", "|error|", "90 %",
        "within", "target"
    print_groups()
    print_winners("graph", 95)
    print_speedups()
    print_failed()
    fflush()
    for (k in unpredicted)
        printf "not predicted: %s (%d points)\n", k, unpredicted[k] | "sort"
    close("sort")
    exit missed
}
