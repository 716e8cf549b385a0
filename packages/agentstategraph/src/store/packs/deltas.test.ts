import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashBytes, type Stored } from '../../core/index.ts'
import {
  edit,
  formatLimits,
  indexOfPointer,
  type Link,
  type Node,
  pointerOf,
  rootOf,
  seqOfPointer,
  type TreeContext,
} from '../../tree/index.ts'
import type { SyncLog } from '../contract/backend.ts'
import { workSync } from '../contract/work.ts'
import { indexPart, textRecordAt } from './read-pack.ts'
import { type RecordText, recordText } from './record-text.ts'
import { type Pack, type Roots, writePack } from './write-pack.ts'

const limits = { ...formatLimits, cut: { min: 2, max: 12 }, inlineBytes: 60 }

/** A journal of packs, and the nodes that it has landed. */
function packs() {
  const stored: Pack[] = []
  const nodes = new Map<number, Node>()
  const context: TreeContext = { nodes: { find: ({ at }) => nodes.get(at) }, limits }
  const log = {
    parts: (asked: readonly { seq: number; index: number }[]) =>
      asked.map(({ seq, index }) => {
        const part = stored[seq - 1]!.parts.findLast(({ first }) => first <= index)!
        return { seq, first: part.first, bytes: part.bytes }
      }),
  } as unknown as SyncLog
  const add = (tree: Link, base: Link | undefined): Pack => {
    const roots: Roots = { tree, system: tree, detail: undefined }
    const whole = writePack(roots, [])
    const pack = writePack(roots, [], base && { nodes: context.nodes, tree: base, system: base })
    expect(pack.digest).toBe(whole.digest)
    stored.push(pack)
    for (const [index, link] of pack.links.entries()) {
      link.at = pointerOf(stored.length, index)
      nodes.set(link.at, link.fresh!.node)
      link.fresh = undefined
    }
    return pack
  }
  const read = ({ at, id }: Link, find: (at: number) => Node | undefined): RecordText & { kind: string } => {
    const [part] = log.parts([{ seq: seqOfPointer(at), index: indexOfPointer(at) }])
    const record = textRecordAt(indexPart(part!.seq, part!.first, part!.bytes), indexOfPointer(at))
    return {
      kind: record.kind,
      ...workSync(recordText(record, at, id, find), log, { load: unasked, loadAll: unasked }),
    }
  }
  return { context, nodes, add, read }
}

function unasked(): never {
  throw new Error('No node is asked for.')
}

const word = fc.constantFrom('', 'a', 'é', '€', '😀', '😁', 'text '.repeat(9), '€uro 😀 '.repeat(8), 'x'.repeat(70))
const value: fc.Arbitrary<Stored> = fc.oneof(
  fc.nat(9),
  word,
  fc.tuple(word, word).map(texts => texts.join('')),
  fc.array(word, { maxLength: 12 }),
  fc.dictionary(fc.constantFrom('a', 'b', '€', '😀'), word),
)
const key = fc.integer({ min: 0, max: 15 }).map(n => `key ${n} ${n % 3 === 0 ? '😀' : 'é'}`)
const edits = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('set' as const), path: fc.tuple(fc.constantFrom('map', 'other'), key), value }),
    fc.record({ op: fc.constant('set' as const), path: fc.constant(['list', '-'] as const), value }),
    fc.record({ op: fc.constant('delete' as const), path: fc.tuple(fc.constantFrom('map', 'other'), key) }),
  ),
  { minLength: 1, maxLength: 4 },
)

describe('the texts of a pack that is based on a state', () => {
  it('are those of its nodes, under the digest that whole texts have, with and without bases in memory', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(edits, { minLength: 1, maxLength: 12 }), commits => {
        const { context, nodes, add, read } = packs()
        let head = rootOf(context, { map: {}, other: {}, list: [] }, 0)
        add(head, undefined)
        for (const commit of commits) {
          const { root } = workSync(edit(context, head, commit) as never, undefined as never, undefined as never) as {
            root: Link
          }
          if (root === head) continue
          const pack = add(root, head)
          for (const link of pack.links) {
            const cold = read(link, () => undefined)
            const warm = read(link, at => nodes.get(at))
            seen.add(cold.kind)
            const ids = [cold, warm].map(({ text }) => hashBytes(text))
            const deltas = [cold.deltas, warm.deltas, nodes.get(link.at)?.deltas]
            if (ids.some(id => id !== link.id)) expect.fail('a text is not that of its node')
            if (deltas.some(count => count !== cold.deltas) || cold.deltas > 8) expect.fail(`${deltas} deltas`)
          }
          head = root
        }
      }),
    )
    expect([...seen].sort()).toEqual(['delta', 'whole'])
  })

  it('are never behind more than 8 deltas, and few of many are whole', () => {
    const { context, add, read } = packs()
    const fields = Array.from({ length: 12 }, (_, i) => [`field ${i}`, 'x'.repeat(50)])
    let head = rootOf(context, Object.fromEntries(fields) as Stored, 0)
    add(head, undefined)
    const depths: number[] = []
    for (let n = 0; n < 40; n++) {
      const steps = edit(context, head, [{ op: 'set', path: ['field 2'], value: `${'x'.repeat(40)} ${n}` }])
      const { root } = workSync(steps as never, undefined as never, undefined as never) as { root: Link }
      add(root, head)
      depths.push(read(root, () => undefined).deltas)
      head = root
    }
    expect(Math.max(...depths)).toBe(8)
    expect(depths.filter(depth => depth === 0)).toHaveLength(4)
  })

  it('are whole where a read of several appends takes a request each, unless the base is of the same append', () => {
    const { context, nodes, add } = packs()
    const fields = Array.from({ length: 12 }, (_, i) => [`field ${i}`, 'x'.repeat(50)])
    const head = rootOf(context, Object.fromEntries(fields) as Stored, 0)
    add(head, undefined)
    const kindBehind = (at: number): string => {
      nodes.set(at, nodes.get(head.at)!)
      head.at = at
      const steps = edit(context, head, [{ op: 'set', path: ['field 2'], value: 'other' }])
      const { root } = workSync(steps as never, undefined as never, undefined as never) as { root: Link }
      const bases = { nodes: context.nodes, tree: head, system: head, isScattered: true }
      const pack = writePack({ tree: root, system: root, detail: undefined }, [], bases, 2 ** 32 + 1)
      return textRecordAt(indexPart(2, 0, pack.parts[0]!.bytes), indexOfPointer(root.at)).kind
    }
    expect(kindBehind(head.at)).toBe('whole')
    // A commit of the same append has a pending number.
    expect(kindBehind(pointerOf(2 ** 32, 0))).toBe('delta')
  })
})
