/** The held examples of values, paths and Merkle trees. What a line says was decided once and holds for good. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  bytesOfId,
  ClassTable,
  canonicalText,
  decode,
  encode,
  formatPath,
  hashText,
  hexOfId,
  idOfBytes,
  idOfHex,
  leafHash,
  leafId,
  parsePath,
  readJson,
  rootOf,
  type Stored,
  verifyConsistency,
  verifyInclusion,
} from '../../src/core/index.ts'
import { consistencyProof, inclusionProof } from './support/merkle-proofs.ts'

interface ValueLine {
  readonly note: string
  readonly text: string
  readonly id: string
  /** JSON text of the value, not canonical. */
  readonly json?: string
  /** The value as a JavaScript expression. */
  readonly js?: string
}

interface PathLine {
  readonly note: string
  readonly path: string
  readonly segments?: readonly string[]
  readonly written?: string
  readonly invalid?: true
}

type MerkleLine =
  | { readonly kind: 'leaf'; readonly text: string; readonly leaf: string }
  | { readonly kind: 'root'; readonly leaves: readonly string[]; readonly root: string }
  | ({ readonly kind: 'inclusion'; readonly index: number } & Proof)
  | ({ readonly kind: 'consistency'; readonly first: number; readonly firstRoot: string } & Proof)

interface Proof {
  readonly leaves: readonly string[]
  readonly root: string
  readonly proof: readonly string[]
}

/** The registered class of `values.jsonl`. */
class Point {
  readonly x: number
  readonly y: number
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }
}

const classes = new ClassTable([
  { type: Point, tag: 'geo/point', encode: ({ x, y }) => [x, y], decode: ([x, y]) => new Point(x, y) },
])

/** The expressions of `values.jsonl`, as values. */
const expressions = new Map<string, unknown>([
  ['undefined', undefined],
  ['-0', -0],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['0n', 0n],
  ['-(2n ** 70n)', -(2n ** 70n)],
  ['new Date(1700000000123)', new Date(1700000000123)],
  ['new Date(-8.64e15)', new Date(-8.64e15)],
  ['new Date(NaN)', new Date(Number.NaN)],
  ['new Uint8Array()', new Uint8Array()],
  ['Uint8Array.of(251, 255, 254, 1)', Uint8Array.of(251, 255, 254, 1)],
  ['Float64Array.of(1.5, -0)', Float64Array.of(1.5, -0)],
  ['BigInt64Array.of(-2n)', BigInt64Array.of(-2n)],
  ['Uint8ClampedArray.of(7)', Uint8ClampedArray.of(7)],
  ['new DataView(Uint8Array.of(1, 2, 3).buffer)', new DataView(Uint8Array.of(1, 2, 3).buffer)],
  ['Uint8Array.of(1, 2, 3).buffer', Uint8Array.of(1, 2, 3).buffer],
  [
    "new Map([['b', 1], ['a', undefined], [[1], {}], [NaN, new Map()]])",
    new Map<unknown, unknown>([
      ['b', 1],
      ['a', undefined],
      [[1], {}],
      [Number.NaN, new Map()],
    ]),
  ],
  ["new Set(['b', 'a', new Date(0)])", new Set(['b', 'a', new Date(0)])],
  ["new URL('https://example.com/a b?q=é#x')", new URL('https://example.com/a b?q=é#x')],
  ['/a\\/b"/gi', /a\/b"/gi],
  ['Object.assign(/a/y, { lastIndex: 3 })', Object.assign(/a/y, { lastIndex: 3 })],
  ["Object.assign(new Error(), { stack: 'Error' })", Object.assign(new Error(), { stack: 'Error' })],
  [
    "Object.assign(new TypeError('no', { cause: undefined }), { stack: 'at f', name: 'Refusal', code: 'E1', $n: 1n })",
    Object.assign(new TypeError('no', { cause: undefined }), { stack: 'at f', name: 'Refusal', code: 'E1', $n: 1n }),
  ],
  [
    "Object.assign(new AggregateError(['a', new Date(0)], 'both'), { stack: undefined })",
    Object.assign(new AggregateError(['a', new Date(0)], 'both'), { stack: undefined }),
  ],
  ["Object.assign(new DOMException('late', 'TimeoutError'), { stack: 'at g' })", exceptionWithStack()],
  ['[new Point(1, -0)]', [new Point(1, -0)]],
  ['{ $a: [1n], b: { $c: undefined } }', { $a: [1n], b: { $c: undefined } }],
])

describe('fixtures/values.jsonl', () => {
  it.each(linesOf<ValueLine>('values.jsonl'))('$note', ({ text, id, json, js }) => {
    if (js !== undefined && !expressions.has(js)) throw new Error(`This test does not know the expression ${js}`)
    const value = json === undefined ? expressions.get(js!) : readJson(json)
    expect(canonicalText(encode(value, { classes }))).toBe(text)
    expect(hexOfId(hashText(text))).toBe(id)
    const read = decode(JSON.parse(text) as Stored, classes)
    expect(read).toStrictEqual(value)
    expect(canonicalText(encode(read, { classes }))).toBe(text)
  })
})

describe('fixtures/paths.jsonl', () => {
  it.each(linesOf<PathLine>('paths.jsonl'))('$note', ({ path, segments, written, invalid }) => {
    if (invalid) {
      expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: 'path-invalid' }))
    } else {
      expect(parsePath(path)).toEqual(segments)
      expect(formatPath(segments!)).toBe(written ?? path)
    }
  })
})

describe('fixtures/merkle.jsonl', () => {
  it.each(linesOf<MerkleLine>('merkle.jsonl').map((line, i) => ({ ...line, number: i + 1 })))(
    '$kind, line $number',
    line => {
      if (line.kind === 'leaf') {
        expect(hexOfId(leafId(line.text))).toBe(line.leaf)
        return
      }
      const leaves = line.leaves.map(hex => leafHash(Uint8Array.from(Buffer.from(hex, 'hex'))))
      const root = bytesOfId(idOfHex(line.root))
      expect(hexOfId(idOfBytes(rootOf(leaves)))).toBe(line.root)
      if (line.kind === 'inclusion') {
        const { index } = line
        expect(inclusionProof(leaves, index).map(hexOf)).toEqual(line.proof)
        expect(verifyInclusion(leaves[index]!, index, leaves.length, line.proof.map(bytesOf), root)).toBe(true)
      } else if (line.kind === 'consistency') {
        const { first, firstRoot, proof } = line
        expect(consistencyProof(leaves, first).map(hexOf)).toEqual(proof)
        expect(verifyConsistency(first, leaves.length, bytesOf(firstRoot), root, proof.map(bytesOf))).toBe(true)
      }
    },
  )
})

function exceptionWithStack(): DOMException {
  return Object.assign(new DOMException('late', 'TimeoutError'), { stack: 'at g' })
}

function linesOf<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(`../../../../fixtures/${name}`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)
}

function hexOf(hash: Uint8Array): string {
  return hexOfId(idOfBytes(hash))
}

function bytesOf(hex: string): Uint8Array {
  return bytesOfId(idOfHex(hex))
}
