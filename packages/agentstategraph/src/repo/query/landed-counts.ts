/**
 * How many commits landed in a part of the journal, by agent and by category.
 *
 * The index answers where there is one; elsewhere the entries are read.
 */

import { ask, scanEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { indexUntil } from './index-build.ts'
import { agentTerm, categoryTerm, groups, landedTerm } from './index-terms.ts'
import { isLanded } from './landed.ts'

export interface LandedCounts {
  readonly commits: number
  readonly agents: ReadonlyMap<string, number>
  readonly categories: ReadonlyMap<string, number>
}

export function* landedCounts(handle: Handle, from: number, to: number): Work<LandedCounts> {
  if (!(yield* indexUntil(handle, to))) return yield* countEntries(from, to)
  return {
    commits: yield* countTerm(landedTerm, from, to),
    agents: yield* countNames(groups.agents, agentTerm, from, to),
    categories: yield* countNames(groups.categories, categoryTerm, from, to),
  }
}

function* countNames(
  group: string,
  termOf: (name: string) => string,
  from: number,
  to: number,
): Work<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const { name } of yield* ask(log => log.index!.counts([group]))) {
    const count = yield* countTerm(termOf(name), from, to)
    if (count > 0) found.set(name, count)
  }
  return found
}

function* countTerm(term: string, from: number, to: number): Work<number> {
  const search = { from, to, all: [[term]], none: [], order: 'oldest' as const, limit: Number.MAX_SAFE_INTEGER }
  return (yield* ask(log => log.index!.search(search))).seqs.length
}

function* countEntries(from: number, to: number): Work<LandedCounts> {
  const tally = landedTally()
  yield* scanEntries(from, to, ['text', 'commit'], ({ record, row }) => {
    if (isLanded(record)) tally.add(record.agent, row.commit!.text)
  })
  return tally
}

/** Counts in the making. */
export interface LandedTally extends LandedCounts {
  add(agent: string, commitText: string): void
}

export function landedTally(): LandedTally {
  const agents = new Map<string, number>()
  const categories = new Map<string, number>()
  let commits = 0
  return {
    get commits() {
      return commits
    },
    agents,
    categories,
    add(agent, commitText) {
      const category = categoryIn(commitText)
      commits++
      agents.set(agent, (agents.get(agent) ?? 0) + 1)
      categories.set(category, (categories.get(category) ?? 0) + 1)
    },
  }
}

/**
 * The category in a commit's text, which is canonical: the fields before `intent` hold no objects, and a quote inside a
 * string is always escaped, so the first match is the field itself. Parsing all of each text would take longer than hashing.
 */
const CATEGORY = /"intent":\{"category":("(?:[^"\\]|\\.)*")/

function categoryIn(commitText: string): string {
  return JSON.parse(CATEGORY.exec(commitText)![1]!) as string
}
