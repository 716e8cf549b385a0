/**
 * Measures the two candidate rules for cutting large maps and lists into nodes, on models without storage:
 * what one edit rewrites, and how many nodes it takes for cuts to fall back into step.
 *
 * `zeros`: a node ends where a hash has leading zero bits (4 a level), with a minimum and a cap.
 * `ramp`:  the p-th item ends a node when its number is below (p/64)^2 of the range; at 64 always.
 *
 * docs/design/cut-rule.md tells which was chosen and why. Run: node bench/cut-rules.mjs
 */
const mix32 = x => {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}
const rotl = (x, n) => (x << n) | (x >>> (32 - n))
const clz = Math.clz32

let seed = 1
const random = () => (seed = mix32(seed + 0x9e3779b9))

const RAMP = Array.from({ length: 65 }, (_, p) => (p / 64) ** 2 * 2 ** 32)

/** Each rule says, item by item, whether the node ends; `open` starts a node. */
const rules = {
  zeros: {
    map: level => ({ cap: 128, ends: (item, p) => p >= 128 || clz(item.key) >= 4 * (level + 1), startsNext: true }),
    list: level => ({
      cap: 64,
      ends: (_item, p, w) => p >= 64 || (p >= 4 && clz(w) >= 4 * (level + 1)),
      fold: (w, c) => mix32(rotl(w, 5) ^ c),
    }),
  },
  ramp: {
    map: level => ({ ends: (item, p) => p >= 64 || (p >= 4 && mix32(item.key + level * 0x51ed27) < RAMP[p]) }),
    list: level => ({
      ends: (item, p, w) => p >= 64 || (p >= 4 && (level === 0 ? w : item.id) < RAMP[p]),
      fold: (w, c) => ((w << 8) ^ c) >>> 0,
    }),
  },
}

function cut(items, rule, isList) {
  const nodes = []
  let open = []
  let w = 0
  let last = []
  for (const item of items) {
    if (rule.startsNext && open.length > 0 && rule.ends(item, open.length)) {
      nodes.push(open)
      open = []
    }
    open.push(item)
    if (rule.startsNext) continue
    if (isList && rule.fold) {
      last.push(item.id)
      if (last.length > 4) last.shift()
      w = 0
      for (const c of last) w = rule.fold(w, c)
    }
    if (rule.ends(item, open.length, w)) {
      nodes.push(open)
      open = []
      last = []
    }
  }
  if (open.length > 0) nodes.push(open)
  return nodes
}

const nodeId = items => {
  let h = 17
  for (const item of items) h = mix32(Math.imul(h, 31) ^ item.id)
  return h
}

function build(items, family, isList, leafItemBytes, linkBytes) {
  const nodes = new Map()
  let level = 0
  for (;;) {
    const groups = items.length <= 64 ? [items] : cut(items, family(level), isList)
    const bytes = level === 0 ? leafItemBytes : linkBytes
    const parents = groups.map(g => ({ key: g[0].key, id: (nodeId(g) ^ level) >>> 0 }))
    for (const [i, g] of groups.entries()) nodes.set(`${level}:${parents[i].id}`, g.length * bytes + 12)
    if (groups.length === 1) return { nodes, height: level + 1 }
    items = parents
    level++
  }
}

const rewritten = (before, after) => {
  let nodes = 0
  let bytes = 0
  for (const [id, size] of after.nodes) {
    if (before.nodes.has(id)) continue
    nodes++
    bytes += size
  }
  return { nodes, bytes }
}

function measure(title, makeItems, edit, isList, leafBytes, linkBytes, rounds = 60) {
  const cells = []
  for (const [name, rule] of Object.entries(rules)) {
    const family = isList ? rule.list : rule.map
    seed = 42
    let items = makeItems()
    let state = build(items, family, isList, leafBytes, linkBytes)
    const all = []
    for (let i = 0; i < rounds; i++) {
      items = edit(items, i)
      const next = build(items, family, isList, leafBytes, linkBytes)
      all.push(rewritten(state, next))
      state = next
    }
    const mean = f => all.reduce((a, r) => a + f(r), 0) / all.length
    const max = Math.max(...all.map(r => r.bytes))
    cells.push(
      `${name}: ${mean(r => r.nodes).toFixed(1)} nodes, ${(mean(r => r.bytes) / 1024).toFixed(2)} KB (max ${(max / 1024).toFixed(1)}), height ${state.height}`,
    )
  }
  process.stdout.write(`${title.padEnd(44)} ${cells.join(' | ')}\n`)
}

const keyed = n => () => Array.from({ length: n }, (_, i) => ({ key: random(), id: random(), i }))
const valued = (n, distinct) => () =>
  Array.from({ length: n }, () => ({ key: 0, id: distinct === 0 ? random() : mix32(random() % distinct) }))
const element = distinct => ({ key: 0, id: distinct === 0 ? random() : mix32(random() % distinct) })

const n = 100_000
measure(
  'map 1e5: update one key',
  keyed(n),
  items => {
    const at = random() % items.length
    return items.with(at, { ...items[at], id: random() })
  },
  false,
  17,
  62,
)
measure(
  'map 1e5: insert one key',
  keyed(n),
  items => items.toSpliced(random() % items.length, 0, { key: random(), id: random() }),
  false,
  17,
  62,
)
measure(
  'map 1e3: update one key',
  keyed(1000),
  items => {
    const at = random() % items.length
    return items.with(at, { ...items[at], id: random() })
  },
  false,
  17,
  62,
  300,
)
for (const [label, distinct] of [
  ['distinct', 0],
  ['4 values', 4],
  ['2 values', 2],
  ['equal', 1],
]) {
  measure(`list 1e5 ${label}: append`, valued(n, distinct), items => [...items, element(distinct)], true, 12, 52)
  measure(
    `list 1e5 ${label}: insert at head`,
    valued(n, distinct),
    items => [element(distinct), ...items],
    true,
    12,
    52,
  )
  measure(
    `list 1e5 ${label}: replace one`,
    valued(n, distinct),
    items => items.with(random() % items.length, { key: 0, id: random() }),
    true,
    12,
    52,
  )
}
