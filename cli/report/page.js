/* The page of `sluice report`: a table of runs, a plot of those that the
 * filters leave, and one run in full. Names come from users: they are put in
 * as text, never as markup. */
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const by = id => document.getElementById(id);
const HEIGHT = 31, MOST_GROUPS = 12;

function el(tag, attributes, ...children) {
  const e = tag[0] === ':' ? document.createElementNS('http://www.w3.org/2000/svg', tag.slice(1))
                           : document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {}))
    if (v !== undefined && v !== false) e.setAttribute(k, v === true ? '' : v);
  e.append(...children.filter(c => c !== undefined && c !== null));
  return e;
}

/* --- numbers -------------------------------------------------------------- */

const digits = x => x === 0 ? '0' : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3
  ? x.toExponential(3).replace(/\.?0+e/, 'e') : String(+x.toPrecision(4));
function scaled(x, units) {
  for (const [unit, size] of units)
    if (Math.abs(x) >= size) return digits(x / size) + '\u00a0' + unit;
  const [unit, size] = units[units.length - 1];
  return digits(x / size) + '\u00a0' + unit;
}
const seconds = x => x === 0 ? '0\u00a0s' : scaled(x, [['s', 1], ['ms', 1e-3], ['\u00b5s', 1e-6], ['ns', 1e-9]]);
const bytes = x => x === 0 ? '0\u00a0B' : scaled(x, [['GB', 1e9], ['MB', 1e6], ['kB', 1e3], ['B', 1]]);
function show(name, x) {
  if (!Number.isFinite(x)) return '';
  if (/_s$/.test(name)) return seconds(x);
  if (/_bytes$/.test(name)) return bytes(x);
  if (/_Bps$/.test(name)) return bytes(x) + '/s';
  return Number.isInteger(x) && Math.abs(x) < 1e9 ? x.toLocaleString('en') : digits(x);
}
const sizes = {ns: 1e-9, us: 1e-6, '\u00b5s': 1e-6, ms: 1e-3, s: 1, k: 1e3, M: 1e6, G: 1e9, kB: 1e3, MB: 1e6, GB: 1e9, B: 1, '': 1};
function quantity(text) {
  const m = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-zA-Z\u00b5]*)\s*$/.exec(text);
  return m && m[2] in sizes ? +m[1] * sizes[m[2]] : NaN;
}

/* --- the table's columns -------------------------------------------------- */

const rows = data.rows;
const columns = data.columns.map(c => {
  const words = c.words;
  const one = words ? c.of : c.values; /* a number: it is that of all rows */
  const values = words ? new Int32Array(one.length ? one : rows) : new Float64Array(rows);
  if (one.length === undefined) values.fill(one);
  else if (!words) for (let i = 0; i < rows; i++) values[i] = c.values[i] === null ? NaN : c.values[i];
  let same = true;
  for (let i = 1; i < rows && same; i++) same = Object.is(values[i], values[0]);
  const column = {name: c.name, words, values, same: same && rows > 1, number: !words};
  column.text = words ? row => values[row] < 0 ? '' : words[values[row]] : row => show(c.name, values[row]);
  if (words) { /* places in the order of the words */
    const order = words.map((w, i) => i).sort((a, b) => words[a].localeCompare(words[b], 'en', {numeric: true}));
    const place = new Int32Array(words.length);
    order.forEach((w, i) => { place[w] = i; });
    column.key = row => values[row] < 0 ? NaN : place[values[row]];
  } else {
    column.key = row => values[row];
  }
  return column;
});
const named = new Map(columns.map(c => [c.name, c]));
const first = ['strategy', 'time_s', 'times_best', 'size_bytes', 'nodes', 'gpus', 'partition', 'platform', 'workload', 'runtime'];
const hidden = new Set(['version', 'engine', 'wall_s', 'accuracy', 'algbw_Bps']);
function ordered() {
  const rank = c => first.includes(c.name) ? first.indexOf(c.name) : first.length;
  const axes = new Set(data.sources.flatMap(s => (s.axes || []).map(a => a.name)));
  return columns.map((c, i) => [rank(c) - (axes.has(c.name) ? 20 : 0), i, c])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(x => x[2]);
}
const all = ordered();
let visible = all.filter(c => !c.same && !hidden.has(c.name));
const details = new Map(data.details.map(d => [d.row, d]));
const source = row => data.sources.find(s => row >= s.first && row < s.end);

/* --- filters and order ---------------------------------------------------- */

const state = {filters: new Map(), search: '', sort: named.get('time_s') || null, down: false, only: null, at: 0, order: new Int32Array(0)};

function numberTest(text) {
  let m;
  if ((m = /^(.*?)\.\.(.*)$/.exec(text))) {
    const low = m[1].trim() ? quantity(m[1]) : -Infinity, high = m[2].trim() ? quantity(m[2]) : Infinity;
    return Number.isNaN(low) || Number.isNaN(high) ? null : x => x >= low && x <= high;
  }
  m = /^(<=|>=|<|>|=)?(.*)$/.exec(text.trim());
  const q = quantity(m[2]), near = Math.abs(q) * 1e-3;
  if (Number.isNaN(q)) return null;
  return {'<': x => x < q, '<=': x => x <= q, '>': x => x > q, '>=': x => x >= q}[m[1]] || (x => Math.abs(x - q) <= near);
}
function wordTest(column, text) {
  const wanted = text.toLowerCase();
  const good = column.words.map(w => w.toLowerCase().includes(wanted));
  return row => column.values[row] >= 0 && good[column.values[row]];
}
/* Null: the text means nothing. */
function columnTest(column, text) {
  if (!column.number) return wordTest(column, text);
  const test = numberTest(text);
  return test && (row => test(column.values[row]));
}
function searchTest(text) {
  const wanted = text.toLowerCase();
  const tests = columns.filter(c => c.words).map(c => wordTest(c, text));
  return row => tests.some(t => t(row)) || String(row + 1) === wanted;
}
function refresh() {
  const tests = [];
  for (const [column, text] of state.filters) {
    const test = columnTest(column, text);
    if (test) tests.push(test);
    column.input.setAttribute('aria-invalid', String(!test));
  }
  if (state.search) tests.push(searchTest(state.search));
  if (state.only) tests.push(row => state.only.has(row));
  const kept = new Int32Array(rows);
  let n = 0;
  for (let row = 0; row < rows; row++) if (tests.every(t => t(row))) kept[n++] = row;
  state.order = kept.slice(0, n);
  sort();
  by('count').textContent = `${n.toLocaleString('en')} of ${rows.toLocaleString('en')} runs`;
  drawPlot();
}
function sort() {
  const c = state.sort, sign = state.down ? -1 : 1;
  if (c) {
    const key = new Float64Array(rows);
    for (let row = 0; row < rows; row++) key[row] = c.key(row);
    state.order.sort((a, b) => {
      const x = key[a], y = key[b];
      if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b; /* nothing: last */
      return sign * (x - y) || a - b;
    });
  }
  by('scroll').scrollTop = 0;
  drawRows();
}

/* --- the table ------------------------------------------------------------ */

function drawHead() {
  const names = el('tr', {'aria-rowindex': 1}), inputs = el('tr');
  names.append(el('th', {scope: 'col'}, 'run'));
  inputs.append(el('td'));
  for (const c of visible) {
    const button = el('button', {type: 'button'}, c.name);
    c.mark = el('span', {'aria-hidden': 'true'});
    button.append(c.mark);
    button.addEventListener('click', () => {
      state.down = state.sort === c && !state.down;
      state.sort = c;
      drawSort();
      sort();
    });
    c.head = el('th', {scope: 'col', class: c.number ? 'number' : ''}, button);
    names.append(c.head);
    c.input = el('input', {type: 'text', 'aria-label': 'Filter ' + c.name, autocomplete: 'off', spellcheck: 'false'});
    c.input.value = state.filters.get(c) || '';
    c.input.addEventListener('input', () => {
      if (c.input.value.trim()) state.filters.set(c, c.input.value.trim());
      else { state.filters.delete(c); c.input.removeAttribute('aria-invalid'); }
      refresh();
    });
    inputs.append(el('td', {}, c.input));
  }
  by('head').replaceChildren(names, inputs);
  by('table').setAttribute('aria-colcount', visible.length + 1);
  drawSort();
}
function drawSort() {
  for (const c of visible) {
    const sorted = state.sort === c;
    c.head.setAttribute('aria-sort', !sorted ? 'none' : state.down ? 'descending' : 'ascending');
    c.mark.textContent = !sorted ? '' : state.down ? ' \u25bc' : ' \u25b2';
  }
}
function spacer(height) {
  return el('tr', {'aria-hidden': 'true', style: `height:${height}px`}, el('td', {class: 'spacer', colspan: visible.length + 1}));
}
function drawRow(at, tabbed) {
  const row = state.order[at];
  const words = ['strategy', 'platform', 'workload'].map(n => named.get(n)).filter(Boolean).map(c => c.text(row)).filter(Boolean);
  const button = el('button', {type: 'button', 'data-at': at, tabindex: at === tabbed ? 0 : -1, 'aria-label': `Open run ${row + 1}: ${words.join(', ')}`}, String(row + 1));
  const tr = el('tr', {'aria-rowindex': at + 2}, el('th', {scope: 'row'}, button));
  for (const c of visible) {
    const text = c.text(row);
    tr.append(el('td', {class: c.number ? 'number' : '', title: text.length > 40 && text}, text));
  }
  return tr;
}
function drawRows() {
  const box = by('scroll'), n = state.order.length;
  const shown = Math.ceil(box.clientHeight / HEIGHT) + 10;
  const from = Math.max(0, Math.min(n - shown, Math.floor(box.scrollTop / HEIGHT) - 5));
  const to = Math.min(n, from + shown);
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.at : undefined;
  const list = [];
  if (from) list.push(spacer(from * HEIGHT));
  /* Tab comes to one run, and from there out of the table. */
  const tabbed = state.at >= from && state.at < to ? state.at : Math.min(to - 1, Math.ceil(box.scrollTop / HEIGHT));
  for (let at = from; at < to; at++) list.push(drawRow(at, tabbed));
  if (to < n) list.push(spacer((n - to) * HEIGHT));
  if (!n) list.push(el('tr', {}, el('td', {colspan: visible.length + 1}, 'No run is left by the filters.')));
  by('body').replaceChildren(...list);
  by('table').setAttribute('aria-rowcount', n + 1);
  if (focused !== undefined) {
    const again = by('body').querySelector(`button[data-at="${+focused}"]`);
    (again || box).focus({preventScroll: true});
  }
}
function focusRow(at) {
  const box = by('scroll');
  at = state.at = Math.max(0, Math.min(state.order.length - 1, at));
  const top = at * HEIGHT, room = box.clientHeight - by('head').offsetHeight - HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top > box.scrollTop + room) box.scrollTop = top - room;
  drawRows();
  const button = by('body').querySelector(`button[data-at="${at}"]`);
  if (button) button.focus({preventScroll: true});
}
const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity};
by('body').addEventListener('keydown', e => {
  if (e.target.dataset.at === undefined || !(e.key in steps)) return;
  e.preventDefault();
  focusRow(+e.target.dataset.at + steps[e.key]);
});
by('body').addEventListener('click', e => {
  if (e.target.dataset.at === undefined) return;
  state.at = +e.target.dataset.at;
  openRun(state.order[+e.target.dataset.at]);
});
by('scroll').addEventListener('scroll', drawRows, {passive: true});

/* --- the plot ------------------------------------------------------------- */

const palettes = {
  light: ['#0b6fa4', '#b5541c', '#2f7d3b', '#8a4fa3', '#c2416b', '#8a6d00', '#3d6ad6', '#00857c', '#a8323e', '#6b7f00', '#7a5a44', '#4d5a66'],
  dark: ['#5db3e6', '#f0945a', '#74c97f', '#c59ae0', '#f08aac', '#e0c05a', '#8faaff', '#4fd0c4', '#ff8f8f', '#c3d65a', '#d0b09a', '#b4c0cb']};
const isDark = () => document.documentElement.dataset.theme === 'dark';
let plotted = {points: [], front: []};

function groupsOf(column, list) {
  if (!column) return {of: () => 0, names: ['all']};
  const counts = new Map();
  for (const row of list) { const v = column.values[row]; counts.set(v, (counts.get(v) || 0) + 1); }
  const names = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_GROUPS).map(x => x[0]);
  const index = new Map(names.map((v, i) => [v, i])), last = MOST_GROUPS - 1;
  const of = row => { const i = index.get(column.values[row]); return i === undefined ? last : i; };
  const word = v => (column.number ? show(column.name, v) : column.words[v]) || 'none';
  return {of, names: names.map((v, i) => i === last && counts.size > MOST_GROUPS ? 'all others' : word(v))};
}
function axisOf(values, log) {
  let low = Infinity, high = -Infinity;
  for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
  if (!(low <= high)) return null;
  if (log) { low = Math.log10(low); high = Math.log10(high); }
  if (low === high) { low -= 0.5 * (Math.abs(low) || 1); high += 0.5 * (Math.abs(high) || 1); }
  else { const pad = (high - low) * 0.04; low -= pad; high += pad; }
  const ticks = [];
  if (log && high - low > 1) {
    for (let e = Math.ceil(low); e <= high; e++) ticks.push(10 ** e);
    if (ticks.length < 4) for (let e = Math.floor(low); e <= high; e++) for (const m of [2, 5]) if (Math.log10(m) + e > low && Math.log10(m) + e < high) ticks.push(m * 10 ** e);
  } else {
    const a = log ? 10 ** low : low, b = log ? 10 ** high : high, raw = (b - a) / 6, unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(m => m * unit).find(s => s >= raw);
    for (let v = Math.ceil(a / step) * step; v <= b; v += step) ticks.push(Math.abs(v) < step / 1e6 ? 0 : v);
  }
  return {at: v => ((log ? Math.log10(v) : v) - low) / (high - low), ticks};
}
/* Of points, those that no other beats in x or y without being worse in the
 * other. */
function frontOf(points) {
  const front = [];
  let least = Infinity;
  for (const p of [...points].sort((a, b) => a.x - b.x || a.y - b.y))
    if (p.y < least) { front.push(p); least = p.y; }
  return front;
}
function lineOf(points) {
  const least = new Map();
  for (const p of points) { const q = least.get(p.x); if (!q || p.y < q.y) least.set(p.x, p); }
  return [...least.values()].sort((a, b) => a.x - b.x);
}
function drawPlot() {
  const kind = by('kind').value, x = named.get(by('x').value), y = named.get(by('y').value);
  const canvas = by('plot'), box = canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
  if (!x || !y || !box.width) return;
  const xlog = by('xlog').checked, ylog = by('ylog').checked;
  const groups = groupsOf(named.get(by('group').value), state.order);
  const points = [];
  for (const row of state.order) {
    const p = {row, x: x.values[row], y: y.values[row], group: 0};
    if (p.x === p.x && p.y === p.y && (!xlog || p.x > 0) && (!ylog || p.y > 0)) { p.group = groups.of(row); points.push(p); }
  }
  const ax = axisOf(points.map(p => p.x), xlog), ay = axisOf(points.map(p => p.y), ylog);
  const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--soft'), grid = style.getPropertyValue('--line');
  canvas.width = box.width * scale; canvas.height = box.height * scale;
  const c = canvas.getContext('2d');
  c.scale(scale, scale);
  const left = 84, right = box.width - 12, top = 10, bottom = box.height - 42;
  plotted = {points, front: kind === 'pareto' ? frontOf(points) : []};
  by('front').hidden = kind !== 'pareto';
  c.font = '12px system-ui, "DejaVu Sans", sans-serif';
  c.fillStyle = ink;
  if (!ax || !ay) { c.fillText('Nothing to plot: no run has both numbers.', left, top + 20); caption(x, y, []); drawLegend({names: []}); return; }
  for (const t of ax.ticks) {
    const px = left + ax.at(t) * (right - left);
    c.strokeStyle = grid; c.beginPath(); c.moveTo(px, top); c.lineTo(px, bottom); c.stroke();
    c.textAlign = 'center'; c.fillText(show(x.name, t), px, bottom + 16);
  }
  for (const t of ay.ticks) {
    const py = bottom - ay.at(t) * (bottom - top);
    c.strokeStyle = grid; c.beginPath(); c.moveTo(left, py); c.lineTo(right, py); c.stroke();
    c.textAlign = 'right'; c.fillText(show(y.name, t), left - 6, py + 4);
  }
  c.textAlign = 'center'; c.fillText(x.name, (left + right) / 2, box.height - 8);
  c.save(); c.translate(14, (top + bottom) / 2); c.rotate(-Math.PI / 2); c.fillText(y.name, 0, 0); c.restore();
  for (const p of points) { p.px = left + ax.at(p.x) * (right - left); p.py = bottom - ay.at(p.y) * (bottom - top); }
  const colours = palettes[isDark() ? 'dark' : 'light'], size = points.length > 5000 ? 2 : points.length > 500 ? 3 : 4.5;
  c.globalAlpha = kind === 'scatter' ? (points.length > 5000 ? 0.5 : 0.85) : 0.25;
  /* Of many, one for each place and colour. */
  const taken = new Uint16Array(Math.ceil(box.width) * Math.ceil(box.height) / 4 + 1), across = Math.ceil(box.width / 2);
  let colour = -1;
  for (const p of points) {
    if (size <= 2) {
      const place = (p.px >> 1) + (p.py >> 1) * across;
      if (taken[place] >> p.group & 1) continue;
      taken[place] |= 1 << p.group;
    }
    if (p.group !== colour) c.fillStyle = colours[colour = p.group];
    if (size <= 2) c.fillRect(p.px - 1.5, p.py - 1.5, 3, 3);
    else { c.beginPath(); c.arc(p.px, p.py, size, 0, 7); c.fill(); }
  }
  c.globalAlpha = 1;
  const line = (list, colour) => {
    c.strokeStyle = c.fillStyle = colour; c.lineWidth = 2; c.beginPath();
    list.forEach((p, i) => i ? c.lineTo(p.px, p.py) : c.moveTo(p.px, p.py));
    c.stroke(); c.lineWidth = 1;
    for (const p of list) { c.beginPath(); c.arc(p.px, p.py, 4, 0, 7); c.fill(); }
  };
  if (kind === 'lines') groups.names.forEach((n, g) => line(lineOf(points.filter(p => p.group === g)), colours[g]));
  if (kind === 'pareto') line(plotted.front, style.getPropertyValue('--ink'));
  drawLegend(groups, colours);
  caption(x, y, points);
}
function drawLegend(groups, colours) {
  by('legend').replaceChildren(...groups.names.map((n, i) => el('li', {}, el('i', {style: `background:${colours[i]}`}), n)));
}
function caption(x, y, points) {
  let text = `${points.length.toLocaleString('en')} runs: ${y.name} by ${x.name}.`;
  let best = null;
  for (const p of points) if (!best || p.y < best.y) best = p;
  if (best) text += ` The least ${y.name} is ${show(y.name, best.y)}, of run ${best.row + 1}${named.has('strategy') ? ' (' + named.get('strategy').text(best.row) + ')' : ''}, where ${x.name} is ${show(x.name, best.x)}.`;
  if (plotted.front.length) text += ` The front has ${plotted.front.length} runs.`;
  by('caption').textContent = text;
  by('plot').setAttribute('aria-label', `Plot of ${y.name} by ${x.name}`);
}
function nearest(e) {
  const box = by('plot').getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
  let best = null, least = 196;
  for (const p of plotted.points) { const d = (p.px - x) ** 2 + (p.py - y) ** 2; if (d < least) { least = d; best = p; } }
  return best;
}
by('plot').addEventListener('mousemove', e => {
  const p = nearest(e), tip = by('tip');
  tip.hidden = !p;
  by('plot').style.cursor = p ? 'pointer' : '';
  if (!p) return;
  const of = ['strategy', by('x').value, by('y').value].filter((n, i, l) => named.has(n) && l.indexOf(n) === i);
  tip.textContent = `run ${p.row + 1}\n` + of.map(n => `${n}: ${named.get(n).text(p.row)}`).join('\n');
  tip.style.left = Math.min(p.px + 12, by('plot').clientWidth - 230) + 'px';
  tip.style.top = Math.max(0, p.py - 40) + 'px';
});
by('plot').addEventListener('mouseleave', () => { by('tip').hidden = true; });
by('plot').addEventListener('click', e => { const p = nearest(e); if (p) openRun(p.row); });
for (const id of ['kind', 'x', 'y', 'group', 'xlog', 'ylog']) by(id).addEventListener('change', drawPlot);
by('front').addEventListener('click', () => { state.only = new Set(plotted.front.map(p => p.row)); refresh(); });

/* --- one run -------------------------------------------------------------- */

/* A table of bars: each row a name, its numbers as text, and a bar from one
 * part of the whole to another. */
function bars(caption, heads, list) {
  const head = el('tr', {}, ...heads.map((h, i) => el('th', {scope: 'col', class: i ? 'number' : ''}, h)), el('th', {scope: 'col'}, el('span', {'aria-hidden': 'true'}, '')));
  const body = list.map(r => el('tr', {}, el('th', {scope: 'row'}, r.name), ...r.cells.map(t => el('td', {class: 'number'}, t)),
    el('td', {class: 'fill'}, el('i', {'aria-hidden': 'true', style: `margin-left:${(100 * (r.from || 0)).toFixed(2)}%;width:${(100 * (r.to - (r.from || 0))).toFixed(2)}%${r.colour ? ';background:' + r.colour : ''}`}))));
  return el('table', {class: 'bars'}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, ...body));
}
const spoken = key => key.replace(/_/g, ' ');
const percent = x => (100 * x).toFixed(x < 0.0995 ? 1 : 0) + '\u00a0%';

function phases(d) {
  const list = Object.entries(d.phases);
  const most = Math.max(...list.map(([, p]) => p.wall_s));
  return [el('h3', {}, 'Phases'), bars('How long each lasts, from the first to begin to the last to end; they overlap.', ['phase', 'operations', 'of one rank at most', 'lasts'],
    list.map(([k, p]) => ({name: spoken(k), cells: [String(p.operations), seconds(p.max_rank_s), seconds(p.wall_s)], to: p.wall_s / most})))];
}
function criticalPath(d) {
  const steps = d.critical_path, of = d.time_s;
  const begin = steps[0].from_s > 0 ? ` It begins at ${seconds(steps[0].from_s)}: this is its end.` : '';
  const waits = new Map();
  for (const s of steps) waits.set(s.waited_for, (waits.get(s.waited_for) || 0) + s.to_s - s.from_s);
  return [el('h3', {}, 'Critical path'), bars('What the last of all waited for, step by step.' + begin, ['step', 'after', 'from', 'to'],
    steps.map(s => ({name: s.operation, cells: [s.waited_for, seconds(s.from_s), seconds(s.to_s)], from: s.from_s / of, to: s.to_s / of}))),
    bars('Time of these steps by what each waited for.', ['waited for', 'time'],
      [...waits].sort((a, b) => b[1] - a[1]).map(([k, t]) => ({name: k, cells: [seconds(t)], to: t / of})))];
}
function restsOn(d) {
  const list = Object.entries(d.rests_on).filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1]);
  return [el('h3', {}, 'What the time rests on'), bars('Shares of the whole critical path, by the source of the numbers.', ['source', 'share'],
    list.map(([k, v]) => ({name: spoken(k), cells: [percent(v)], to: Math.min(1, v)})))];
}
function traffic(d) {
  const list = Object.entries(d.traffic), most = Math.max(1, ...list.map(([, t]) => t.bytes));
  return [el('h3', {}, 'Messages by locality'), bars('Bars: bytes.', ['locality', 'messages', 'bytes'],
    list.map(([k, t]) => ({name: spoken(k), cells: [t.messages.toLocaleString('en'), bytes(t.bytes)], to: t.bytes / most})))];
}

const time = sluiceTimeline({el, seconds, bytes, percent, bars, colours: () => palettes[isDark() ? 'dark' : 'light']});
const links = sluiceLinks({el, bytes, percent, bars, isDark});

/* A run of a sweep: what gives its details. */
function command(row) {
  const s = source(row);
  if (!s.axes) return [el('p', {}, 'This result has no details: `sluice run --json --details` gives them.')];
  const experiment = JSON.parse(JSON.stringify(s.base || {})), sets = experiment.set || [];
  for (const a of s.axes) {
    const c = named.get(a.name);
    if (!c) continue;
    const value = c.number ? c.values[row] : c.text(row);
    if (a.set) sets.push(`${a.name}=${value}`);
    else experiment[a.name] = value;
  }
  if (sets.length) experiment.set = sets;
  return [el('h3', {}, 'Details'), el('p', {}, 'A sweep keeps no details. These commands give those of this point:'),
    el('pre', {tabindex: 0, id: 'command'}, `cat > point.json <<'END'\n${JSON.stringify(experiment, null, 2)}\nEND\nsluice run point.json --json --details > point.run.json\nsluice report point.run.json -o point.html\n`)];
}
/* Files may come from others: a part that is not as sluice writes it is left
 * out, the rest is shown. */
function part(make, ...of) {
  try {
    return make(...of);
  } catch (e) {
    return [el('p', {class: 'hint'}, `A part of this run (${make.name}) cannot be shown: it is not as sluice writes it.`)];
  }
}
function openRun(row) {
  const d = details.get(row), strategy = named.has('strategy') ? named.get('strategy').text(row) : '';
  by('run-title').textContent = `Run ${row + 1}${strategy ? ': ' + strategy : ''}`;
  const facts = el('dl', {}, el('div', {}, el('dt', {}, 'file'), el('dd', {}, source(row).file)));
  for (const c of all) if (c.text(row)) facts.append(el('div', {}, el('dt', {}, c.name), el('dd', {}, c.text(row))));
  const parts = [facts];
  if (!d) parts.push(...command(row));
  if (d && d.phases && Object.keys(d.phases).length) parts.push(...part(phases, d));
  if (d && d.critical_path && d.critical_path.length !== 0 && d.time_s > 0) parts.push(...part(criticalPath, d));
  if (d && d.timeline && d.time_s > 0) parts.push(...part(time.timeline, d));
  if (d && d.rests_on) parts.push(...part(restsOn, d));
  if (d && d.traffic) parts.push(...part(traffic, d));
  if (d && d.links && d.links.length !== 0) parts.push(...part(links, d, named.has('platform') ? named.get('platform').text(row) : ''));
  by('run-body').replaceChildren(...parts);
  /* Its button may be another one by then: rows are drawn anew when the window changes. */
  const at = document.activeElement.dataset.at;
  by('run').onclose = () => { if (at !== undefined && document.activeElement.dataset.at === undefined) focusRow(+at); };
  by('run').showModal();
  by('run').scrollTop = 0;
}
by('close').addEventListener('click', () => by('run').close());
by('run').addEventListener('click', e => { if (e.target === by('run')) by('run').close(); });

/* --- begin ---------------------------------------------------------------- */

function theme() {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = by('theme').value || system;
}
function begin() {
  theme();
  by('theme').addEventListener('change', () => { theme(); drawPlot(); time.redraw(); });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { theme(); drawPlot(); time.redraw(); });
  by('of').textContent = `${data.sluice}: ${rows.toLocaleString('en')} runs of ${data.sources.map(s => s.file).join(', ')}`;
  document.title = `sluice: ${data.sources.map(s => s.file).join(', ')}`;
  const same = columns.filter(c => c.same && c.text(0));
  if (same.length) by('same').textContent = 'The same in all runs: ' + same.map(c => `${c.name} ${c.text(0)}`).join('; ');
  for (const c of all) {
    const box = el('input', {type: 'checkbox'});
    box.checked = visible.includes(c);
    box.addEventListener('change', () => {
      visible = all.filter(x => x === c ? box.checked : visible.includes(x));
      if (!box.checked) state.filters.delete(c);
      drawHead();
      refresh();
    });
    by('choices').append(el('label', {}, box, ' ' + c.name));
  }
  const numbers = all.filter(c => c.number && c.values.some(v => v === v));
  for (const id of ['x', 'y']) by(id).append(...numbers.map(c => el('option', {value: c.name}, c.name)));
  by('group').append(el('option', {value: ''}, 'none'), ...all.filter(c => !c.same).map(c => el('option', {value: c.name}, c.name)));
  const varying = numbers.filter(c => !c.same && !/^time/.test(c.name) && !hidden.has(c.name) && c.name !== 'point');
  const pick = (id, names) => { const found = names.find(n => n && [...by(id).options].some(o => o.value === n)); if (found !== undefined) by(id).value = found; };
  pick('x', [...['size_bytes', 'nodes', 'gpus'].filter(n => varying.some(c => c.name === n)), varying.length ? varying[0].name : '']);
  pick('y', ['time_s']);
  pick('group', ['strategy', 'runtime', 'platform', '']);
  by('xlog').checked = by('x').value === 'size_bytes';
  by('ylog').checked = by('x').value === 'size_bytes';
  drawHead();
  refresh();
  by('search').addEventListener('input', () => { state.search = by('search').value.trim(); refresh(); });
  by('clear').addEventListener('click', () => {
    state.filters.clear();
    state.search = by('search').value = '';
    state.only = null;
    drawHead();
    refresh();
  });
  window.addEventListener('resize', () => { drawPlot(); drawRows(); });
}
begin();
})();
