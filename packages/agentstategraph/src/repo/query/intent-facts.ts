/**
 * What a filter about intents needs to know of the journal, read from all of its entries.
 *
 * For walks, and for places without an index: an index knows the same by its terms.
 */

import { ask, type JournalEntry, scanEntries, type Work } from '../../store/index.ts'
import { findBody } from '../records/entry-bodies.ts'
import type { IntentFacts, Matcher } from './filter.ts'

export function* intentFacts({ intents, isDeviated }: Matcher): Work<IntentFacts> {
  if (intents.length === 0 && isDeviated === undefined) return { below: undefined, deviated: undefined }
  const children = new Map<string, Set<string>>()
  const deviated = new Set<string>()
  const { seq: last } = yield* ask(log => log.head())
  yield* scanEntries(1, last, ['text', 'commit'], entry => {
    const link = linkIn(entry)
    if (link?.parent !== undefined) addTo(children, link.parent, link.id)
    const resolved = deviationIn(entry)
    if (resolved !== undefined) deviated.add(resolved)
  })
  return { below: intents.length === 0 ? undefined : intents.map(roots => closure(roots, children)), deviated }
}

/** The intent of an entry's commit, and the one above it. */
function linkIn({ row }: JournalEntry): { readonly id: string; readonly parent?: string } | undefined {
  if (row.commit === undefined) return undefined
  return (JSON.parse(row.commit.text) as { intent: { id: string; parent?: string } }).intent
}

/** The intent that an entry resolves with deviations. */
export function deviationIn({ record }: JournalEntry): string | undefined {
  const { intent, deviations = [] } = findBody(record, 'resolve') ?? {}
  return deviations.length === 0 ? undefined : intent
}

function addTo(children: Map<string, Set<string>>, parent: string, child: string): void {
  const known = children.get(parent)
  if (known === undefined) children.set(parent, new Set([child]))
  else known.add(child)
}

/** Everything reached from some starts. A set's iteration goes on to what is added meanwhile. */
function closure(starts: readonly string[], next: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set(starts)
  for (const one of reached) for (const other of next.get(one) ?? []) reached.add(other)
  return reached
}
