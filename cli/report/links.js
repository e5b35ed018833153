/* The links of one run in the page of `sluice report`, coloured by what they
 * carried: on the drawing of a node, on one of the network, and in a table. */
'use strict';
const sluiceLinks = ({el, bytes, percent, bars, isDark}) => {
/* Of a part of the bandwidth, 0 to that of the busiest link: from cool to hot. */
const stops = {light: [[147, 165, 181], [224, 178, 58], [217, 95, 14], [168, 16, 36]], dark: [[81, 97, 111], [201, 161, 60], [240, 118, 44], [255, 84, 96]]};
let hottest = 1;
function heat(u) {
  const list = stops[isDark() ? 'dark' : 'light'], at = Math.max(0, Math.min(0.9999, u / hottest)) * 3, i = Math.floor(at), f = at - i;
  return 'rgb(' + list[i].map((v, k) => Math.round(v + f * (list[i + 1][k] - v))).join(',') + ')';
}
function heatScale() {
  const parts = [0, 1, 2, 3].map(i => `rgb(${stops[isDark() ? 'dark' : 'light'][i].join(',')}) ${100 * i / 3}%`).join(',');
  return el('p', {class: 'scale'}, 'nothing', el('i', {'aria-hidden': 'true', style: `background:linear-gradient(90deg,${parts})`}), `${percent(hottest)} of the bandwidth, as the busiest link of this run`);
}
/* "node3.cpu0>nic0": [3, "cpu0>nic0"]; null: of the network. */
function ofNode(name) {
  const m = /^node(\d+)\.(.*)$/.exec(name);
  return m ? [+m[1], m[2]] : null;
}
const linkWords = l => `${percent(l.utilisation)} of ${bytes(l.bandwidth_Bps)}/s, ${bytes(l.bytes)} in ${l.transfers.toLocaleString('en')} transfers`;

function colourNode(drawing, links, node) {
  const busiest = new Map(), devices = new Map();
  for (const l of links) {
    const at = ofNode(l.name);
    if (!at || (node !== '' && at[0] !== +node)) continue;
    const old = busiest.get(at[1]);
    if (!old || l.utilisation > old.utilisation) busiest.set(at[1], l);
    const m = /^([^.>]+)\./.exec(at[1]);
    if (m && l.utilisation > (devices.get(m[1]) || 0)) devices.set(m[1], l.utilisation);
  }
  for (const p of drawing.querySelectorAll('path[data-link]')) {
    const l = busiest.get(p.dataset.link);
    p.style.stroke = l ? heat(l.utilisation) : 'var(--line)';
    p.style.strokeWidth = l ? (2 + 3 * l.utilisation / hottest).toFixed(1) : '1';
    p.querySelector('title').textContent = l ? `${l.name}: ${linkWords(l)}` : `${p.dataset.link}: nothing`;
  }
  for (const g of drawing.querySelectorAll('g[data-device]'))
    g.querySelector('rect').style.cssText = devices.has(g.dataset.device) ? `stroke:${heat(devices.get(g.dataset.device))};stroke-width:3` : '';
}

/* --- the network ---------------------------------------------------------- */

/* What a link of the network joins: names of its ends, nodes as "node 3". */
function endsOf({name, routers}) {
  let m;
  if (routers) return {a: 'router ' + routers[0], b: 'router ' + routers[1]};
  if ((m = /^(?:rail(\d+)\.)?link_from_(-?\d+)_(-?\d+)_\d+_/.exec(name))) {
    const rail = m[1] === undefined ? '' : `rail ${m[1]} `;
    return {low: m[2], high: m[3], rail, tree: true};
  }
  if ((m = /^network\.node(\d+)\./.exec(name))) return {a: 'node ' + m[1], b: 'crossbar'};
  if ((m = /^network_link_from_(\d+)_to_(\d+)/.exec(name))) return {a: 'node ' + m[1], b: 'node ' + m[2]};
  if ((m = /^group(\d+)\.leaf(\d+)\.(node|spine)(\d+)_/.exec(name)))
    return {a: m[3] === 'node' ? `node ${m[4]} of leaf ${m[1]}.${m[2]}` : `leaf ${m[1]}.${m[2]}`, b: m[3] === 'node' ? `leaf ${m[1]}.${m[2]}` : `spine ${m[1]}.${m[4]}`};
  if ((m = /^group(\d+)\.spine(\d+)_group(\d+)\.spine(\d+)_/.exec(name))) return {a: `spine ${m[1]}.${m[2]}`, b: `spine ${m[3]}.${m[4]}`};
  if ((m = /^local_link_from_router_(\d+)_to_node_(\d+)_/.exec(name))) return {a: `node ${m[2]} of router ${m[1]}`, b: 'router ' + m[1]};
  if ((m = /^blue_link_between_group_\d+_and_\d+_routers_(\d+)_and_(\d+)_/.exec(name))) return {a: 'router ' + m[1], b: 'router ' + m[2]};
  return null;
}
function networkOf(links) {
  const wires = new Map(), unplaced = [], highs = new Set();
  for (const l of links) { const e = endsOf(l); if (e && e.tree) highs.add(e.rail + e.high); }
  for (const l of links) {
    if (ofNode(l.name)) continue;
    const e = endsOf(l);
    if (!e) { unplaced.push(l); continue; }
    if (e.tree) {
      e.a = highs.has(e.rail + e.low) ? `${e.rail}switch ${e.low}` : 'node ' + e.low;
      e.b = `${e.rail}switch ${e.high}`;
    }
    const key = e.a + '|' + e.b, old = wires.get(key);
    if (!old) wires.set(key, {a: e.a, b: e.b, links: [l]});
    else old.links.push(l);
  }
  return {wires: [...wires.values()], unplaced};
}
/* Nodes in the lowest row, above each what is one wire farther from them. */
function rowsOf(wires) {
  const level = new Map(), next = new Map();
  for (const w of wires) for (const [x, y] of [[w.a, w.b], [w.b, w.a]]) {
    if (!next.has(x)) next.set(x, []);
    next.get(x).push(y);
    if (x.startsWith('node ')) level.set(x, 0);
  }
  let edge = [...level.keys()];
  for (let l = 1; edge.length; l++) {
    const more = [];
    for (const x of edge) for (const y of next.get(x)) if (!level.has(y)) { level.set(y, l); more.push(y); }
    edge = more;
  }
  const list = [];
  for (const [x, l] of level) (list[l] = list[l] || []).push(x);
  const place = x => { const [node, of] = x.split(' of '); return of ? of + ' ' + node : x; };
  return list.map(r => r.sort((a, b) => place(a).localeCompare(place(b), 'en', {numeric: true})));
}
function drawNetwork(links, choose) {
  const {wires, unplaced} = networkOf(links), list = rowsOf(wires);
  const parts = [];
  if (wires.length) {
    const most = Math.max(...list.map(r => r.length)), width = Math.max(900, Math.min(most * 26, 9000)), ring = list.length === 1;
    /* What joins two of one row is an arc above it. */
    const level = new Map(list.flatMap((r, l) => r.map(x => [x, l]))), arcs = !ring && wires.some(w => level.get(w.a) === level.get(w.b) && level.get(w.a) === list.length - 1);
    const height = ring ? 560 : (arcs ? 110 : 30) + 100 * list.length, at = new Map();
    const box = Math.max(8, Math.min(64, width / most - 4));
    list.forEach((r, l) => r.forEach((x, i) => at.set(x, ring
      ? [450 + 400 * Math.cos(2 * Math.PI * i / r.length), 280 + 240 * Math.sin(2 * Math.PI * i / r.length)]
      : [(i + 0.5) * width / r.length, height - 40 - 100 * l])));
    const svg = el(':svg', {class: 'net', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'The network links of this run, by their utilisation; the table below has the same as text.'});
    const busy = w => Math.max(...w.links.map(l => l.utilisation));
    for (const w of wires.sort((a, b) => busy(a) - busy(b)).slice(-4000)) {
      const [x1, y1] = at.get(w.a), [x2, y2] = at.get(w.b), u = busy(w);
      const style = `stroke:${heat(u)};stroke-width:${(1 + 4 * u / hottest).toFixed(1)}`, title = el(':title', {}, `${w.a} and ${w.b}\n` + w.links.map(l => `${l.name}: ${linkWords(l)}`).join('\n'));
      svg.append(y1 === y2 && !ring ? el(':path', {d: `M${x1} ${y1 - 10}Q${(x1 + x2) / 2} ${y1 - 20 - Math.min(150, Math.abs(x2 - x1) / 2)} ${x2} ${y2 - 10}`, style}, title) : el(':line', {x1, y1, x2, y2, style}, title));
    }
    const inside = new Map();
    for (const l of links) { const n = ofNode(l.name); if (n && !(inside.get(n[0]) >= l.utilisation)) inside.set(n[0], l.utilisation); }
    for (const [x, [cx, cy]] of at) {
      const node = /^node (\d+)$/.exec(x);
      const g = el(':g', {class: node ? 'node' : undefined}, el(':rect', {x: cx - box / 2, y: cy - 10, width: box, height: 20, rx: 3, style: node && inside.has(+node[1]) ? `fill:${heat(inside.get(+node[1]))}` : 'fill:var(--switch)'}),
        el(':title', {}, x + (node && inside.has(+node[1]) ? `: its busiest link ${percent(inside.get(+node[1]))}` : '')));
      if (box >= 40) g.append(el(':text', {x: cx, y: node || ring ? cy + 24 : cy - 15}, x));
      if (node && inside.has(+node[1])) g.addEventListener('click', () => choose(+node[1]));
      svg.append(g);
    }
    parts.push(el('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Drawing of the network'}, svg));
    if (wires.length > 4000) parts.push(el('p', {class: 'hint'}, `The busiest 4,000 of ${wires.length} wires.`));
  }
  if (unplaced.length) parts.push(el('p', {class: 'hint'}, `${unplaced.length} links of the network are in the table alone: their names do not say what they join.`));
  return parts;
}

/* --- all of them ---------------------------------------------------------- */

function linkTable(links, node) {
  const list = links.filter(l => { const n = ofNode(l.name); return node === '' || (n && n[0] === +node); })
    .sort((a, b) => b.utilisation - a.utilisation).slice(0, 40);
  return bars(node === '' ? 'The 40 busiest links.' : `The 40 busiest links of node ${node}.`, ['link', 'used', 'bandwidth', 'bytes', 'transfers'],
    list.map(l => ({name: l.name, cells: [percent(l.utilisation), bytes(l.bandwidth_Bps) + '/s', bytes(l.bytes), l.transfers.toLocaleString('en')], to: Math.min(1, l.utilisation), colour: heat(l.utilisation)})));
}
function links(d, platform) {
  const nodes = [...new Set(d.links.map(l => ofNode(l.name)).filter(Boolean).map(n => n[0]))].sort((a, b) => a - b);
  const template = [...document.querySelectorAll('template[data-platform]')].find(t => t.dataset.platform === platform);
  const drawing = template && document.importNode(template.content.firstElementChild, true);
  hottest = Math.max(1e-9, ...d.links.map(l => l.utilisation));
  const choice = el('select', {id: 'node'}, el('option', {value: ''}, 'of each link the busiest of all nodes'), ...nodes.map(n => el('option', {value: n}, 'node ' + n)));
  const table = el('div');
  const draw = () => {
    if (drawing) colourNode(drawing, d.links, choice.value);
    table.replaceChildren(linkTable(d.links, choice.value));
  };
  choice.addEventListener('change', draw);
  draw();
  const parts = [el('h3', {}, 'Links'), el('p', {class: 'controls'}, el('label', {}, 'Node ', choice)), heatScale()];
  if (drawing) {
    parts.push(el('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Drawing of a node'}, drawing));
  } else {
    parts.push(el('p', {class: 'hint'}, `No drawing of a node: ${platform} was no platform that sluice knows by its name.`));
  }
  parts.push(...drawNetwork(d.links, n => { choice.value = n; draw(); }), table);
  return parts;
}
return links;
};
