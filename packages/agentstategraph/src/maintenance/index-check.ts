/**
 * Checking the query index against the journal.
 *
 * An index at a mark is a function of the entries up to it, so it is made once more, in memory, and both are asked for
 * every term and every count.
 */

import { type Handle, indexUntil } from '../repo/index.ts'
import { work } from '../store/contract/work.ts'
import { asyncIndex, type IndexSearch, type Log, type LogIndex } from '../store/index.ts'
import { memoryIndex } from '../store/memory/memory-index.ts'
import type { DamageList } from './damage.ts'

const WHERE = 'query index'

/** Reports where the index does not say what the journal says. A place without an index has nothing to check. */
export async function checkIndex(handle: Handle, damage: DamageList): Promise<void> {
  const { journal } = handle
  const { log } = journal
  if (log.index === undefined) return
  const mark = await log.index.mark()
  const made = madeAnew()
  // The journal as it was when the index was at its mark.
  const past: Log = { ...log, sync: undefined, index: made.index, head: async () => ({ seq: mark, time: 0 }) }
  await work(indexUntil(handle, mark), past, journal.nodes.loader)
  for (const term of made.terms) {
    const [found, expected] = [await seqsOf(log.index, term, mark), await seqsOf(made.index, term, mark)]
    const missing = [...expected].find(seq => !found.has(seq))
    if (missing !== undefined) damage.add(WHERE, `it does not list entry ${missing} under "${term}"`)
    const wrong = [...found].find(seq => !expected.has(seq))
    if (wrong !== undefined) damage.add(WHERE, `it lists entry ${wrong} under "${term}"`)
  }
  for (const group of made.groups) {
    const [found, expected] = [await log.index.counts(group), await made.index.counts(group)]
    if (JSON.stringify(found) !== JSON.stringify(expected)) damage.add(WHERE, `its counts of "${group}" are wrong`)
  }
}

/** An index in memory that remembers what it was told of. */
function madeAnew(): { readonly index: LogIndex; readonly terms: Set<string>; readonly groups: Set<string> } {
  const memory = memoryIndex()
  const terms = new Set<string>()
  const groups = new Set<string>()
  const index = asyncIndex({
    ...memory,
    add(batch) {
      for (const row of batch.rows) for (const term of row.terms) terms.add(term)
      for (const { group } of batch.counts) groups.add(group)
      return memory.add(batch)
    },
  })
  return { index, terms, groups }
}

async function seqsOf(index: LogIndex, term: string, mark: number): Promise<ReadonlySet<number>> {
  const search: IndexSearch = {
    from: 1,
    to: mark,
    all: [[term]],
    none: [],
    order: 'oldest',
    limit: Number.MAX_SAFE_INTEGER,
  }
  return new Set((await index.search(search)).seqs)
}
