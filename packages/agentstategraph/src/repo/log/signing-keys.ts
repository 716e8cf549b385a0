/**
 * The keys that sign a log: entries of kind `key`, on the ref `system/keys`.
 *
 * A verifier gets the first key from outside the log. An entry adds a key and retires another; a note after it holds the
 * head that both have signed. Each entry moves the ref to itself and so names the one before it: no search is needed.
 */

import { ask, type Journal, type JournalEntry, readEntry, type Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import { bodyOf, findBody } from '../records/entry-bodies.ts'
import { keysRef } from '../records/ref-names.ts'
import { priorOf } from './epoch-entry.ts'

/** A replacement of keys. */
export interface KeyChange {
  readonly seq: number
  readonly add: readonly string[]
  readonly retire: readonly string[]
  /** Absent when the process ended before it had both signatures. */
  readonly signed?: { readonly seq: number; readonly note: string } | undefined
}

/** All changes of keys, oldest first. */
export function* keyChanges(): Work<readonly KeyChange[]> {
  const changes: KeyChange[] = []
  let signed: KeyChange['signed']
  let at = yield* ask(log => log.ref(keysRef))
  while (at !== null) {
    const { record }: JournalEntry = yield* readEntry(at)
    const note = findBody(record, 'note')?.signed
    if (note !== undefined) signed = { seq: at, note }
    else {
      const { add, retire } = bodyOf(record, 'key')
      changes.push({ seq: at, add, retire, signed })
      signed = undefined
    }
    at = priorOf(record, keysRef)
  }
  return changes.reverse()
}

/** The change by which a key was retired for good, if it was. */
function* findRetirement(key: string): Work<KeyChange | undefined> {
  let retired: KeyChange | undefined
  for (const change of yield* keyChanges()) {
    if (change.retire.includes(key)) retired = change
    if (change.add.includes(key)) retired = undefined
  }
  return retired
}

interface Asked {
  /** The position of the ref of keys. */
  readonly at: number | null
  readonly key: string
  readonly retired: KeyChange | undefined
}

/** The last answer, because a signer needs it before every head and keys rarely change. */
const asked = new WeakMap<Journal, Asked>()

/** Throws when a key was retired before the entry that it would sign. It still signs the entry that retires it. */
export function* assertNotRetired(journal: Journal, key: string, size: number): Work<void> {
  const at = yield* ask(log => log.ref(keysRef))
  let known = asked.get(journal.opened)
  if (known === undefined || known.at !== at || known.key !== key) {
    known = { at, key, retired: at === null ? undefined : yield* findRetirement(key) }
    asked.set(journal.opened, known)
  }
  const { retired } = known
  if (retired !== undefined && size > retired.seq) throw repoError('key-retired', { key, entry: retired.seq })
}
