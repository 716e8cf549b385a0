/** Every error of the store layer: its code, what it carries, and its words. */

import { type ErrorMaker, errorsOf, isStateError } from '../core/index.ts'

export interface StoreErrors {
  'object-corrupt': { id: string; seq: number; reason: string }
  'derived-corrupt': { namespace: string; what: string; reason: string }
  // No hashes here: readers get these two who may not read all of the state, and a hash confirms a guess.
  'pack-dropped': { seq: number }
  'state-trimmed': { seq: number; commit?: string | undefined; keep?: string | null }
  'entry-not-found': { seq: number }
  'format-unsupported': { found: number; supported: number }
  'limits-differ': Record<string, never>
  'name-invalid': { what: string; name: string; reason: string }
  'commit-too-large': { what: string; size: number; limit: number }
  'sync-unsupported': { what: string }
  'part-unavailable': { reason: string }
  'journal-replaced': { namespace: string; seq: number }
  'clock-ahead': { clock: string; of: 'store' | 'newest entry'; known: string }
  'journal-ahead': { newest: string; clock: string }
  closed: { what: string }
}

export const storeError: ErrorMaker<StoreErrors> = errorsOf<StoreErrors>({
  'object-corrupt': ({ id, seq, reason }) => [
    `Journal entry ${seq} is damaged: ${reason} (object ${id})`,
    'Nothing was changed. Restore this entry from a backup or from another copy of the repository.',
  ],
  'derived-corrupt': ({ namespace, what, reason }) => [
    `The ${what} of namespace "${namespace}" is damaged: ${reason}.`,
    'Nothing was changed. It is derived from the journal: repair of agentstategraph/maintenance, or asg repair, makes it again.',
  ],
  'pack-dropped': ({ seq }) => [
    `The nodes of journal entry ${seq} are no longer stored`,
    'Garbage collection dropped them. Use a commit that a branch, a tag or a sealed epoch still reaches.',
  ],
  'state-trimmed': ({ seq, commit, keep }) => [
    `The state of ${commit === undefined ? `journal entry ${seq}` : `commit ${commit.slice(0, 12)} (journal entry ${seq})`} is no longer stored${keep === undefined ? '' : keep === null ? ': it was dropped where it was imported from.' : `: retention keeps ${keep}.`}`,
    'The commit is kept with its reason, and blame still names it. Read a branch, a tag, a checkpoint or a newer commit; a copy of the store from before has the state.',
  ],
  'entry-not-found': ({ seq }) => [`The journal has no entry ${seq}.`, 'Sequence numbers start at 1 and have no gaps.'],
  'format-unsupported': ({ found, supported }) => [
    `This namespace has format ${found}, and this version reads format ${supported}.`,
    'Open it with a version of the library that reads its format. Nothing was changed.',
  ],
  'limits-differ': () => [
    'This journal was begun elsewhere, with other limits for its trees, after it was opened here.',
    'Nothing was written. Open it again: it then has the limits it was begun with.',
  ],
  'name-invalid': ({ what, name, reason }) => [
    `${JSON.stringify(name)} is not a name for a ${what}: ${reason}.`,
    'Use one to 512 bytes of Unicode text.',
  ],
  'commit-too-large': ({ what, size, limit }) => [
    `The commit's ${what} is too large: ${size}, and the limit is ${limit}.`,
    'Split it into several commits. Nothing was written.',
  ],
  'journal-replaced': ({ namespace, seq }) => [
    `The journal of namespace "${namespace}" is no longer the one that was opened: entry ${seq}, which was read from it, is not in it. The namespace was dropped and made again, or an older copy of the store took its place.`,
    'Nothing was written, and this handle reads and writes nothing more. Close it, and open the repository again.',
  ],
  'clock-ahead': ({ clock, of, known }) => [
    `The clock here says ${clock}, which is far ahead of the ${of}: ${known}.`,
    of === 'store'
      ? 'Nothing was written, because the time of a journal never runs backwards. Set the clock.'
      : 'The time of a journal never runs backwards. Set the clock, or raise maxClockAheadMs if the store was idle for so long.',
  ],
  'journal-ahead': ({ newest, clock }) => [
    `The newest entry of the journal is of ${newest}, and the clock here says ${clock}. New entries get the time of the newest one.`,
    'A clock was wrong, this one or the one that wrote it. If this one is right, writing can go on; the entries keep their order.',
  ],
  closed: ({ what }) => [`The ${what} is closed.`, 'Open it again, or close it only when nothing uses it any more.'],
  'sync-unsupported': ({ what }) => [
    `${what} cannot be done without waiting: this backend answers with promises.`,
    'Use the asynchronous call.',
  ],
  'part-unavailable': ({ reason }) => [
    `A part of the library could not be loaded: ${reason}`,
    'Nothing was changed. Try again when the page reaches its server; after a new version was published there, reload the page.',
  ],
})

/** Whether a backend refused to write for lack of space: its own limit was reached, or the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return isStateError(error, 'store-full') || isStateError(error, 'disk-full')
}
