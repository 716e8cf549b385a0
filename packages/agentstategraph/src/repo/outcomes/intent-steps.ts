/**
 * The commits and intents that make up a tree of intents, one after the other, with a cursor for the next page.
 *
 * Commits come first: all landed ones, oldest first, or those that led to a revision, newest first. Then come intents that
 * may have no commit: those that were resolved, and those that were proposed or delegated.
 */

import { coreError } from '../../core/index.ts'
import { ask, pausePoint, readEntry, type StoredCommit, scanEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { indexUntil } from '../query/index-build.ts'
import { resolvedTerm } from '../query/index-terms.ts'
import { query } from '../query/query.ts'
import { locate, type Revision } from '../query/revision.ts'
import { bodyOf } from '../records/entry-bodies.ts'
import { ancestry } from '../visibility/ancestry.ts'
import { type Commit, commitFrom } from '../visibility/commit.ts'
import { branchScopeOfCommit } from '../visibility/names-of-commit.ts'
import { type BranchScope, readScopeOf } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { delegatedIntents } from './intent-lookup.ts'

/** An intent of the tree, with one of its commits where it has any. */
export interface IntentStep {
  readonly intent: string
  readonly commit?: Commit
}

/** Steps that can be continued after a cursor. */
export interface IntentSteps {
  next(): Work<IntentStep | undefined>
  cursor(): string
}

/** The steps of all intents, or of one and those below it. */
export function* intentSteps(handle: Handle, intent: string | undefined, after: string | undefined): Work<IntentSteps> {
  const [name = 'c', place = ''] = after === undefined ? [] : splitCursor(after, /^([crd])(.*)$/s)
  const phases: Readonly<Record<string, Phase>> = {
    c: commitSteps(handle, intent),
    // An intent that is below another has a commit, or was delegated.
    ...(intent === undefined ? { r: resolvedSteps(handle) } : {}),
    d: delegatedSteps(handle),
  }
  const waiting = Object.keys(phases)
  waiting.splice(0, waiting.indexOf(name) + 1)
  const start = phases[name]
  if (start === undefined) throw badCursor(after!)
  let phase = name
  let steps = yield* start(place)
  return {
    *next(): Work<IntentStep | undefined> {
      for (;;) {
        const step = yield* steps.next()
        if (step !== undefined) return step
        const following = waiting.shift()
        if (following === undefined) return undefined
        phase = following
        steps = yield* phases[phase]!('')
      }
    },
    cursor: () => phase + steps.cursor(),
  }
}

type Phase = (place: string) => Work<IntentSteps>

function commitSteps(handle: Handle, intent: string | undefined): Phase {
  return function* (place): Work<IntentSteps> {
    const filter = intent === undefined ? {} : { intent }
    const commits = yield* query(handle, { ...filter, order: 'oldest' }, place === '' ? undefined : seqIn(place))
    return {
      *next(): Work<IntentStep | undefined> {
        const stored = yield* commits.next()
        if (stored === undefined) return undefined
        const view = yield* branchScopeOfCommit(handle, stored)
        return stepOf(yield* commitFrom(handle.journal, stored, view))
      },
      cursor: () => String(commits.last()),
    }
  }
}

/** How many resolutions are looked up at once. */
const RESOLUTIONS = 64

/** The intents of all resolutions. */
function resolvedSteps(handle: Handle): Phase {
  return function* (place): Work<IntentSteps> {
    const { seq: newest } = yield* ask(log => log.head())
    const hasIndex = yield* indexUntil(handle, newest)
    let last = place === '' ? 0 : seqIn(place)
    let edge = last
    let waiting: number[] = []
    return {
      *next(): Work<IntentStep | undefined> {
        while (waiting.length === 0) {
          if (edge >= newest) return undefined
          const seqs = hasIndex
            ? yield* indexedResolutions(edge + 1, newest)
            : yield* scannedResolutions(edge + 1, newest)
          edge = seqs.length < RESOLUTIONS ? newest : seqs.at(-1)!
          waiting = seqs.toReversed()
        }
        last = waiting.pop()!
        return { intent: bodyOf((yield* readEntry(last)).record, 'resolve').intent }
      },
      cursor: () => String(last),
    }
  }
}

function* indexedResolutions(from: number, to: number): Work<readonly number[]> {
  const search = { from, to, all: [[resolvedTerm]], none: [], order: 'oldest' as const, limit: RESOLUTIONS }
  return (yield* ask(log => log.index!.search(search))).seqs
}

function* scannedResolutions(from: number, to: number): Work<readonly number[]> {
  const seqs: number[] = []
  yield* scanEntries(from, to, ['text'], ({ seq, record }) => {
    if (record.kind === 'resolve' && seqs.length < RESOLUTIONS) seqs.push(seq)
  })
  return seqs
}

/** The intents that were proposed or delegated, by id. */
function delegatedSteps(handle: Handle): Phase {
  return function* (place): Work<IntentSteps> {
    const ids = (yield* delegatedIntents(handle)).map(({ id }) => id)
    const waiting = ids.filter(id => id > place).sort((a, b) => (a < b ? 1 : -1))
    let last = place
    return {
      *next(): Work<IntentStep | undefined> {
        yield pausePoint
        const intent = waiting.pop()
        if (intent === undefined) return undefined
        last = intent
        return { intent }
      },
      cursor: () => last,
    }
  }
}

/** The steps of the commits that led to a revision. */
export function* intentStepsTo(handle: Handle, from: Revision, after: string | undefined): Work<IntentSteps> {
  const { commit: head, names } = yield* locate(handle, from)
  const view = (yield* readScopeOf(handle))?.on(names)
  if (view !== undefined) return yield* scopedSteps(handle, head, view, after)
  const [seqs] = after === undefined ? [] : splitCursor(after, /^f((?:\d{1,15}(?:\.\d{1,15})*)?)$/)
  const walk = ancestry(handle, seqs === undefined ? [head.seq] : seqs === '' ? [] : seqs.split('.').map(Number), false)
  return {
    *next(): Work<IntentStep | undefined> {
      const stored = yield* walk.next()
      return stored && stepOf(yield* commitFrom(handle.journal, stored, view))
    },
    cursor: () => `f${walk.frontier().join('.')}`,
  }
}

/**
 * The same for a reader with a scope. Its cursor is the number of the last commit that it was shown: where the walk stands would
 * tell of commits that it may not see, and a made-up place could lead to them. So a page walks again from the head.
 */
function* scopedSteps(
  handle: Handle,
  head: StoredCommit,
  view: BranchScope,
  after: string | undefined,
): Work<IntentSteps> {
  const [place] = after === undefined ? [] : splitCursor(after, /^s(\d{1,15})$/)
  let last = place === undefined ? head.seq + 1 : Number(place)
  const walk = ancestry(handle, [head.seq], false)
  return {
    *next(): Work<IntentStep | undefined> {
      for (let stored = yield* walk.next(); stored !== undefined; stored = yield* walk.next()) {
        if (stored.seq >= last || !(yield* isReadableCommit(handle.journal, stored, view))) continue
        last = stored.seq
        return stepOf(yield* commitFrom(handle.journal, stored, view))
      }
      return undefined
    },
    cursor: () => `s${last}`,
  }
}

function stepOf(commit: Commit): IntentStep {
  return { intent: commit.intent.id, commit }
}

function seqIn(place: string): number {
  const [seq] = splitCursor(place, /^(\d{1,15})$/)
  return Number(seq)
}

function splitCursor(cursor: string, pattern: RegExp): readonly string[] {
  const found = pattern.exec(cursor)
  if (found === null) throw badCursor(cursor)
  return found.slice(1)
}

function badCursor(cursor: string): Error {
  return coreError('option-invalid', { field: 'after', reason: `"${cursor}" is not one that a page of this tree gave` })
}
