/* The timeline of one run in the page of `sluice report`: what each resource
 * did when, to zoom and pan by mouse and keys. All that it shows is said as
 * text, too: of what is chosen, and in tables. */
'use strict';
const sluiceTimeline = ({el, seconds, bytes, percent, bars, colours}) => {
const GUTTER = 210, LANE = 15, STRIP = 26, GAP = 4, AXIS = 22, MOST_ROWS = 80;
const kinds = [['cpu', 'CPUs'], ['kernels', 'kernels'], ['copy_engine', 'copy engines'], ['nic', 'NICs'], ['link', 'links']];
let current = null;

/* --- what there is -------------------------------------------------------- */

/* As sluice names an operation elsewhere: "message, rank 3 to 40, 8192 B". */
function operationName(t, i) {
  const o = t.operations, between = o.locality[i] >= 0;
  let text = t.kinds[o.kind[i]];
  if (between && o.from_gpu[i] >= 0) text += `, GPU ${o.from_gpu[i]} to ${o.to_gpu[i]}`;
  else if (between) text += `, rank ${o.from_rank[i]} to ${o.to_rank[i]}`;
  else if (o.from_rank[i] !== o.to_rank[i]) text += `, rank ${o.to_rank[i]} from rank ${o.from_rank[i]}`;
  else text += `, rank ${o.from_rank[i]}` + (o.from_gpu[i] >= 0 ? `, GPU ${o.from_gpu[i]}` : '');
  if (between || o.bytes[i] > 0) text += `, ${o.bytes[i]} B`;
  if (between) text += ', ' + t.localities[o.locality[i]].replace(/_/g, '-');
  return text;
}
/* A row a resource: spans on lanes, or a number in each bin. */
function rowsOf(t, end) {
  const rows = t.tracks.map(k => ({name: k.name, node: k.node, kind: k.resource, lanes: 1, items: []}));
  const s = t.spans;
  for (let i = 0; i < s.track.length; i++) {
    const row = rows[s.track[i]];
    row.items.push({from: s.from_s[i], to: s.to_s[i], lane: s.lane[i], op: s.operation[i]});
    row.lanes = Math.max(row.lanes, s.lane[i] + 1);
  }
  const counter = (c, kind, values) => {
    const items = values.map((v, b) => ({from: b * t.bin_s, to: Math.min((b + 1) * t.bin_s, end), value: v})).filter(x => x.to > x.from);
    rows.push({name: c.node === undefined || kind === 'link' ? c.name : `node ${c.node}, ${c.name}`, node: c.node, kind, items, most: Math.max(...values)});
  };
  for (const c of t.nics) counter(c, 'nic', c.messages);
  for (const c of t.links) counter(c, 'link', c.rate_Bps);
  const order = r => [r.node === undefined ? Infinity : r.node, kinds.findIndex(k => k[0] === r.kind)];
  return rows.map((r, i) => [order(r), i, r]).sort((a, b) => a[0][0] - b[0][0] || a[0][1] - b[0][1] || a[1] - b[1]).map(x => x[2]);
}
function describe(v, row, item) {
  const t = v.t, when = `${seconds(item.from)} to ${seconds(item.to)}`;
  if (item.op === undefined)
    return `${row.name}: ${row.kind === 'link' ? bytes(item.value) + '/s' : +item.value.toPrecision(3) + ' messages under way'}, ${when}`;
  const o = t.operations, i = item.op;
  return `${operationName(t, i)}\n${row.name}, ${when}; phase ${t.phases[o.phase[i]]}\n` +
    `the operation from ${seconds(o.start_s[i])} to ${seconds(o.end_s[i])}, ready at ${seconds(o.ready_s[i])}, waited for ${t.causes[o.waited_for[i]]}`;
}

/* Of the last phase, the workload's own work, the last: it is grey. */
const colourOf = (palette, phase) => palette[phase < 8 ? phase : palette.length - 1];

/* --- drawing -------------------------------------------------------------- */

function place(v) {
  let top = 0;
  v.rows = v.all.filter(r => v.kinds.has(r.kind) && (v.node === '' || String(r.node) === v.node));
  for (const r of v.rows) {
    r.top = top;
    r.height = r.items.length && r.items[0].op === undefined ? STRIP : r.lanes * LANE;
    top += r.height + GAP;
  }
  v.height = top;
  v.space.style.height = top + AXIS + 'px';
  if (!v.rows.includes(v.row)) v.row = v.item = null;
}
const width = v => Math.max(50, v.canvas.clientWidth - GUTTER - 8);
const atX = (v, s) => GUTTER + (s - v.from) / (v.to - v.from) * width(v);
const atS = (v, x) => v.from + (x - GUTTER) / width(v) * (v.to - v.from);
function boxOf(v, row, item) {
  const x1 = Math.max(GUTTER, atX(v, item.from)), x2 = Math.min(GUTTER + width(v), atX(v, item.to));
  const y = row.top - v.scroll.scrollTop + AXIS;
  return item.op === undefined ? [x1, y, x2 - x1, STRIP] : [x1, y + item.lane * LANE, Math.max(1, x2 - x1), LANE - 2];
}
function ticks(v) {
  const raw = (v.to - v.from) / 6, unit = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(m => m * unit).find(s => s >= raw), list = [];
  for (let k = Math.ceil(v.from / step); k * step <= v.to; k++) list.push(k * step);
  return list;
}
function drawSpans(v, c, row, palette) {
  const ends = new Float64Array(row.lanes).fill(-1);
  for (const item of row.items) {
    if (item.to < v.from || item.from > v.to) continue;
    const [x, y, w, h] = boxOf(v, row, item);
    if (x + w <= ends[item.lane] + 0.4) continue; /* no pixel of its own */
    ends[item.lane] = x + w;
    c.fillStyle = colourOf(palette, v.t.operations.phase[item.op]);
    c.fillRect(x, y, w > 3 ? w - 0.6 : w, h);
    if (w > 60) {
      c.save(); c.beginPath(); c.rect(x, y, w - 3, h); c.clip();
      c.fillStyle = v.ink.paper; c.fillText(operationName(v.t, item.op), x + 3, y + h - 3);
      c.restore();
    }
  }
}
function drawCounter(v, c, row) {
  c.fillStyle = v.ink.bar;
  for (const item of row.items) {
    if (item.to < v.from || item.from > v.to || !(item.value > 0)) continue;
    const [x, y, w] = boxOf(v, row, item), h = Math.max(1, (STRIP - 3) * item.value / row.most);
    c.fillRect(x, y + STRIP - 1 - h, w + 0.5, h);
  }
}
function drawAxis(v, c, right, bottom) {
  c.fillStyle = v.ink.card; c.fillRect(0, 0, right + 8, AXIS);
  c.textAlign = 'center';
  let end = 0;
  for (const s of ticks(v)) {
    const x = atX(v, s), words = seconds(Math.abs(s) < v.end / 1e9 ? 0 : s);
    const half = c.measureText(words).width / 2, middle = Math.max(GUTTER + 14, Math.min(x, right - 24));
    c.strokeStyle = v.ink.line; c.beginPath(); c.moveTo(x, AXIS - 5); c.lineTo(x, bottom); c.stroke();
    if (middle - half < end) continue; /* no room: a narrow window */
    c.fillStyle = v.ink.soft; c.fillText(words, middle, 13);
    end = middle + half + 8;
  }
  c.textAlign = 'left';
}
function draw(v) {
  const scale = window.devicePixelRatio || 1, w = v.scroll.clientWidth, h = v.scroll.clientHeight;
  if (!w || !h) return;
  const style = getComputedStyle(document.documentElement);
  v.ink = Object.fromEntries(['ink', 'soft', 'line', 'card', 'bar', 'paper'].map(n => [n, style.getPropertyValue('--' + n)]));
  v.canvas.style.height = h + 'px'; v.canvas.style.marginBottom = -h + 'px';
  v.canvas.width = w * scale; v.canvas.height = h * scale;
  const c = v.canvas.getContext('2d'), right = GUTTER + width(v), palette = colours(), y0 = v.scroll.scrollTop;
  c.scale(scale, scale);
  c.font = '11px system-ui, "DejaVu Sans", sans-serif';
  c.fillStyle = v.ink.card; c.fillRect(0, 0, w, h);
  drawAxis(v, c, right, h);
  c.save(); c.beginPath(); c.rect(0, AXIS, w, h - AXIS); c.clip();
  for (const row of v.rows) {
    const y = row.top - y0 + AXIS;
    if (y + row.height < AXIS || y > h) continue;
    c.fillStyle = row === v.row ? v.ink.ink : v.ink.soft;
    c.save(); c.beginPath(); c.rect(0, y - 1, GUTTER - 6, row.height + 2); c.clip();
    c.fillText(row.name, 4, y + 11);
    if (row.most !== undefined) c.fillText('at most ' + (row.kind === 'link' ? bytes(row.most) + '/s' : +row.most.toPrecision(3)), 14, y + 23);
    c.restore();
    c.strokeStyle = v.ink.line; c.beginPath(); c.moveTo(0, y + row.height + 1.5); c.lineTo(right, y + row.height + 1.5); c.stroke();
    if (row.most === undefined) drawSpans(v, c, row, palette);
    else drawCounter(v, c, row);
  }
  if (v.item) {
    const [x, y, bw, bh] = boxOf(v, v.row, v.item);
    c.strokeStyle = v.ink.ink; c.lineWidth = 2; c.strokeRect(x - 1, y - 1, bw + 2, bh + 2); c.lineWidth = 1;
    v.canvas.dataset.chosen = [x, y, bw, bh].map(n => n.toFixed(2)).join(' ');
  } else delete v.canvas.dataset.chosen;
  c.restore();
  v.canvas.dataset.from = v.from; v.canvas.dataset.to = v.to;
}

/* --- zoom, pan, choose ---------------------------------------------------- */

function show(v, from, to) {
  const least = v.end / 1e6, length = Math.min(v.end, Math.max(least, to - from));
  v.from = Math.max(0, Math.min(from + (to - from - length) / 2, v.end - length));
  v.to = v.from + length;
  draw(v);
  clearTimeout(v.later);
  v.later = setTimeout(() => listView(v), 150);
}
function zoom(v, factor, at) {
  const middle = at !== undefined ? at : v.item && v.item.to >= v.from && v.item.from <= v.to
    ? (Math.max(v.from, v.item.from) + Math.min(v.to, v.item.to)) / 2 : (v.from + v.to) / 2;
  show(v, middle - (middle - v.from) * factor, middle + (v.to - middle) * factor);
}
const pan = (v, part) => show(v, v.from + part * (v.to - v.from), v.to + part * (v.to - v.from));
function choose(v, row, item) {
  v.row = row; v.item = item;
  if (!item) return;
  const box = v.scroll, room = box.clientHeight - AXIS;
  if (row.top < box.scrollTop) box.scrollTop = row.top;
  if (row.top + row.height > box.scrollTop + room) box.scrollTop = Math.min(row.top, row.top + row.height - room);
  v.told.textContent = describe(v, row, item);
  if (item.to < v.from || item.from > v.to) {
    const middle = (item.from + item.to) / 2, half = (v.to - v.from) / 2;
    show(v, middle - half, middle + half);
  } else draw(v);
}
/* The item of a row that is nearest to a time. */
function nearest(row, s) {
  const far = x => s < x.from ? x.from - s : s > x.to ? s - x.to : 0;
  return row.items.reduce((best, x) => !best || far(x) < far(best) ? x : best, null);
}
function step(v, rows, items) {
  if (!v.rows.length) return;
  if (!v.row) { const row = v.rows.find(r => r.items.length); if (row) choose(v, row, nearest(row, v.from)); return; }
  if (rows) {
    const middle = v.item ? (v.item.from + v.item.to) / 2 : v.from;
    const row = v.rows[Math.max(0, Math.min(v.rows.length - 1, v.rows.indexOf(v.row) + rows))];
    choose(v, row, nearest(row, middle));
  } else {
    const list = v.row.items;
    choose(v, v.row, list[Math.max(0, Math.min(list.length - 1, list.indexOf(v.item) + items))]);
  }
}
const keys = {
  ArrowLeft: v => step(v, 0, -1), ArrowRight: v => step(v, 0, 1), ArrowUp: v => step(v, -1, 0), ArrowDown: v => step(v, 1, 0),
  Home: v => step(v, 0, -Infinity), End: v => step(v, 0, Infinity),
  '+': v => zoom(v, 0.5), '=': v => zoom(v, 0.5), '-': v => zoom(v, 2), 0: v => show(v, 0, v.end)};
function under(v, e) {
  const box = v.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top - AXIS + v.scroll.scrollTop;
  if (x < GUTTER || e.clientY - box.top < AXIS) return null;
  const row = v.rows.find(r => y >= r.top && y < r.top + r.height);
  if (!row) return null;
  const s = atS(v, x), slack = 2 * (v.to - v.from) / width(v), lane = Math.floor((y - row.top) / LANE);
  const near = row.items.filter(i => (i.op === undefined || i.lane === lane) && s >= i.from - slack && s <= i.to + slack);
  const item = near.find(i => s >= i.from && s <= i.to) || near[0];
  return item ? {row, item, x, y: e.clientY - box.top} : null;
}
function listen(v) {
  let drag = null;
  v.canvas.addEventListener('keydown', e => {
    const shifted = e.shiftKey && {ArrowLeft: -0.25, ArrowRight: 0.25}[e.key];
    if (e.ctrlKey || e.altKey || e.metaKey || !(shifted || keys[e.key])) return;
    e.preventDefault();
    if (shifted) pan(v, shifted);
    else keys[e.key](v);
  });
  v.canvas.addEventListener('wheel', e => {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    if (e.ctrlKey) zoom(v, Math.exp(e.deltaY / 300), atS(v, e.clientX - v.canvas.getBoundingClientRect().left));
    else pan(v, (e.deltaY || e.deltaX) / 1000);
  }, {passive: false});
  v.canvas.addEventListener('pointerdown', e => {
    drag = {x: e.clientX, from: v.from, to: v.to, moved: false};
    v.canvas.setPointerCapture(e.pointerId);
  });
  v.canvas.addEventListener('pointermove', e => {
    if (drag && (drag.moved || Math.abs(e.clientX - drag.x) > 3)) {
      const by = (e.clientX - drag.x) / width(v) * (drag.to - drag.from);
      drag.moved = true; v.tip.hidden = true;
      show(v, drag.from - by, drag.to - by);
      return;
    }
    const at = under(v, e);
    v.tip.hidden = !at;
    if (!at) return;
    v.tip.textContent = describe(v, at.row, at.item);
    v.tip.style.left = Math.max(0, Math.min(at.x + 12, v.canvas.clientWidth - v.tip.offsetWidth - 4)) + 'px';
    v.tip.style.top = (at.y + v.tip.offsetHeight + 24 > v.canvas.clientHeight ? at.y - v.tip.offsetHeight - 10 : at.y + 16) + 'px';
  });
  v.canvas.addEventListener('pointerup', e => {
    const at = drag && !drag.moved && under(v, e);
    drag = null;
    if (at) choose(v, at.row, at.item);
  });
  v.canvas.addEventListener('pointerleave', () => { v.tip.hidden = true; });
  v.canvas.addEventListener('dblclick', e => zoom(v, 0.4, atS(v, e.clientX - v.canvas.getBoundingClientRect().left)));
  v.scroll.addEventListener('scroll', () => draw(v), {passive: true});
}

/* --- as text -------------------------------------------------------------- */

/* What of the rows is in view: the longest operations, and how busy each
 * resource is. */
function listView(v) {
  const length = v.to - v.from, part = x => Math.max(0, Math.min(x.to, v.to) - Math.max(x.from, v.from));
  const ops = [], busy = [];
  for (const row of v.rows) {
    if (row.most !== undefined) continue;
    let sum = 0;
    for (const item of row.items) if (part(item) > 0) { sum += part(item); ops.push({row, item}); }
    if (sum > 0) busy.push({name: row.name, cells: [seconds(sum), percent(sum / length)], to: Math.min(1, sum / length)});
  }
  ops.sort((a, b) => part(b.item) - part(a.item) || a.item.from - b.item.from);
  const heads = ['operation', 'on', 'from', 'to'];
  v.text.replaceChildren(
    bars(`The longest ${Math.min(40, ops.length)} of ${ops.length.toLocaleString('en')} parts of operations from ${seconds(v.from)} to ${seconds(v.to)}.`, heads, ops.slice(0, 40).map(({row, item}) => ({
      name: operationName(v.t, item.op), cells: [row.name, seconds(item.from), seconds(item.to)],
      from: Math.max(0, (item.from - v.from) / length), to: Math.min(1, (item.to - v.from) / length)}))),
    bars('How long each resource is at work there; what overlaps counts twice.', ['resource', 'at work', 'share'], busy.sort((a, b) => b.to - a.to).slice(0, 40)));
}

/* --- all ------------------------------------------------------------------ */

function controls(v, nodes) {
  const button = (text, name, act) => {
    const b = el('button', {type: 'button', 'aria-label': name, title: name}, text);
    b.addEventListener('click', () => act());
    return b;
  };
  const node = el('select', {id: 'time-node'}, el('option', {value: ''}, 'all nodes'), ...nodes.map(n => el('option', {value: n}, 'node ' + n)));
  node.value = v.node;
  node.addEventListener('change', () => { v.node = node.value; place(v); show(v, v.from, v.to); });
  const boxes = kinds.filter(([k]) => v.all.some(r => r.kind === k)).map(([k, words]) => {
    const box = el('input', {type: 'checkbox', checked: true});
    box.addEventListener('change', () => { if (box.checked) v.kinds.add(k); else v.kinds.delete(k); place(v); show(v, v.from, v.to); });
    return el('label', {class: 'check'}, box, ' ' + words);
  });
  return el('div', {class: 'controls'}, el('label', {}, 'Of ', node), ...boxes,
    button('+', 'zoom in', () => zoom(v, 0.5)), button('\u2212', 'zoom out', () => zoom(v, 2)),
    button('\u25c0', 'earlier', () => pan(v, -0.25)), button('\u25b6', 'later', () => pan(v, 0.25)), button('whole run', 'whole run', () => show(v, 0, v.end)));
}
function legend(v) {
  const used = [...new Set(v.t.operations.phase)].sort((a, b) => a - b), palette = colours();
  v.legend.replaceChildren(...used.map(p => el('li', {}, el('i', {style: `background:${colourOf(palette, p)}`}), v.t.phases[p])));
}
function timeline(d) {
  const t = d.timeline, end = d.time_s, all = rowsOf(t, end);
  const nodes = [...new Set(all.map(r => r.node).filter(n => n !== undefined))].sort((a, b) => a - b);
  const last = all.reduce((best, r) => { const to = r.most === undefined ? Math.max(...r.items.map(i => i.to)) : -1; return to > best.to ? {to, node: r.node} : best; }, {to: -1, node: ''});
  const v = {t, end, all, from: 0, to: end, node: all.length > MOST_ROWS ? String(last.node) : '', kinds: new Set(kinds.map(k => k[0])), row: null, item: null,
    canvas: el('canvas', {id: 'time', tabindex: 0, role: 'application', 'aria-roledescription': 'timeline', 'aria-label': 'What each resource did when', 'aria-describedby': 'time-hint'}),
    space: el('div'), tip: el('div', {class: 'tip', 'aria-hidden': 'true', hidden: true}), told: el('output', {id: 'time-told', 'aria-live': 'polite'}),
    text: el('div', {id: 'time-text'}), legend: el('ul', {class: 'legend', 'aria-label': 'Colours: phases'})};
  v.scroll = el('div', {class: 'time'}, v.canvas, v.space);
  v.told.textContent = 'Nothing is chosen.';
  const left = [[t.operations_all, t.operations.number.length, 'operations, the longest'], [t.nics_all, t.nics.length, 'NICs and directions, the busiest'], [t.links_all, t.links.length, 'links, the busiest']]
    .filter(([of, n]) => of > n).map(([of, n, what]) => `${n.toLocaleString('en')} of ${of.toLocaleString('en')} ${what}`);
  const note = left.length ? ` Shown are ${left.join('; ')}.` : '';
  place(v);
  v.scroll.style.height = Math.min(560, v.height + AXIS + 2) + 'px';
  listen(v);
  legend(v);
  new ResizeObserver(() => draw(v)).observe(v.scroll);
  listView(v);
  current = v;
  return [el('h3', {}, 'Timeline'), controls(v, nodes),
    el('div', {class: 'time-box'}, v.scroll, v.tip), v.legend, v.told,
    el('p', {class: 'hint', id: 'time-hint'}, `Drag to pan; Ctrl and the wheel, or a double click, zoom. Keys: the arrows go from operation to operation and from resource to resource, + and \u2212 zoom, Shift with left or right pans, 0 shows the whole run.${note} Rates and messages are means of ${seconds(t.bin_s)} each.`),
    el('details', {}, el('summary', {}, 'The same as text'), v.text)];
}
const redraw = () => { if (current && current.canvas.isConnected) { legend(current); draw(current); } };
return {timeline, redraw};
};
