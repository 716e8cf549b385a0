/** Whole values: the same from texts, from parsed nodes and from nodes not yet stored, in any cache and on any backend. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, decode, isStateError, type Stored } from '../../src/core/index.ts'
import { decodeChild } from '../../src/repo/state/decode-value.ts'
import { writer } from '../../src/repo/write/write.ts'
import { type Backend, findHead, type Journal, memoryBackend, openJournal, type Work } from '../../src/store/index.ts'
import {
  type Child,
  type Entry,
  entriesOf,
  isContainer,
  type Link,
  type Node,
  nodeOf,
  valueOfChild,
} from '../../src/tree/index.ts'
import { limitsByName } from '../tree/support/trees.ts'
import { mapOf, state, value } from '../tree/support/values.ts'
import { set } from './support/journals.ts'
import { wrapped } from './support/wrapped-backend.ts'

const backends: Readonly<Record<string, () => Backend>> = {
  'a backend that answers at once': memoryBackend,
  'a backend without synchronous calls': () => wrapped(memoryBackend(), log => ({ ...log, sync: undefined })),
}
const cacheSizes = [3000, undefined]

/** States with lists and maps of many equal records, which are leaves below branches and nodes behind links. */
const wide: fc.Arbitrary<Stored> = fc.tuple(state, value, fc.nat(70)).map(([inner, one, count]) =>
  mapOf([
    ['list', Array.from({ length: count }, (_, i) => (i % 3 === 0 ? one : [i]))],
    ['map', mapOf(Array.from({ length: count }, (_, i) => [`k${i}`, i % 4 === 0 ? one : `v${i}`]))],
    ['state', inner],
  ]),
)

describe.each(Object.entries(backends))('on %s', (_, make) => {
  describe.each([limitsByName[0]!, limitsByName[3]!])('under %s limits', (__, treeLimits) => {
    it('a whole value is what was written, whatever is in memory', async () => {
      await fc.assert(
        fc.asyncProperty(wide, fc.array(fc.nat(), { maxLength: 3 }), async (written, parsedFirst) => {
          const backend = make()
          const journal = await openJournal(backend, { treeLimits })
          const { commit } = await set(writer(journal), 'branch/main', { '/': written })
          await expectWhole(journal, commit.tree, written)
          for (const cacheBytes of cacheSizes) {
            const cold = await openJournal(backend, cacheBytes === undefined ? {} : { cacheBytes })
            const head = (await cold.run(findHead(cold, 'branch/main')))!
            for (const place of parsedFirst) await cold.run(parseSome(cold, head.tree, place))
            await expectWhole(cold, head.tree, written)
            await expectWhole(cold, head.tree, written)
          }
        }),
        { numRuns: 6 },
      )
    })
  })

  it('a value that cannot be read is named by its path', async () => {
    const odd = { $class: ['gone', 1] }
    const long = 'x'.repeat(200)
    const rows = Array.from({ length: 100 }, (_, i) => (i === 70 ? { odd, long } : i === 80 ? { rows: [1, odd] } : i))
    const states: Readonly<Record<string, Stored>> = {
      '/a/odd': { a: { odd, long }, b: 1 },
      '/rows/70/odd': { rows },
      '/rows/80/rows/1': { rows: rows.with(70, 0) },
      '/map/k70/odd': { map: Object.fromEntries(rows.with(80, 0).map((row, i) => [`k${i}`, row])) },
    }
    for (const [path, written] of Object.entries(states)) {
      const backend = make()
      const journal = await openJournal(backend)
      await set(writer(journal), 'branch/main', { '/': written })
      for (const read of [journal, await openJournal(backend)]) {
        const head = (await read.run(findHead(read, 'branch/main')))!
        const error: unknown = await read.run(decodeChild(read.context, head.tree, [])).catch((e: unknown) => e)
        expect(isStateError(error, 'value-unreadable') && error.data).toMatchObject({ path })
      }
    }
  })
})

async function expectWhole(journal: Journal, tree: Link, written: Stored): Promise<void> {
  const stored = await journal.run(valueOfChild(journal.context, tree))
  expect(canonicalText(stored)).toBe(canonicalText(written))
  const decoded = await journal.run(decodeChild(journal.context, tree, []))
  // The assertions of the test runner take a key called "constructor" for the class of a value.
  expect(isDeepStrictEqual(decoded, decode(written))).toBe(true)
}

/** Reads the nodes on the way to one place, so that some of the tree is in memory as nodes. */
function* parseSome({ context }: Journal, tree: Link, place: number): Work<void> {
  let child: Child = tree
  for (;;) {
    if (child.kind === 'leaf') return
    const node: Node = child.kind === 'held' ? child.node : yield* nodeOf(context.nodes, child)
    if (!isContainer(node)) return
    const entries: readonly Entry[] = yield* entriesOf(context, node)
    if (entries.length === 0) return
    child = entries[place % entries.length]!.child
  }
}
