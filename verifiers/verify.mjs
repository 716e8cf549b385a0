#!/usr/bin/env node
/**
 * Checks a bundle of AgentStateGraph without AgentStateGraph.
 *
 * One file, Node 20 or newer, nothing but modules of Node. It was written from docs/bundle.md, whose steps it follows in
 * their order, and shares no code with what makes bundles: read it, or write your own. A bundle is read once, line by
 * line, however large. Keys and the kept head come from you, never from the bundle. verify.py is the same in Python.
 *
 *   node verify.mjs BUNDLE [--key KEY]… [--witness KEY]… [--quorum N] [--prior HEAD] [--require LEVELS] [--paths PATHS]
 *     [--save-head FILE] [--csv FILE] [--html FILE] [--json]
 */

import { createHash, createPublicKey, verify as verifyEd25519 } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const USAGE = `usage: verify BUNDLE [options]        (BUNDLE is a file, or - for standard input)

  --key KEY          a public key that you got by another way: name+hash+base64, or a file of such lines (repeatable)
  --witness KEY      the same, of a witness (repeatable)
  --quorum N         how many witnesses have to have signed (1)
  --prior FILE       a signed head that you kept from an earlier time
  --require LEVELS   which levels have to be checked: signed,extends,witnessed,authorised
  --paths PATHS      list each change to these paths: /a/b,/c/*
  --save-head FILE   keep the signed head in a new file, for --prior at the next audit
  --csv FILE         write each change as a row of a table, with values and confidence
  --html FILE        write the verdict and each change as a page to read and print
  --json             the verdict for machines

exit codes: 0 what was asked for holds, 1 tampered or malformed, 2 unreadable or wrong usage, 3 could not be checked
`

const MAX_LINE = 16 * 1024 * 1024
const MAX_TEXT = 65536
const MAX_DEPTH = 256
/** The longest list in the inventory; beyond it only counts are kept, so that memory is bounded for any bundle. */
const MAX_LISTED = 10000
const LEVELS = ['integrity', 'signed', 'extends', 'witnessed', 'authorised']
const ACCESS = 'system/access'
const GIVEN_IN_REDACTED = new Set(
  'genesis commit ref epoch key session grant revoke taint erase prune refusal'.split(' '),
)

/** A check that failed, by its name in docs/bundle.md. */
class Failure extends Error {
  constructor(check, message, id) {
    super(message)
    this.check = check
    this.id = id
  }
}

/** An argument or a file that cannot be used. */
class Unusable extends Error {}

function demand(holds, check, message, id) {
  if (!holds) throw new Failure(check, message, id)
}

// --- Texts ---------------------------------------------------------------------------------------------------------

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a canonical text; undefined when it is not one. With `strict`, all numbers must be exact integers. */
function readCanonical(text, strict) {
  let value
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isShallow(value, strict, 0)) return undefined
  // A text that JSON.stringify reproduces may still have unsorted keys or escaped lone surrogates.
  if (!text.includes('\\ud') && hasSortedKeys(value) && JSON.stringify(value) === text) return value
  return canonicalText(value) === text ? value : undefined
}

/** Whether numbers and nesting are within the limits. */
function isShallow(value, strict, depth) {
  if (typeof value === 'number') return strict ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === MAX_DEPTH) return false
  return Object.values(value).every(each => isShallow(each, strict, depth + 1))
}

function hasSortedKeys(value) {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(hasSortedKeys)
  const keys = Object.keys(value)
  return keys.every((key, i) => (i === 0 || keys[i - 1] < key) && hasSortedKeys(value[key]))
}

function canonicalText(value) {
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : ''
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map(key => `${canonicalText(key)}:${canonicalText(value[key])}`).join(',')}}`
}

const isText = value => typeof value === 'string'
const isTexts = value => Array.isArray(value) && value.every(isText)
const isWhole = value => Number.isSafeInteger(value)
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)
// 43 characters carry two bits more than 32 bytes; these must be zero.
const isId = value => isText(value) && /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(value)
const isIds = value => Array.isArray(value) && value.every(isId)
const isHash = value => isText(value) && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)
const isHashes = value => Array.isArray(value) && value.every(isHash)
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{3}Z$/
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a value is a time of a moment that exists: not 30 February, not the hour 24. */
function isTime(value) {
  const parts = isText(value) ? TIME.exec(value) : null
  if (parts === null) return false
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : DAYS[month - 1]
  return day >= 1 && day <= (days ?? 0) && hour < 24 && minute < 60 && second < 60
}

const isAnything = () => true
const isFilled = test => value => test(value) && value.length > 0

/** Whether an object has all required fields, and no others than these and the optional ones. */
function hasFields(value, required, optional) {
  if (!isObject(value)) return false
  for (const field of Object.keys(required)) if (!Object.hasOwn(value, field)) return false
  return Object.keys(value).every(field => {
    const table = Object.hasOwn(required, field) ? required : optional
    return Object.hasOwn(table, field) && table[field](value[field])
  })
}

function findBase64(text) {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

// --- Hashes and the Merkle tree ------------------------------------------------------------------------------------

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const idOf = text => createHash('sha256').update(text).digest('base64url')
const leafOf = text => sha256(Buffer.of(0), text)
const nodeOf = (left, right) => sha256(Buffer.of(1), left, right)
const bytesOf = hash => Buffer.from(hash, 'base64')
const half = n => Math.floor(n / 2)
const isOdd = n => n % 2 === 1

function bitsSet(n) {
  let bits = 0
  for (let rest = n; rest > 0; rest = half(rest)) bits += rest % 2
  return bits
}

function addLeaf(frontier, size, leaf) {
  let hash = leaf
  for (let rest = size; isOdd(rest); rest = half(rest)) hash = nodeOf(frontier.pop(), hash)
  frontier.push(hash)
}

function rootOf(frontier) {
  return frontier.length === 0 ? sha256('') : frontier.reduceRight((right, left) => nodeOf(left, right))
}

/** RFC 9162, section 2.1.3.2. Leaves count from 0. */
function isIncluded(leaf, index, size, proof, root) {
  if (index >= size) return false
  let [at, last, hash] = [index, size - 1, leaf]
  for (const step of proof) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      hash = nodeOf(step, hash)
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)]
    } else hash = nodeOf(hash, step)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && hash.equals(root)
}

/** RFC 9162, section 2.1.4.2, for 1 ≤ first < second. */
export function isConsistent(first, second, firstRoot, secondRoot, proof) {
  const steps = bitsSet(first) === 1 ? [firstRoot, ...proof] : [...proof]
  if (steps.length === 0) return false
  let [at, last] = [first - 1, second - 1]
  while (isOdd(at)) [at, last] = [half(at), half(last)]
  let [one, two] = [steps[0], steps[0]]
  for (const step of steps.slice(1)) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      one = nodeOf(step, one)
      two = nodeOf(step, two)
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)]
    } else two = nodeOf(two, step)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && one.equals(firstRoot) && two.equals(secondRoot)
}

// --- Signed heads --------------------------------------------------------------------------------------------------

const PRIME = 2n ** 255n - 19n
/** The y of the points of order 1, 2, 4 and 8; each has one or two of them. */
const SMALL_ORDER = new Set([
  0n,
  1n,
  PRIME - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  PRIME - 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
])
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether 32 bytes can be a point that is written canonically and not of small order. The curve itself is OpenSSL's. */
function isGoodPoint(bytes) {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  return y < PRIME && !SMALL_ORDER.has(y)
}

/** Ed25519, strict. OpenSSL compares R byte by byte and refuses an S that is not reduced. */
export function isSignature(publicKey, message, signature) {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  if (!isGoodPoint(publicKey) || !isGoodPoint(signature.subarray(0, 32))) return false
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
    return verifyEd25519(null, message, key, signature)
  } catch {
    return false
  }
}

const NAME = '[^\\s+\\u0000-\\u001f\\u007f-\\u009f]+'
const HEAD = new RegExp(`^([^\\n]+)\\n(0|[1-9][0-9]*)\\n([^\\n]+)\\n\\n((?:\u2014 ${NAME} [^ \\n]+\\n)*)$`)
const KEY = new RegExp(`^(${NAME})\\+([0-9a-f]{8})\\+([A-Za-z0-9+/=]+)$`)

/** Reads a signed head; undefined when it is not exactly one. */
export function findHead(text) {
  const [, origin, digits, root, lines] = HEAD.exec(text) ?? []
  const size = Number(digits)
  if (origin === undefined || !isHash(root) || !isWhole(size)) return undefined
  const signatures = []
  for (const line of lines.split('\n').slice(0, -1)) {
    const [, name, base64] = line.split(' ')
    const bytes = findBase64(base64)
    if (bytes === undefined || bytes.length < 5) return undefined
    signatures.push({ name, hash: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4) })
  }
  return { origin, size, root: bytesOf(root), body: `${origin}\n${digits}\n${root}\n`, signatures }
}

/** Reads a key of the form name+hash+base64; undefined when it is not one, or of another kind. */
export function findKey(text) {
  const [, name, hash, base64] = KEY.exec(text) ?? []
  const bytes = base64 === undefined ? undefined : findBase64(base64)
  if (bytes?.length !== 33 || (bytes[0] !== 1 && bytes[0] !== 4)) return undefined
  if (sha256(name, '\n', bytes).toString('hex', 0, 4) !== hash) return undefined
  return { text, name, hash, kind: bytes[0], publicKey: bytes.subarray(1) }
}

/** The signature lines of a key in a head: whether each is right, and for a witness when it signed. */
export function linesOf(head, key) {
  const own = head.signatures.filter(({ name, hash }) => name === key.name && hash === key.hash)
  return own.map(({ bytes }) => {
    if (key.kind === 1) return { isRight: isSignature(key.publicKey, Buffer.from(head.body), bytes) }
    if (bytes.length !== 72) return { isRight: false }
    const time = bytes.readBigUInt64BE(0)
    const message = Buffer.from(`cosignature/v1\ntime ${time}\n${head.body}`)
    return { isRight: isSignature(key.publicKey, message, bytes.subarray(8)), time }
  })
}

// --- Paths ---------------------------------------------------------------------------------------------------------

const unescaped = segment => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** The segments of a pattern; undefined when it is not one. */
function findPattern(text) {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  const segments = text.slice(1).split('/')
  if (segments.length > 1023 || segments.some(segment => segment.includes('*') && segment !== '*')) return undefined
  return segments.map(unescaped)
}

const userKey = stored => (stored.startsWith('$') ? stored.slice(1) : stored)
const storedKey = key => (key.startsWith('$') ? `$${key}` : key)

/** An opening is ALL, or a set of "pattern:segments matched". */
const ALL = 'all'

function openingOf(pairs, patterns) {
  for (const [i, p] of pairs) if (p === patterns[i].length) return ALL
  return new Set(pairs.map(([i, p]) => `${i}:${p}`))
}

function isWithin(opening, other) {
  if (other === ALL) return true
  return opening !== ALL && [...opening].every(pair => other.has(pair))
}

function united(one, other) {
  return one === ALL || other === ALL ? ALL : new Set([...one, ...other])
}

/** The links of a node: each id with its opening. */
function childrenOf(node, opening, patterns) {
  const [kind, second, items] = node
  const links =
    kind === 'map' || kind === 'list'
      ? Object.entries(second)
      : kind === 'maps'
        ? items.map(([first, id]) => [first, id])
        : Array.isArray(items)
          ? items.map(([id]) => ['', id])
          : []
  if (opening === ALL) return links.map(([, id]) => [id, ALL])
  const pairs = [...opening].map(pair => pair.split(':').map(Number))
  const step = matches =>
    openingOf(
      pairs.filter(matches).map(([i, p]) => [i, p + 1]),
      patterns,
    )
  if (kind === 'list') return links.map(([, id]) => [id, step(() => true)])
  if (kind === 'lists') return links.map(([, id]) => [id, opening])
  if (kind === 'map') {
    return links.map(([key, id]) => [id, step(([i, p]) => patterns[i][p] === '*' || patterns[i][p] === userKey(key))])
  }
  if (kind !== 'maps') return []
  return links.map(([first, id], j) => {
    const next = links[j + 1]?.[0]
    const isOpen = pairs.some(([i, p]) => {
      const key = storedKey(patterns[i][p])
      return patterns[i][p] === '*' || ((j === 0 || key >= first) && (next === undefined || key < next))
    })
    return [id, isOpen ? opening : new Set()]
  })
}

// --- Records, entries, commits, nodes ------------------------------------------------------------------------------

const RECORDS = {
  header: [
    {
      type: isText,
      format: isText,
      version: isWhole,
      origin: isText,
      epoch: isText,
      from: isWhole,
      to: isWhole,
      profile: isText,
    },
    { paths: isTexts },
  ],
  prior: [{ type: isText, hashes: isHashes }, {}],
  since: [{ type: isText, size: isWhole, root: isHash, proof: isHashes }, {}],
  keychain: [{ type: isText, seq: isWhole, entry: isText, head: isText, proof: isHashes }, { prior: isHashes }],
  checkpoint: [{ type: isText, head: isText }, {}],
  access: [{ type: isText, seq: isWhole, entry: isText, commit: isText, proof: isHashes }, {}],
  entry: [{ type: isText }, { entry: isText, leaf: isHash, commit: isText, dropped: value => value === 1 }],
  node: [{ type: isText, node: isText }, {}],
  end: [{ type: isText, lines: isWhole, digest: isHash }, {}],
}

/** Which types may follow a type. */
const NEXT = {
  start: ['header'],
  header: ['prior'],
  prior: ['since', 'keychain', 'checkpoint'],
  since: ['keychain', 'checkpoint'],
  keychain: ['keychain', 'checkpoint'],
  checkpoint: ['access', 'entry'],
  access: ['entry', 'node'],
  entry: ['entry', 'node', 'end'],
  node: ['entry', 'node', 'end'],
  end: [],
}

const isPlace = value => value === null || isWhole(value)
const isMove = value =>
  Array.isArray(value) && value.length === 3 && isText(value[0]) && isPlace(value[1]) && isPlace(value[2])
const ENTRY = [
  {
    v: value => value === 2,
    kind: isText,
    time: isTime,
    agent: isText,
    moves: value => Array.isArray(value) && value.every(isMove),
  },
  {
    commit: isId,
    pack: isId,
    changed: isTexts,
    body: isAnything,
    name: isText,
    request: value => hasFields(value, { key: isId, digest: isId }, {}),
  },
]
const INTENT = [
  { id: isText, category: isText, description: isText },
  { parent: isText, tags: isFilled(isTexts) },
]
const COMMIT = [
  {
    v: value => value === 2,
    tree: isId,
    system: isId,
    parents: isIds,
    time: isTime,
    agent: isText,
    intent: value => hasFields(value, ...INTENT),
    salt: isText,
  },
  {
    actors: isFilled(isTexts),
    drafts: isFilled(isIds),
    principal: isText,
    session: isText,
    reasoning: isText,
    schema: isText,
    trace: isText,
    authority: isFilled(isTexts),
    confidence: value => isWhole(value) && value >= 0 && value <= 1000000,
    detail: isId,
    merge: isAnything,
  },
]

function findEntry(text) {
  const entry = Buffer.byteLength(text) > MAX_TEXT ? undefined : readCanonical(text, true)
  if (!hasFields(entry, ...ENTRY)) return undefined
  return Object.hasOwn(entry, 'commit') === Object.hasOwn(entry, 'pack') ? entry : undefined
}

/** Whether the commit of an entry landed, and is not a draft. */
function hasLanded({ moves, body }) {
  const own = moves.filter(([, , to]) => to === 0)
  if (own.length === 0) return !(isObject(body) && isObject(body.via) && body.via.draft === true)
  return own.some(([ref]) => ref.startsWith('branch/') || ref.startsWith('thread/'))
}

/** Whether an entry is a decision about access. */
const isDecision = ({ moves, commit }) =>
  commit !== undefined && moves.some(([ref, , to]) => ref === ACCESS && to === 0)

function findCommit(text) {
  const commit = Buffer.byteLength(text) > MAX_TEXT ? undefined : readCanonical(text, true)
  return hasFields(commit, ...COMMIT) ? commit : undefined
}

/** Whether a seal lists where a ref was. */
const isListed = ref => ['branch/', 'tag/', 'thread/'].some(start => ref.startsWith(start))

const addOne = (counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1)

/** Whether an object holds exactly these counts. */
const isTally = (value, counts) =>
  isObject(value) &&
  Object.keys(value).length === counts.size &&
  Object.entries(value).every(([name, count]) => counts.get(name) === count)

const isCount = value => isWhole(value) && value >= 1
const isBranch = (node, isItem) =>
  node.length === 3 && isCount(node[1]) && isFilled(Array.isArray)(node[2]) && node[2].every(isItem)
const isSized = item => Array.isArray(item) && item.length === 2 && isId(item[0]) && isCount(item[1])
const isPiece = node => node.length === 2 && isText(node[1])
const SHAPES = {
  map: ([, links, values, ...more]) =>
    more.length === 0 &&
    isObject(links) &&
    isObject(values) &&
    Object.entries(links).every(([key, id]) => isId(id) && !Object.hasOwn(values, key)),
  list: ([, links, values, ...more]) =>
    more.length === 0 &&
    isObject(links) &&
    Array.isArray(values) &&
    Object.entries(links).every(([place, id]) => isId(id) && /^(0|[1-9]\d*)$/.test(place) && values[place] === 0),
  maps: node =>
    isBranch(
      node,
      item => Array.isArray(item) && item.length === 3 && isText(item[0]) && isId(item[1]) && isCount(item[2]),
    ) && node[2].every(([first], j) => j === 0 || node[2][j - 1][0] < first),
  lists: node => isBranch(node, isSized),
  texts: node => isBranch(node, isSized),
  bytess: node => isBranch(node, isSized),
  values: node => isBranch(node, isSized),
  value: node => node.length === 2,
  text: isPiece,
  bytes: isPiece,
}

function findNode(text) {
  const node = readCanonical(text, false)
  if (!Array.isArray(node) || !isText(node[0]) || !Object.hasOwn(SHAPES, node[0])) return undefined
  return SHAPES[node[0]](node) ? node : undefined
}

// --- Authority -----------------------------------------------------------------------------------------------------

const OPERATOR = 'operator'
/** What is opened of access states where not all of them is. */
const ACCESS_PATTERNS = [['frozen'], ['grants'], ['sessions']]
const MAX_LEVELS = 32
const MAX_NODES = 1000
const MAX_LINKS = 17
const MAX_TABLES = 16

/** The parts of a pattern of places: keys, '*' and '**'; undefined when it is not one. */
function findGlob(pattern) {
  if (pattern === '' || pattern === '/') return []
  if (!pattern.startsWith('/') || /~(?![01])/.test(pattern)) return undefined
  const segments = pattern.slice(1).split('/')
  if (segments.some(segment => segment.includes('*') && segment !== '*' && segment !== '**')) return undefined
  if (segments.filter(segment => segment === '**').length > 8) return undefined
  return segments.map(segment => (segment.includes('*') ? { star: segment } : { key: unescaped(segment) }))
}

const isAny = part => part?.star === '**'
const meets = (part, segment) => part.star === '*' || part.key === segment

/** Whether parts match all segments. Going back to the last '**' is enough. */
function matches(parts, segments) {
  let [part, place, lastAny, anyEnds] = [0, 0, -1, 0]
  while (place < segments.length) {
    if (isAny(parts[part])) {
      lastAny = part++
      anyEnds = place
    } else if (part < parts.length && meets(parts[part], segments[place])) {
      part++
      place++
    } else if (lastAny >= 0) {
      part = lastAny + 1
      place = ++anyEnds
    } else return false
  }
  return parts.slice(part).every(isAny)
}

const isOfSystem = segment => segment === '_meta' || segment === '_plans'

/** Whether a pattern means a place: the place itself, or something that the place is in. */
function meansPlace(pattern, path) {
  const parts = findGlob(pattern)
  if (parts === undefined || (isOfSystem(path[0]) && !isOfSystem(parts[0]?.key))) return false
  return matches([...parts, { star: '**' }], path)
}

/** Whether a pattern means a place, something in it, or something that it is in. */
function touchesPlace(pattern, path) {
  const parts = findGlob(pattern)
  if (parts === undefined || (isOfSystem(path[0]) && !isOfSystem(parts[0]?.key))) return false
  for (let i = 0; i < parts.length && i < path.length; i++) {
    if (isAny(parts[i])) return true
    if (!meets(parts[i], path[i])) return false
  }
  return true
}

function meansName(pattern, name) {
  if (pattern === name && !/[*~]/.test(pattern)) return true
  if (pattern.split('/').includes('')) return false
  const parts = findGlob(`/${pattern}`)
  return parts !== undefined && matches(parts, name.split('/'))
}

/** The nodes of access states: tables by name, records as values. A child is {link}, or {value} when it is inline. */
function accessNodes() {
  const nodes = new Map()
  const tables = new Map()
  const inline = value =>
    isObject(value) ? Object.entries(value).map(([key, each]) => [userKey(key), { value: each }]) : []

  function collect(id, levels, seen, table) {
    const node = nodes.get(id)
    if (node === undefined || levels === 0 || seen.has(id)) return
    seen.add(id)
    if (node[0] === 'maps') for (const [, below] of node[2]) collect(below, levels - 1, seen, table)
    if (node[0] !== 'map') return
    const links = Object.entries(node[1]).map(([key, link]) => [userKey(key), { link }])
    for (const [key, child] of [...links, ...inline(node[2])]) if (!table.has(key)) table.set(key, child)
  }

  function valueAt(id, levels, budget) {
    const node = nodes.get(id)
    if (node === undefined || levels === 0 || budget.left-- <= 0) return undefined
    const [kind, first, second] = node
    const below = link => valueAt(link, levels - 1, budget)
    const whole = (values, test) => (values.every(test) ? values : undefined)
    if (kind === 'map') {
      const linked = Object.entries(first).map(([key, link]) => [key, below(link)])
      return linked.some(([, value]) => value === undefined)
        ? undefined
        : Object.fromEntries([...Object.entries(second), ...linked])
    }
    if (kind === 'list')
      return whole(
        second.map((item, i) => (Object.hasOwn(first, i) ? below(first[i]) : item)),
        value => value !== undefined,
      )
    const parts = kind === 'lists' || kind === 'texts' ? second.map(([link]) => below(link)) : []
    if (kind === 'lists') return whole(parts, Array.isArray)?.flat(1)
    if (kind === 'texts') return whole(parts, isText)?.join('')
    return kind === 'text' || kind === 'value' ? first : undefined
  }

  return {
    add: (id, node) => void nodes.set(id, node),
    tableOf(child) {
      if (child === undefined) return new Map()
      if (child.link === undefined) return new Map(inline(child.value))
      if (tables.has(child.link)) return tables.get(child.link)
      const table = new Map()
      collect(child.link, MAX_LEVELS, new Set(), table)
      if (tables.size >= MAX_TABLES) tables.delete(tables.keys().next().value)
      tables.set(child.link, table)
      return table
    },
    valueOf: child => (child.link === undefined ? child.value : valueAt(child.link, MAX_LEVELS, { left: MAX_NODES })),
  }
}

const isAbsentOr = test => value => value === undefined || test(value)

/** A grant as far as it decides; undefined when it is not as it should be. */
function findTerms(id, value) {
  if (!isObject(value)) return undefined
  const { from, to, parent, session, branches, paths, capabilities, expires, revoked } = value
  const isRight =
    value.id === id &&
    [from, to].every(isText) &&
    [parent, session].every(isAbsentOr(isText)) &&
    [branches, paths].every(isAbsentOr(isTexts)) &&
    isTexts(capabilities) &&
    isAbsentOr(isTime)(expires)
  const isRevoked = revoked !== undefined
  return isRight ? { id, from, to, parent, session, branches, paths, capabilities, expires, isRevoked } : undefined
}

/** One access state: the tree of a decision. */
function accessState(nodes, at, commit, tree) {
  let tables
  const read = () => {
    if (tables === undefined) {
      const root = nodes.tableOf({ link: tree })
      const frozen = nodes.tableOf(root.get('frozen'))
      tables = {
        grants: nodes.tableOf(root.get('grants')),
        sessions: nodes.tableOf(root.get('sessions')),
        principals: nodes.tableOf(frozen.get('principals')),
        branches: nodes.tableOf(frozen.get('branches')),
      }
    }
    return tables
  }
  const state = {
    at,
    commit,
    valueOf: nodes.valueOf,
    grants: () => read().grants,
    isFrozen: (what, name) => read()[what].has(name),
    findGrant(id) {
      const child = read().grants.get(id)
      return child && findTerms(id, nodes.valueOf(child))
    },
    findSession(id) {
      const child = read().sessions.get(id)
      const value = child && nodes.valueOf(child)
      const { agent, by, grant, parent } = isObject(value) ? value : {}
      const isRight = [agent, by, grant].every(isText) && isAbsentOr(isText)(parent)
      return isRight ? { agent, by, grant, parent } : undefined
    },
    /** The chain that ends with a grant, the operator's first; empty when a link is not there. */
    chainTo(id) {
      const chain = []
      for (let next = id; next !== undefined && chain.length < MAX_LINKS; ) {
        const terms = state.findGrant(next)
        if (terms === undefined) return []
        chain.unshift(terms)
        next = terms.parent
      }
      return chain
    },
    isInForce(chain, time) {
      if (chain.length === 0 || chain[0].parent !== undefined) return false
      return chain.every((link, i) => {
        if (link.isRevoked || link.from !== (i === 0 ? OPERATOR : chain[i - 1].to)) return false
        if (link.expires !== undefined && link.expires <= time) return false
        return i === 0 || !state.isFrozen('principals', link.from)
      })
    },
    /** Those who opened the sessions up to this one, and last the one that acts. */
    actorsIn(session, principal) {
      const actors = [principal]
      const seen = new Set()
      for (let id = session; id !== undefined && !seen.has(id); ) {
        seen.add(id)
        const found = state.findSession(id)
        if (found !== undefined && found.by !== actors[0]) actors.unshift(found.by)
        id = found?.parent
      }
      return actors
    },
  }
  return state
}

function allows(link, capability, { branch, path }) {
  if (!link.capabilities.includes(capability)) return false
  if (branch === undefined) return link.branches === undefined && link.paths === undefined
  if (link.branches?.some(pattern => meansName(pattern, branch)) === false) return false
  return path === undefined || link.paths?.some(pattern => meansPlace(pattern, path)) !== false
}

const allowsAll = (chain, asked) =>
  asked.capabilities.some(capability => chain.every(link => allows(link, capability, asked)))

/** Whether a chain might allow something below a path. */
function mayAllowBelow(chain, { branch, path = [] }) {
  return chain.every(({ branches, paths }) => {
    if (branch === undefined) return branches === undefined && paths === undefined
    if (branches?.some(pattern => meansName(pattern, branch)) === false) return false
    return paths?.some(pattern => touchesPlace(pattern, path)) !== false
  })
}

/** The name that grants know a ref by; undefined for refs of the system. */
function grantName(ref) {
  if (ref.startsWith('branch/')) return ref.slice(7)
  if (ref.startsWith('beside/')) return `thread/${ref.slice(7, ref.lastIndexOf('/'))}`
  return ref.startsWith('thread/') ? ref : undefined
}

const ownRefs = ({ moves }) => moves.filter(([, , to]) => to === 0)

/** The branches and threads that a commit comes to, or is meant for. */
function targetsOf(entry) {
  const own = ownRefs(entry)
  const landing = own.map(([ref, from]) => ({ branch: grantName(ref), isNew: from === null }))
  const named = landing.filter(({ branch }) => branch !== undefined)
  if (named.length > 0) return named
  const { speculation, proposal } = isObject(entry.body) ? entry.body : {}
  const target = (branch, isNew) => (isText(branch) ? [{ branch, isNew }] : [])
  if (own.some(([ref]) => ref.startsWith('draft/')))
    return target(isObject(speculation) ? speculation.branch : undefined, false)
  if (!own.some(([ref]) => ref.startsWith('proposal/')) || !isObject(proposal)) return []
  return target(isText(proposal.ref) ? grantName(proposal.ref) : undefined, proposal.head === 0)
}

/** A changed path of an entry; undefined when it is none. A folded one stands for a part of what is below it. */
function findPlace(text) {
  if (text !== '' && text !== '[""]' && (!text.startsWith('/') || /~(?![01])/.test(text))) return undefined
  const isFolded = text.endsWith('/**')
  const pointer = isFolded ? text.slice(0, -3) : text
  if (pointer === '' || pointer === '/') return { path: [], isFolded }
  return { path: pointer === '[""]' ? [''] : pointer.slice(1).split('/').map(unescaped), isFolded }
}

/** The rights that a commit took, as far as its entry tells; undefined when it does not. */
function askedBy(entry, commit, mayBePropose) {
  const places = (entry.changed ?? []).map(findPlace)
  if (places.includes(undefined)) return undefined
  const asked = []
  const targets = targetsOf(entry)
  const count = commit.parents.length
  for (const { branch, isNew } of targets) {
    const write = isNew ? (count === 0 ? ['commit'] : ['commit', 'merge']) : count > 1 ? ['merge'] : ['commit']
    if (places.length === 0) asked.push({ capabilities: write, branch, path: undefined, isFolded: false })
    for (const { path, isFolded } of places)
      asked.push({ capabilities: path[0] === '_meta' ? ['migrate'] : write, branch, path, isFolded })
    const isMade = isNew && branch !== 'main' && ownRefs(entry).some(([ref]) => ref === `branch/${branch}`)
    if (isMade) asked.push({ capabilities: ['branch'], branch, path: undefined, isFolded: false })
  }
  if (targets.length === 0)
    asked.push({ capabilities: ['commit', 'merge'], branch: undefined, path: undefined, isFolded: false })
  const isWrite = asked.every(({ capabilities: [first] }) => first === 'commit' || first === 'merge')
  if (!mayBePropose || !isWrite) return asked
  return asked.map(each => ({ ...each, capabilities: [...each.capabilities, 'propose'] }))
}

const unknown = reason => ({ kind: 'unknown', reason })
const denied = reason => ({ kind: 'denied', reason })

/** Whether the principal of a commit held the right to make it, by the access state in force before it. */
function judgeCommit(state, entry, commit) {
  const { principal, authority, session, actors } = commit
  const body = isObject(entry.body) ? entry.body : {}
  if (isObject(body.via) && (state !== undefined || principal !== undefined))
    return unknown('it was imported from another log')
  if (principal === undefined && [authority, session, actors].some(each => each !== undefined))
    return denied('it names an authority, and no principal')
  if (state === undefined)
    return principal === undefined
      ? { kind: 'open' }
      : denied('it names a principal, and no access control was in force')
  const frozen = targetsOf(entry).find(({ branch }) => state.isFrozen('branches', branch))
  if (frozen !== undefined) return denied(`the branch ${frozen.branch} was frozen`)
  const isApproved = isObject(body.approval)
  const own = ownRefs(entry).map(([ref]) => ref)
  const isProposal = own.every(ref => grantName(ref) === undefined) && own.some(ref => ref.startsWith('proposal/'))
  const asked = askedBy(entry, commit, isApproved || isProposal)
  if (asked === undefined) return unknown('it does not state what it changed')
  const chains = principal === undefined ? [] : authorityOf(state, entry.time, commit)
  if (isText(chains)) return denied(chains)
  const rights = principal === undefined ? undefined : judgeRights(principal, chains, asked)
  if (rights?.kind === 'denied') return rights
  const fault = isApproved ? approvalFault(state, entry.time, commit, body.approval.by, chains, asked) : undefined
  if (fault !== undefined) return denied(fault)
  if (principal === undefined) return { kind: 'operator' }
  return rights ?? { kind: 'granted', chains: chains.map(namesOf) }
}

/** The chains that a commit names, or a text that says what is wrong with them. */
function authorityOf(state, time, { agent, principal, authority = [], session, actors = [principal] }) {
  if (agent !== principal) return `it was made as ${agent} by ${principal}`
  if (state.isFrozen('principals', principal)) return `${principal} was frozen`
  const found = session === undefined ? undefined : state.findSession(session)
  if (session !== undefined && found?.agent !== principal) return `its session is not one of ${principal}`
  const expected = session === undefined ? [principal] : state.actorsIn(session, principal)
  if (actors.length !== expected.length || actors.some((name, i) => name !== expected[i]))
    return 'its actors are not those of its session'
  const chains = []
  for (const id of authority) {
    const terms = state.findGrant(id)
    if (terms === undefined) return `the grant ${id} is not there`
    const isEnd = found === undefined ? terms.session === undefined : id === found.grant
    if (terms.to === principal && isEnd) chains.push(state.chainTo(id))
  }
  if (!chains.every(chain => state.isInForce(chain, time))) return `a grant of ${principal} was not in force`
  const links = new Set(chains.flat().map(({ id }) => id))
  const isWhole = links.size === new Set(authority).size && authority.every(id => links.has(id))
  return isWhole ? chains : `the grants that it names do not lead to ${principal}`
}

/** Undefined when all rights were held. */
function judgeRights(principal, chains, asked) {
  let open
  for (const each of asked) {
    if (isHeld(chains, each)) continue
    if (!each.isFolded || !chains.some(chain => mayAllowBelow(chain, each))) {
      const at = each.path === undefined ? '' : ` at ${pointerOf(each.path)}`
      return denied(`${principal} had no right to ${each.capabilities[0]}${at} on ${each.branch ?? 'everything'}`)
    }
    open ??= unknown('it changed more places than its entry names')
  }
  return open
}

/** Below the root anything may have changed, also what no pattern of paths means and what takes `migrate`. */
function isHeld(chains, asked) {
  if (!asked.isFolded || asked.path.length > 0) return chains.some(chain => allowsAll(chain, asked))
  const unlimited = chains.filter(chain => chain.every(({ paths }) => paths === undefined))
  return [asked, { ...asked, capabilities: ['migrate'] }].every(each => unlimited.some(chain => allowsAll(chain, each)))
}

function pointerOf(path) {
  if (path.length === 1 && path[0] === '') return '[""]'
  return path.length === 0 ? '/' : path.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Why an approval is none. Under which grants it was given is not recorded, so any may be meant. */
function approvalFault(state, time, commit, by, chains, asked) {
  if (!isText(by)) return 'it names no approver'
  const { principal = OPERATOR, actors = [principal] } = commit
  const givers = grants => grants.map(({ from }) => from).filter(from => from !== OPERATOR)
  const behind = new Set([...actors, ...givers(chains.flat())])
  if (by === OPERATOR) return behind.has(OPERATOR) ? 'the operator approved its own change' : undefined
  const usable = []
  for (const id of state.isFrozen('principals', by) ? [] : state.grants().keys()) {
    const terms = state.findGrant(id)
    if (terms?.to !== by) continue
    const chain = state.chainTo(id)
    const links = [...(terms.session === undefined ? [by] : state.actorsIn(terms.session, by)), ...givers(chain)]
    if (state.isInForce(chain, time) && !links.some(name => behind.has(name))) usable.push(chain)
  }
  const isHeldBy = each => usable.some(chain => allowsAll(chain, { ...each, capabilities: ['approve'] }))
  return asked.every(isHeldBy) ? undefined : `${by} could not approve it`
}

function namesOf(chain) {
  const names = [chain[0].from, ...chain.map(({ to }) => to)]
  return names.filter((name, i) => name !== names[i - 1]).join(' \u2192 ')
}

/** What is wrong with a decision: a grant that was not its maker's to give, or one that was changed. */
function decisionFault(before, after, time, { principal: maker, session }) {
  if (maker !== undefined && before === undefined) return `${maker} decided about access where there was none`
  if (maker !== undefined && before.isFrozen('principals', maker)) return `${maker} decided about access and was frozen`
  const [old, now] = [before?.grants() ?? new Map(), after.grants()]
  if (old !== now) {
    for (const [id, child] of old)
      if (!isKept(after, child, now.get(id))) return `it changed or removed the grant ${id}`
  }
  const own = session === undefined ? undefined : before?.findSession(session)?.grant
  for (const id of now.keys()) {
    if (old.has(id)) continue
    const terms = after.findGrant(id)
    const isOwn = terms?.from === (maker ?? OPERATOR) && (terms.parent === undefined) === (maker === undefined)
    if (!isOwn) return `the grant ${id} was not its maker's to give`
    if (terms.parent === undefined) continue
    const chain = before.chainTo(terms.parent)
    const last = chain.at(-1)
    const isHolder = last?.to === maker && (session === undefined ? last?.session === undefined : last?.id === own)
    const mayGive = chain.every(({ capabilities }) => capabilities.includes('grant'))
    if (!isHolder || !before.isInForce(chain, time) || !mayGive) return `${maker} had no right to give the grant ${id}`
  }
  return undefined
}

/** A grant keeps its terms, and stays revoked once it is. */
function isKept(state, old, next) {
  if (next === undefined) return false
  if (old.link !== undefined && old.link === next.link) return true
  const [one, other] = [state.valueOf(old), state.valueOf(next)]
  const textOf = value => (value === undefined ? undefined : canonicalText(value))
  if (!isObject(one) || !isObject(other)) return textOf(one) === textOf(other)
  const { revoked: was, ...terms } = one
  const { revoked: is, ...rest } = other
  return textOf(terms) === textOf(rest) && (was === undefined || is !== undefined)
}

/** Follows the access state through the entries, and judges each commit by the one in force. */
function authorityChecker() {
  const nodes = accessNodes()
  const counts = { granted: 0, operator: 0, open: 0, unknown: 0, denied: 0 }
  const first = { unknown: undefined, denied: undefined }
  let state
  let pending

  function note(seq, judgement) {
    const { kind, reason } = judgement
    counts[kind]++
    if (reason !== undefined) first[kind] ??= `entry ${seq}: ${reason}`
    return judgement
  }

  return {
    counts,
    first,
    addNode: nodes.add,
    position: () => pending?.state ?? state,
    /** Takes a decision, whose nodes follow. Without `made` it is taken as it is. */
    decide(seq, id, { tree }, made) {
      pending = { state: accessState(nodes, seq, id, tree), made }
    },
    settle() {
      if (pending === undefined) return
      const { state: next, made } = pending
      const fault = made && decisionFault(state, next, made.time, made.commit)
      if (fault !== undefined) note(next.at, denied(fault))
      state = next
      pending = undefined
    },
    judge: (seq, entry, commit) => note(seq, judgeCommit(state, entry, commit)),
  }
}

// --- The bundle ----------------------------------------------------------------------------------------------------

/** Takes the lines of a bundle one by one; throws a Failure at the first check that does not hold. */
function bundleChecker(kept, inventory) {
  const authority = authorityChecker()
  const bundle = { lines: 0, header: undefined, keychain: [], checkpoint: undefined, keptRoot: undefined, authority }
  const digest = createHash('sha256')
  const counts = new Map()
  const refs = new Map()
  const states = { known: new Map(), needed: new Map() }
  const accessStates = { known: new Map(), needed: new Map() }
  const keyEntries = []
  const inRange = new Map()
  const landed = { agents: new Map(), categories: new Map() }
  const commitAt = new Map()
  let frontier = []
  let priorRoot
  let patterns = []
  let treeOpening = ALL
  let accessOpening = openingOf(
    ACCESS_PATTERNS.map((_, i) => [i, 0]),
    ACCESS_PATTERNS,
  )
  let stage = 'start'
  let seq = 0
  let time = ''
  let last
  let longLists
  let takesNodes = false
  let genesisWrong = false
  let keychainWrong

  function need({ known, needed }, id, opening) {
    if (opening !== ALL && opening.size === 0) return
    const before = known.get(id)
    if (before !== undefined && isWithin(opening, before)) return
    known.set(id, before === undefined ? opening : united(before, opening))
    const waiting = needed.get(id)
    needed.set(id, waiting === undefined ? opening : united(waiting, opening))
  }

  const nothingNeeded = () => {
    const id = accessStates.needed.keys().next().value ?? states.needed.keys().next().value
    demand(id === undefined, 'missing-node', 'A node that the entry before needs did not come.', id)
  }

  const isDone = () => bundle.header !== undefined && seq === bundle.header.to

  const take = {
    header(record) {
      const { format, version, from, to, origin, epoch, profile, paths } = record
      demand(format === 'agentstategraph-bundle' && version === 2, 'version', 'This is no bundle of version 2.')
      const isNamed = text => text !== '' && !text.includes('\n')
      demand(from >= 1 && from <= to, 'header', 'The range of entries is none.')
      demand(['full', 'log', 'redacted'].includes(profile), 'header', 'The profile is unknown.')
      demand(isNamed(origin) && isNamed(epoch), 'header', 'The origin or the epoch is no name.')
      if (paths !== undefined) {
        patterns = paths.map(findPattern)
        demand(profile === 'full' && paths.length > 0, 'header', 'Paths are not allowed here.')
        demand(!patterns.includes(undefined), 'header', 'A path is no pattern.')
        const isSorted = paths.every((path, i) => i === 0 || paths[i - 1] < path)
        demand(isSorted, 'header', 'The paths are not sorted.')
        const starts = patterns.map((_, i) => [i, 0])
        treeOpening = openingOf(starts, patterns)
      } else if (profile === 'full') accessOpening = ALL
      bundle.header = record
      seq = from - 1
    },

    prior({ hashes }) {
      demand(hashes.length === bitsSet(seq), 'prior', 'The number of hashes is not that of a tree of this size.')
      frontier = hashes.map(bytesOf)
      priorRoot = rootOf(frontier)
      if (kept?.size === seq) bundle.keptRoot = priorRoot
    },

    since({ size, root, proof }) {
      demand(size >= 1 && size < seq, 'since', 'The size is not one from before the epoch.')
      const isProven = isConsistent(size, seq, bytesOf(root), priorRoot, proof.map(bytesOf))
      demand(isProven, 'since', 'The proof does not lead to the root before the epoch.')
      if (kept?.size === size) bundle.keptRoot = bytesOf(root)
    },

    keychain({ seq: at, entry: text, head: note, proof, prior }) {
      const { from, to, origin } = bundle.header
      const fail = (holds, message) => demand(holds, 'keychain', message, `entry ${at}`)
      fail(at <= to && at > (bundle.keychain.at(-1)?.at ?? 0), 'The number of the entry is out of order.')
      fail((prior !== undefined) === at < from, 'The proof to the root before the epoch is there or absent wrongly.')
      const entry = findEntry(text)
      fail(entry?.kind === 'key', 'This is no entry about keys.')
      const head = findHead(note)
      fail(head !== undefined && head.origin === origin && head.size >= at, 'The head is none that covers the entry.')
      const leaf = leafOf(text)
      const leads = (hashes, size, root) => isIncluded(leaf, at - 1, size, hashes.map(bytesOf), root)
      fail(leads(proof, head.size, head.root), 'The proof does not lead to the head.')
      if (prior !== undefined)
        fail(leads(prior, seq, priorRoot), 'The proof does not lead to the root before the epoch.')
      else inRange.set(at, leaf)
      bundle.keychain.push({ at, head, body: entry.body })
    },

    checkpoint({ head: note }) {
      bundle.note = note
      const head = findHead(note)
      demand(head !== undefined, 'checkpoint', 'The head is not written as one.')
      demand(head.origin === bundle.header.origin, 'checkpoint', 'The head is of another log.')
      demand(head.size === bundle.header.to, 'checkpoint', 'The head is of another size.')
      bundle.checkpoint = head
    },

    access({ seq: at, entry: text, commit: commitText, proof }) {
      const fail = (holds, message) => demand(holds, 'access', message, `entry ${at}`)
      fail(at >= 1 && at <= seq, 'The decision is not from before the epoch.')
      const entry = findEntry(text)
      fail(entry !== undefined && isDecision(entry), 'This is no decision about access.')
      fail(idOf(commitText) === entry.commit, 'The text of the commit has another id than the entry names.')
      const commit = findCommit(commitText)
      fail(commit !== undefined && commit.agent === entry.agent, 'The text is not that of the commit.')
      const leads = isIncluded(leafOf(text), at - 1, seq, proof.map(bytesOf), priorRoot)
      fail(leads, 'The proof does not lead to the root before the epoch.')
      time = entry.time
      authority.decide(at, entry.commit, commit)
      need(accessStates, commit.tree, accessOpening)
      takesNodes = true
    },

    entry(record) {
      const { entry: text, commit: commitText, leaf } = record
      nothingNeeded()
      authority.settle()
      const { profile, from } = bundle.header
      takesNodes = false
      const at = `entry ${seq + 1}`
      const isEither = (text === undefined) !== (leaf === undefined)
      demand(isEither, 'withheld', 'Neither or both of entry and leaf are there.', at)
      if (leaf !== undefined) {
        const mayHide = profile === 'redacted' && commitText === undefined && record.dropped === undefined
        demand(mayHide, 'withheld', 'An entry is withheld that must not be.', at)
        addEntry(bytesOf(leaf))
        last = undefined
        if (from === 1 && seq === 1) genesisWrong = true
        inventory.withheld()
        return
      }
      const entry = findEntry(text)
      demand(entry !== undefined, 'entry', 'The text is not that of an entry.', at)
      demand(entry.time >= time, 'entry', 'The time is before that of the entry before.', at)
      time = entry.time
      const isShown = profile !== 'redacted' || GIVEN_IN_REDACTED.has(entry.kind)
      demand(isShown, 'withheld', 'An entry of this kind is not given in this profile.', at)
      const commit = checkedCommit(record, entry, at)
      const decides = isDecision(entry)
      const isLost = record.dropped === 1 && (hasLanded(entry) || decides)
      demand(!isLost, 'dropped', 'The states of a commit that landed are left out.', at)
      if (profile !== 'redacted') for (const move of entry.moves) moveRef(move, at, decides)
      addEntry(leafOf(text))
      addOne(counts, entry.kind)
      if (entry.kind === 'key') keyEntries.push(seq)
      if (profile !== 'redacted') noteForSeal(entry, commit)
      if ((entry.kind === 'genesis') !== (seq === 1)) genesisWrong = true
      last = entry
      let judgement
      if (commit !== undefined) {
        if (decides) authority.decide(seq, entry.commit, commit, { time: entry.time, commit })
        else judgement = authority.judge(seq, entry, commit)
        takesNodes = decides || (profile === 'full' && record.dropped === undefined)
        if (decides) need(accessStates, commit.tree, accessOpening)
        if (takesNodes && profile === 'full') {
          if (!decides) need(states, commit.tree, treeOpening)
          need(states, commit.system, ALL)
          if (commit.detail !== undefined) need(states, commit.detail, ALL)
        }
      }
      inventory.entry(seq, entry, commit, record.dropped === 1, judgement?.chains ?? [])
    },

    node({ node: text }) {
      const node = findNode(text)
      const id = idOf(text)
      demand(node !== undefined, 'node', 'The text is not that of a node.', id)
      const isOfAccess = accessStates.needed.has(id)
      const trees = isOfAccess ? accessStates : states
      const opening = trees.needed.get(id)
      demand(opening !== undefined, 'unneeded-node', 'Nothing needs this node here.', id)
      trees.needed.delete(id)
      if (isOfAccess) authority.addNode(id, node)
      for (const [child, under] of childrenOf(node, opening, isOfAccess ? ACCESS_PATTERNS : patterns))
        need(trees, child, under)
      inventory.node(id, node, text)
    },

    end(record) {
      nothingNeeded()
      demand(record.lines === bundle.lines - 1, 'end', 'The number of lines is not right.')
      demand(bytesOf(record.digest).equals(digest.digest()), 'end', 'The digest is not that of the lines.')
    },
  }

  function checkedCommit({ commit: text, dropped: isDropped }, entry, at) {
    const { profile } = bundle.header
    const fail = (holds, message) => demand(holds, 'commit', message, `${at}, commit ${entry.commit ?? '(none)'}`)
    const isDue = entry.commit !== undefined && profile !== 'redacted'
    fail((text !== undefined) === isDue, 'The text of a commit is there or absent wrongly.')
    fail(isDropped === undefined || (text !== undefined && profile === 'full'), 'States are marked as dropped wrongly.')
    if (text === undefined) return undefined
    fail(idOf(text) === entry.commit, 'The text of the commit has another id than the entry names.')
    const commit = findCommit(text)
    fail(commit !== undefined, 'The text is not that of a commit.')
    fail(commit.agent === entry.agent, 'The agent of the commit is not that of the entry.')
    return commit
  }

  function moveRef([ref, from, to], at, decides) {
    const own = seq + 1
    const fail = holds => demand(holds, 'moves', 'A ref is moved from where it is not, or to where nothing is.', at)
    fail([from, to].every(place => place === null || (place >= 0 && place <= own)))
    fail(!refs.has(ref) || refs.get(ref) === from)
    fail(ref !== ACCESS || (from === (authority.position()?.at ?? null) && to === 0 && decides))
    refs.set(ref, to === 0 ? own : to)
  }

  function addEntry(leaf) {
    addLeaf(frontier, seq, leaf)
    seq++
    if (kept?.size === seq) bundle.keptRoot = rootOf(frontier)
    if (inRange.has(seq) && !inRange.get(seq).equals(leaf)) keychainWrong ??= seq
  }

  /** What the seal says of commits and refs has to follow from this. */
  function noteForSeal(entry, commit) {
    if (commit !== undefined) {
      commitAt.set(seq, entry.commit)
      if (hasLanded(entry)) {
        addOne(landed.agents, entry.agent)
        addOne(landed.categories, commit.intent.category)
      }
    }
    const { value, part } = entry.kind === 'epoch' && isObject(entry.body) ? entry.body : {}
    if (!isText(value)) return
    if (part === undefined) longLists = { at: seq, texts: [value] }
    else if (longLists?.texts.length === part && longLists.at + part === seq) longLists.texts.push(value)
    else longLists = undefined
  }

  function checkSeal() {
    const { epoch, from, to, profile } = bundle.header
    const fail = (holds, message) => demand(holds, 'seal', message, `entry ${to}`)
    fail(last?.kind === 'epoch' && isObject(last.body), 'The last entry is no seal.')
    const { body } = last
    const isOwn = body.status === 'sealed' && body.epoch === epoch && body.from === from
    fail(isOwn && isObject(body.counts), 'The last entry is not the seal of this epoch.')
    const counted = Object.entries(body.counts)
    const areCounts = counted.every(([, count]) => isCount(count))
    fail(areCounts, 'A count is no count.')
    const isExact = ([kind, count]) => (counts.get(kind) ?? 0) === count
    const exact = counted.filter(([kind]) => profile !== 'redacted' || GIVEN_IN_REDACTED.has(kind))
    fail(exact.length === counts.size && exact.every(isExact), 'The counts are not those of the entries.')
    const sum = counted.reduce((total, [, count]) => total + count, 0)
    fail(sum === to - from + 1, 'The counts do not add up to the entries.')
    const { keys, access } = body
    const areKeys = Array.isArray(keys) && keys.every((at, i) => isWhole(at) && at > (i === 0 ? 0 : keys[i - 1]))
    const within = areKeys ? keys.filter(at => at >= from) : []
    const areAll = within.length === keyEntries.length && within.every((at, i) => at === keyEntries[i])
    fail(areKeys && areAll, 'The seal names other changes of keys than there are.')
    const isStated = access === null || hasFields(access, { seq: isCount, commit: isId }, {})
    fail(isStated, 'The seal does not say where the access state was.')
    if (profile === 'redacted') return
    const { at, commit } = authority.position() ?? {}
    fail(access?.seq === at && access?.commit === commit, 'The seal names another access state than there was.')
    checkLists(body, fail)
  }

  function checkLists(body, fail) {
    const { from, to } = bundle.header
    let lists = body
    if (Object.hasOwn(body, 'facts')) {
      const isBefore = longLists?.at === body.facts && longLists.at + longLists.texts.length === to
      lists = isBefore ? readCanonical(longLists.texts.join(''), true) : undefined
      fail(isObject(lists), 'The lists of the seal are not where it says.')
    }
    const commits = [...landed.agents.values()].reduce((total, count) => total + count, 0)
    const areRight = lists.commits === commits && isTally(lists.agents, landed.agents)
    fail(areRight && isTally(lists.categories, landed.categories), 'The seal counts other commits than landed.')
    fail(isObject(lists.refs), 'The seal lists no refs.')
    for (const [ref, place] of refs) {
      const isDue = place !== null && isListed(ref) && (place < from || commitAt.has(place))
      fail(isDue === Object.hasOwn(lists.refs, ref), 'The seal does not list the refs that there are.')
    }
    for (const [ref, place] of Object.entries(lists.refs)) {
      const { seq: at, commit } = isObject(place) ? place : {}
      const isThere = isWhole(at) && (refs.has(ref) ? at === refs.get(ref) : at >= 1 && at < from)
      const isCommit = isId(commit) && (at < from || commit === commitAt.get(at))
      fail(isListed(ref) && isThere && isCommit, 'The seal lists a ref where it is not.')
    }
  }

  return {
    bundle,
    refs,
    line(bytes, isEnded) {
      bundle.lines++
      demand(isEnded && bytes.length > 0 && bytes.length <= MAX_LINE, 'line', 'The line is empty, too long or cut off.')
      let text
      try {
        text = utf8.decode(bytes)
      } catch {
        throw new Failure('line', 'The line is not UTF-8.')
      }
      const record = readCanonical(text, true)
      demand(isObject(record), 'line', 'The line is no object in canonical text.')
      const { type } = record
      const isKnown = isText(type) && Object.hasOwn(RECORDS, type)
      demand(isKnown && hasFields(record, ...RECORDS[type]), 'record', 'The record has not the fields of a type.')
      const isDue = (type !== 'node' || takesNodes) && (type !== 'entry' || !isDone()) && (type !== 'end' || isDone())
      const isHidden = type === 'access' && bundle.header?.profile === 'redacted'
      demand(NEXT[stage].includes(type) && isDue && !isHidden, 'order', `Here comes no ${type}.`)
      take[type](record)
      stage = type
      if (type !== 'end') digest.update(bytes).update('\n')
    },
    finish() {
      demand(bundle.lines > 0, 'line', 'There is nothing.')
      demand(stage === 'end', 'order', 'The bundle breaks off.')
      demand(rootOf(frontier).equals(bundle.checkpoint.root), 'root', 'The entries are not those of the head.')
      checkSeal()
      const { keys } = last.body
      const areAll = keys.length === bundle.keychain.length && keys.every((at, i) => at === bundle.keychain[i].at)
      demand(!genesisWrong, 'genesis', 'The first entry of the log, and only that, is its genesis.')
      demand(areAll, 'keychain', `The keys changed at ${keys.join(', ') || 'no entry'}, and the keychain has others.`)
      demand(keychainWrong === undefined, 'keychain', 'The entry about keys is another.', `entry ${keychainWrong}`)
      authority.settle()
    },
  }
}

// --- What is in it -------------------------------------------------------------------------------------------------

function counted(map, key, by = 1) {
  if (map.has(key) || map.size < MAX_LISTED) map.set(key, (map.get(key) ?? 0) + by)
}

function makeInventory(listed) {
  const kinds = new Map()
  const categories = new Map()
  const groups = new Map()
  const sealedByKey = new Map()
  const sealedNodes = new Set()
  const erasedKeys = new Set()
  const changes = []
  // The states of those who list changes are kept, for the values.
  const nodes = accessNodes()
  const totals = { entries: 0, commits: 0, dropped: 0, withheld: 0, moreChanges: 0 }
  let first
  let last

  function countSealed(value) {
    if (typeof value !== 'object' || value === null) return
    const sealed = isObject(value) && Object.keys(value).length === 1 ? value['$sealed'] : undefined
    if (isTexts(sealed) && sealed.length === 3) counted(sealedByKey, sealed[0])
    else for (const key of Object.keys(value)) countSealed(value[key])
  }

  return {
    withheld() {
      totals.entries++
      totals.withheld++
    },
    entry(seq, entry, commit, isDropped, chains) {
      totals.entries++
      counted(kinds, entry.kind)
      first ??= entry.time
      last = entry.time
      if (entry.kind === 'erase' && isText(entry.body?.key)) erasedKeys.add(entry.body.key)
      if (entry.commit === undefined) return
      totals.commits++
      if (isDropped) totals.dropped++
      if (commit !== undefined) counted(categories, commit.intent.category)
      const { principal = null, authority = [] } = commit ?? {}
      const name = JSON.stringify([entry.agent, principal, authority, chains])
      if (!groups.has(name) && groups.size < MAX_LISTED) {
        groups.set(name, { agent: entry.agent, principal, authority, chains, commits: 0, changed: new Map() })
      }
      const group = groups.get(name)
      if (group !== undefined) group.commits++
      const paths = (entry.changed ?? []).filter(
        path => listed.length === 0 || listed.some(each => touches(path, each)),
      )
      if (group !== undefined) for (const path of paths) counted(group.changed, path)
      if (listed.length === 0 || paths.length === 0) return
      if (changes.length === MAX_LISTED) totals.moreChanges++
      else
        changes.push({
          entry: seq,
          commit: shortId(entry.commit),
          tree: commit?.tree,
          time: entry.time,
          agent: entry.agent,
          principal,
          authority,
          chains,
          ...reasonOf(commit),
          paths,
        })
    },
    node(id, node, text) {
      if (listed.length > 0) nodes.add(id, node)
      if (!text.includes('"$sealed"') || sealedNodes.has(id)) return
      sealedNodes.add(id)
      // The outer containers of a node are its shape; only their content are values.
      for (const part of node.slice(1))
        if (typeof part === 'object') for (const value of Object.values(part ?? {})) countSealed(value)
      if (node[0] === 'value') countSealed(node[1])
    },
    done(refs) {
      const sum = values => [...values].reduce((total, count) => total + count, 0)
      const erased = [...sealedByKey].filter(([key]) => erasedKeys.has(key)).map(([, count]) => count)
      return {
        ...totals,
        kinds: Object.fromEntries(kinds),
        categories: Object.fromEntries(categories),
        time: first === undefined ? [] : [first, last],
        changedBy: [...groups.values()].map(group => ({ ...group, changed: Object.fromEntries(group.changed) })),
        refs: Object.fromEntries([...refs].slice(0, MAX_LISTED)),
        encrypted: sum(sealedByKey.values()),
        erased: sum(erased),
        changes: changes.map(({ tree, ...change }) => ({ ...change, values: valuesAt(nodes, tree, change.paths) })),
      }
    },
  }
}

/** The beginning of an id in hex, as long as every surface of AgentStateGraph shows it. */
function shortId(id) {
  return Buffer.from(id, 'base64url').toString('hex').slice(0, 12)
}

/** By path, the canonical text of what a state holds there; a path that is gone, or is not in the bundle, has none. */
function valuesAt(nodes, tree, paths) {
  const values = {}
  for (const path of paths) {
    if (tree === undefined || path.endsWith('/**')) continue
    let child = { link: tree }
    for (const segment of path.split('/').slice(1)) child = child && nodes.tableOf(child).get(unescaped(segment))
    const value = child && nodes.valueOf(child)
    if (value !== undefined) values[path] = canonicalText(value)
  }
  return values
}

/** Confidence is in millionths, as the commit has it. */
function reasonOf(commit) {
  if (commit === undefined) return { category: null, description: null, reasoning: null, confidence: null }
  const { category, description } = commit.intent
  return { category, description, reasoning: commit.reasoning ?? null, confidence: commit.confidence ?? null }
}

/** Whether a changed path is at, above or below what a pattern matches. */
function touches(path, pattern) {
  const segments = path
    .replace(/\/\*\*$/, '')
    .split('/')
    .slice(1)
  const names = segments.map(unescaped)
  return pattern.every((segment, i) => segment === '*' || i >= names.length || segment === names[i])
}

// --- The verdict ---------------------------------------------------------------------------------------------------

const passed = (name, detail) => ({ name, status: 'passed', detail })
const failed = (name, detail) => ({ name, status: 'failed', detail })
const notChecked = (name, detail) => ({ name, status: 'not-checked', detail })

function judgeExtends({ header, checkpoint, keptRoot }, kept) {
  if (kept === undefined) return [notChecked('extends', 'no head that you kept was given (--prior)')]
  if (kept.origin !== header.origin)
    return [failed('extends', 'the head that you kept is of another log'), 'extends-origin']
  if (kept.size > checkpoint.size) return [notChecked('extends', 'the head that you kept is newer than the bundle')]
  if (keptRoot === undefined) return [notChecked('extends', `the bundle does not lead back to size ${kept.size}`)]
  if (keptRoot.equals(kept.root)) return [passed('extends', `goes on from size ${kept.size}`)]
  return [failed('extends', `at size ${kept.size} the history was another`), 'extends-root']
}

function judgeSigned({ checkpoint, keychain }, keys) {
  if (keys.length === 0) return [notChecked('signed', 'no key of the log was given (--key)')]
  const trusted = new Map(keys.map(key => [key.text, key]))
  let retired = ''
  for (const { at, head, body } of keychain) {
    const lines = [...trusted.values()].flatMap(key => linesOf(head, key))
    const isVouchedFor = lines.length > 0 && lines.every(({ isRight }) => isRight)
    if (!isObject(body)) continue
    const keysIn = list =>
      (Array.isArray(list) ? list : [])
        .filter(isText)
        .map(findKey)
        .filter(key => key?.kind === 1)
    if (isVouchedFor) for (const key of keysIn(body.add)) trusted.set(key.text, key)
    // The log itself says so, and the head to be checked stands for all of it: nobody has to vouch for a retirement.
    for (const key of keysIn(body.retire))
      if (trusted.delete(key.text)) retired = `; ${key.name}+${key.hash} was retired by entry ${at}`
  }
  const signers = []
  for (const key of trusted.values()) {
    for (const { isRight } of linesOf(checkpoint, key)) {
      if (!isRight) return [failed('signed', `the signature of ${key.name}+${key.hash} is wrong`), 'signature-wrong']
      if (!signers.includes(`${key.name}+${key.hash}`)) signers.push(`${key.name}+${key.hash}`)
    }
  }
  if (signers.length === 0)
    return [failed('signed', `no key that you trust signed this${retired}`), 'signature-missing']
  const changes = keychain.length === 0 ? '; the log names no change of keys' : ''
  return [passed('signed', `by ${signers.join(', ')}${changes}`)]
}

function judgeWitnessed({ checkpoint }, keys, quorum) {
  if (keys.length === 0) return [notChecked('witnessed', 'no key of a witness was given (--witness)')]
  const seen = new Map()
  for (const key of keys) {
    for (const { isRight, time } of linesOf(checkpoint, key)) {
      if (!isRight) return [failed('witnessed', `the signature of ${key.name}+${key.hash} is wrong`), 'witness-wrong']
      seen.set(key.publicKey.toString('base64'), `${key.name} at ${timeText(time)}`)
    }
  }
  if (seen.size < quorum)
    return [notChecked('witnessed', `signed by ${seen.size} of these witnesses, ${quorum} asked for`)]
  return [passed('witnessed', `by ${[...seen.values()].join(', ')}`)]
}

function judgeAuthorised({ header, authority: { counts, first } }) {
  if (header.profile === 'redacted') return [notChecked('authorised', 'who made the commits is withheld')]
  if (first.denied !== undefined) return [failed('authorised', first.denied), 'authority']
  if (first.unknown !== undefined) return [notChecked('authorised', first.unknown)]
  const { granted, operator, open } = counts
  if (granted + operator === 0)
    return [notChecked('authorised', open > 0 ? 'open: no access control was in force' : 'there are no commits')]
  const before = open > 0 ? `, ${open} before there was access control` : ''
  return [passed('authorised', `commits: ${granted} under grants, ${operator} by the operator${before}`)]
}

function timeText(seconds) {
  return seconds < 253402300800n
    ? new Date(Number(seconds) * 1000).toISOString().replace('.000', '')
    : `second ${seconds}`
}

/**
 * Checks a bundle given as chunks of bytes. Keys and the kept head are as findKey and findHead give them; `listed` are
 * patterns of paths.
 */
export async function verifyChunks(chunks, { keys = [], kept, quorum = 1, listed = [], require: required = [] } = {}) {
  const inventory = makeInventory(listed)
  const checker = bundleChecker(kept, inventory)
  const { bundle } = checker
  const verdict = { exit: 0, failed: null, levels: [], bundle: null, inventory: null }
  let judged
  try {
    await eachLine(chunks, checker.line)
    checker.finish()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    verdict.failed = { check: error.check, line: bundle.lines, id: error.id ?? null, message: error.message }
    const rest = LEVELS.slice(1).map(name => notChecked(name, 'the bundle itself does not hold'))
    judged = [[failed('integrity', error.message)], ...rest.map(level => [level])]
  }
  judged ??= [
    [passed('integrity', `every entry is one that the head of size ${bundle.header.to} stands for`)],
    judgeSigned(
      bundle,
      keys.filter(({ kind }) => kind === 1),
    ),
    judgeExtends(bundle, kept),
    judgeWitnessed(
      bundle,
      keys.filter(({ kind }) => kind === 4),
      quorum,
    ),
    judgeAuthorised(bundle),
  ]
  verdict.levels = judged.map(([level]) => level)
  // The page checks `extends` before `signed`, and shows it after.
  const order = [0, 2, 1, 3, 4]
  const first = order.map(i => judged[i]).find(([, check]) => check !== undefined)
  if (first !== undefined) verdict.failed = { check: first[1], line: bundle.lines, id: null, message: first[0].detail }
  if (bundle.header !== undefined) {
    const { origin, epoch, from, to, profile, paths } = bundle.header
    verdict.bundle = { origin, epoch, from, to, profile, paths: paths ?? null }
  }
  verdict.head = bundle.note
  if (judged[0][0].status === 'passed') verdict.inventory = inventory.done(checker.refs)
  const asked = new Set([...required, ...keys.map(({ kind }) => (kind === 1 ? 'signed' : 'witnessed'))])
  if (kept !== undefined) asked.add('extends')
  const isOpen = verdict.levels.some(({ name, status }) => asked.has(name) && status === 'not-checked')
  verdict.exit = verdict.failed === null ? (isOpen ? 3 : 0) : verdict.failed.check === 'version' ? 2 : 1
  return verdict
}

async function eachLine(chunks, take) {
  let parts = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const rest = chunk.subarray(start, end)
      take(parts.length === 0 ? rest : Buffer.concat([...parts, rest]), true)
      parts = []
      length = 0
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > MAX_LINE) break
  }
  if (parts.length > 0) take(Buffer.concat(parts), false)
}

// --- The command ---------------------------------------------------------------------------------------------------

const UNSHOWN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu

/** Stored text for display: characters that control a terminal or the direction of text are escaped. */
function shown(text) {
  return text.replace(UNSHOWN, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** What each level says in plain words. */
const MEANINGS = {
  integrity: {
    passed: 'Nothing in this file was changed, added or left out since its head was made.',
    failed: 'This file is not what its head stands for: it was changed, or is damaged.',
    'not-checked': 'Nobody looked whether the file is whole.',
  },
  signed: {
    passed: 'The holder of the key that you gave stands for this history.',
    failed: 'The key that you gave did not sign this history.',
    'not-checked': 'Who made this file is not known: anybody can make a consistent one.',
  },
  extends: {
    passed: 'It goes on from the history that you saw before: nothing of that was rewritten.',
    failed: 'It is another history than the one that you saw before.',
    'not-checked': 'Whether history was rewritten since an earlier audit is not known.',
  },
  witnessed: {
    passed: 'Witnesses that you chose saw the same history.',
    failed: 'The witnesses that you chose did not sign this history.',
    'not-checked': 'Whether others were shown the same history is not known.',
  },
  authorised: {
    passed: 'Each commit was made by somebody who was allowed to make it.',
    failed: 'A commit was made by somebody who was not allowed to make it.',
    'not-checked': 'Whether its authors were allowed to do what they did is not known.',
  },
}

/** Whether not even the first line is that of a bundle. */
function isNoBundle({ bundle, failed: failure }) {
  return bundle === null && failure !== null && failure.check !== 'version' && failure.line <= 1
}

const EXITS = [
  'what was asked for holds',
  'do not rely on this bundle',
  'not readable here',
  'a level that was asked for could not be checked',
]

const NO_BUNDLE =
  '  Nothing of it was checked. A bundle is a file of `asg epoch export`; one that is compressed has to be unpacked.'

function endOf(verdict) {
  return isNoBundle(verdict) ? 'nothing was checked' : EXITS[verdict.exit]
}

function printed(verdict) {
  const { failed: failure, levels, bundle, inventory, exit } = verdict
  const out = []
  if (bundle !== null) {
    const paths = bundle.paths === null ? '' : `, only ${bundle.paths.join(' ')}`
    const range = `entries ${bundle.from} to ${bundle.to}`
    out.push(`epoch ${bundle.epoch} of ${bundle.origin}, ${range}, profile ${bundle.profile}${paths}`, '')
  }
  if (isNoBundle(verdict)) out.push('this is no bundle: its first line is not the header of one', NO_BUNDLE)
  for (const { name, status, detail } of isNoBundle(verdict) ? [] : levels) {
    out.push(`${name}: ${status.replace('-', ' ')} (${detail})`, `  ${MEANINGS[name][status]}`)
  }
  if (failure !== null && !isNoBundle(verdict)) {
    const id = failure.id === null ? '' : `, ${failure.id.replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, shortId)}`
    out.push('', `first failing check: ${failure.check}, line ${failure.line}${id}`)
  }
  if (inventory !== null) out.push('', ...inventoryLines(inventory))
  out.push('', `exit ${exit}: ${endOf(verdict)}`)
  return `${out.map(shown).join('\n')}\n`
}

function inventoryLines({
  entries,
  commits,
  dropped,
  withheld,
  kinds,
  categories,
  time,
  changedBy,
  refs,
  encrypted,
  erased,
  changes,
  moreChanges,
}) {
  const list = counts =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  const out = [
    `entries: ${entries} (${list(kinds)}${withheld > 0 ? `${entries > withheld ? ', ' : ''}withheld ${withheld}` : ''})`,
  ]
  if (time.length > 0) out.push(`time: ${time[0]} to ${time[1]}`)
  out.push(`commits: ${commits}${dropped > 0 ? `, of which ${dropped} with states cleared away` : ''}`)
  if (Object.keys(categories).length > 0) out.push(`categories: ${list(categories)}`)
  if (encrypted > 0) out.push(`encrypted values: ${encrypted}, of which ${erased} erased`)
  for (const { commits: count, changed, ...who } of changedBy) {
    const paths = Object.entries(changed).map(([path, times]) => `${path}${times > 1 ? ` ×${times}` : ''}`)
    const more = paths.length > 10 ? ` and ${paths.length - 10} more` : ''
    out.push(
      `by ${whoText(who)}: ${count} ${count === 1 ? 'commit' : 'commits'}; changed ${paths.slice(0, 10).join(' ') || 'nothing'}${more}`,
    )
  }
  for (const [ref, at] of Object.entries(refs)) out.push(`ref ${ref}: ${at === null ? 'gone' : `at entry ${at}`}`)
  for (const change of changes) {
    const { entry, commit, time: at, category, description, reasoning, paths, values } = change
    const why =
      category === null ? '' : `; ${category}: ${description}${reasoning === null ? '' : `; because: ${reasoning}`}`
    const sure = change.confidence === null ? '' : `; ${percent(change.confidence)} sure`
    const changed = paths.map(path => (Object.hasOwn(values, path) ? `${path} = ${values[path]}` : path)).join(', ')
    out.push(`entry ${entry}, commit ${commit}, ${at}, ${whoText(change)}, ${changed}${why}${sure}`)
  }
  if (moreChanges > 0) out.push(`and ${moreChanges} more changes`)
  return out
}

function percent(millionths) {
  return `${Math.floor((millionths + 5000) / 10_000)}%`
}

/** One row for each changed path: what, when, who, why, how sure, and the value. */
function changeRows({ changes }) {
  return changes.flatMap(({ paths, values, ...change }) =>
    paths.map(path => [
      String(change.entry),
      change.commit,
      change.time,
      change.agent,
      whoText(change),
      change.category ?? '',
      change.description ?? '',
      change.reasoning ?? '',
      change.confidence === null ? '' : percent(change.confidence),
      path,
      values[path] ?? '',
    ]),
  )
}

const COLUMNS = [
  'entry',
  'commit',
  'time',
  'agent',
  'authority',
  'category',
  'why',
  'reasoning',
  'confidence',
  'path',
  'value',
]

/** A cell of a table: quoted, and never read as a formula. */
function cell(text) {
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text
  return `"${shown(safe).replaceAll('"', '""')}"`
}

function csvReport({ inventory }) {
  const rows = inventory === null ? [] : changeRows(inventory)
  return [COLUMNS, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

function escapedHtml(text) {
  return shown(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function htmlTable(titles, rows) {
  const line = (tag, cells) => `<tr>${cells.map(text => `<${tag}>${escapedHtml(text)}</${tag}>`).join('')}</tr>\n`
  return `<table>\n${line('th', titles)}${rows.map(row => line('td', row)).join('')}</table>\n`
}

function htmlReport(verdict) {
  const { bundle, levels, inventory } = verdict
  const title = bundle === null ? 'No bundle' : `Epoch ${bundle.epoch} of ${bundle.origin}`
  const ladder = levels.map(({ name, status, detail }) => [
    name,
    status.replace('-', ' '),
    MEANINGS[name][status],
    detail,
  ])
  return [
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n',
    `<title>${escapedHtml(title)}</title>\n`,
    '<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #999;padding:4px 8px;text-align:left;vertical-align:top}</style>\n',
    `<h1>${escapedHtml(title)}</h1>\n`,
    `<p>${escapedHtml(endOf(verdict))}</p>\n`,
    isNoBundle(verdict)
      ? `<p>${escapedHtml(NO_BUNDLE)}</p>\n`
      : htmlTable(['level', 'verdict', 'in plain words', 'detail'], ladder),
    inventory === null
      ? ''
      : `<h2>Changes</h2>\n${htmlTable(COLUMNS, changeRows(inventory))}${inventory.moreChanges > 0 ? `<p>and ${inventory.moreChanges} more changes</p>\n` : ''}`,
    '</html>\n',
  ].join('')
}

/** Writes a file that is not there yet. */
function writeNew(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new Unusable(error.code === 'EEXIST' ? `${file} is there already` : `${file} could not be written`)
  }
}

/** Who acted for whom, by names where the chain was found, else by the ids of grants. */
function whoText({ agent, principal, authority, chains }) {
  const behalf = principal === null || principal === agent ? '' : ` for ${principal}`
  const by = chains.length > 0 ? chains.join(', ') : authority.join(' > ')
  return `${agent}${behalf}${by === '' ? '' : ` on the authority of ${by}`}`
}

export function readArguments(args) {
  const options = {
    file: undefined,
    keys: [],
    kept: undefined,
    quorum: 1,
    require: [],
    listed: [],
    json: false,
    files: {},
  }
  const rest = [...args]
  const next = option => {
    const value = rest.shift()
    if (value === undefined) throw new Unusable(`${option} needs a value`)
    return value
  }
  const keysOf = (text, kind) => {
    const lines = KEY.test(text)
      ? [text]
      : readText(text)
          .split('\n')
          .filter(line => line !== '')
    const keys = lines.map(findKey)
    if (keys.length === 0 || keys.includes(undefined)) throw new Unusable(`there is no public key in ${text}`)
    if (kind !== undefined && keys.some(key => key.kind !== kind))
      throw new Unusable(`this is no key of a witness: ${text}`)
    return keys
  }
  while (rest.length > 0) {
    const option = rest.shift()
    if (option === '--key') options.keys.push(...keysOf(next(option)))
    else if (option === '--witness') options.keys.push(...keysOf(next(option), 4))
    else if (option === '--quorum') {
      const value = next(option)
      if (!/^[1-9][0-9]{0,3}$/.test(value)) throw new Unusable('--quorum needs a number from 1 on')
      options.quorum = Number(value)
    } else if (option === '--prior') {
      options.kept = findHead(readText(next(option)))
      if (options.kept === undefined) throw new Unusable('the file given as --prior holds no signed head')
    } else if (option === '--require') {
      options.require = next(option).split(',')
      const unknown = options.require.find(level => !LEVELS.includes(level))
      if (unknown !== undefined) throw new Unusable(`there is no level ${unknown}`)
    } else if (option === '--paths') {
      options.listed = next(option).split(',').map(findPattern)
      if (options.listed.includes(undefined)) throw new Unusable('--paths needs paths such as /a/b,/c/*')
    } else if (option === '--save-head' || option === '--csv' || option === '--html') {
      options.files[option] = next(option)
    } else if (option === '--json') options.json = true
    else if (option.startsWith('--')) throw new Unusable(`what is ${option}?`)
    else if (options.file !== undefined)
      throw new Unusable(`one bundle at a time: ${options.file} and ${option} are two; a public key follows --key`)
    else options.file = option
  }
  if (options.file === undefined) throw new Unusable('which bundle?')
  const there = Object.values(options.files).find(file => existsSync(file))
  if (there !== undefined) throw new Unusable(`${there} is there already`)
  // A report lists every change unless paths were named.
  if (options.listed.length === 0 && ('--csv' in options.files || '--html' in options.files)) {
    options.listed = [[]]
    options.isReport = true
  }
  return options
}

function readText(file) {
  try {
    return utf8.decode(readFileSync(file))
  } catch {
    throw new Unusable(`${file} could not be read`)
  }
}

/** Runs the command and returns its exit code. */
export async function main(
  args,
  write = text => process.stdout.write(text),
  complain = text => process.stderr.write(text),
) {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    write(USAGE)
    return args.length === 0 ? 2 : 0
  }
  let file
  try {
    const options = readArguments(args)
    file = options.file
    const chunks = options.file === '-' ? process.stdin : createReadStream(options.file, { highWaterMark: 1 << 18 })
    const verdict = await verifyChunks(chunks, options)
    const { head, ...told } = verdict
    const short =
      options.isReport && told.inventory !== null ? { ...told, inventory: { ...told.inventory, changes: [] } } : told
    write(options.json ? `${shown(JSON.stringify(told))}\n` : printed(short))
    const { '--save-head': saved, '--csv': csv, '--html': html } = options.files
    if (csv !== undefined) writeNew(csv, csvReport(told))
    if (html !== undefined) writeNew(html, htmlReport(told))
    if (saved !== undefined) {
      if (told.failed !== null) throw new Unusable('the head of a bundle that does not hold is not kept')
      writeNew(saved, head)
    }
    return verdict.exit
  } catch (error) {
    const told = error.syscall === undefined ? error.message : `${error.path ?? file} could not be read`
    complain(`verify: ${shown(told)}\n${error instanceof Unusable ? '--help shows how to use it\n' : ''}`)
    return 2
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2))
}
