/**
 * Adding entries that hold no commit: refs that move by themselves, observations, epochs, events.
 *
 * The counterpart of `land`: the caller states the access requests of its entries, and the gate authorizes them.
 */

import {
  appendEntries,
  type EntriesOptions,
  type Move,
  type NewRecord,
  type Recorded,
  type Work,
} from '../../store/index.ts'
import { lastAccess } from '../access/access-state.ts'
import { type Admission, type Authorization, admit, forgetAccess, openAdmission } from '../access/admit.ts'
import { addedBy, movedRefs, ratedBy } from '../access/rate.ts'
import { noteRefusal } from '../access/refusals.ts'
import { accessError } from '../records/access-errors.ts'
import type { Accessor } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'

import { accessRef, grantNameOf, ratePrefix } from '../records/ref-names.ts'
import type { RequiredApproval } from '../records/required-approval.ts'
import { redactRefusal } from '../visibility/redact-refusal.ts'
import { noteCarried, requestToCarry } from './carry-request.ts'
import { isOpen } from './land.ts'

export interface EntryOptions extends EntriesOptions {
  readonly moves?: readonly Move[]
}

/** What is asked for, and in whose name where that is not the entry's. */
export type AskedFor = Omit<Authorization, 'agent'> & Partial<Authorization>

/** Adds entries. What is asked for may depend on what the access state is like, and is then given as work. */
export function* recordEntries(
  accessor: Accessor,
  asked: readonly AccessRequest[] | (() => AskedFor | Work<AskedFor>),
  given: readonly NewRecord[],
  { moves = [], ...options }: EntryOptions = {},
): Work<Recorded> {
  const [first, ...rest] = given
  const { agent } = first!
  const request = first!.request ?? (accessor.once && requestToCarry(accessor.once))
  const records: readonly NewRecord[] = request === undefined ? given : [{ ...first!, request }, ...rest]
  const judged = function* (): Work<Authorization> {
    const askedFor = typeof asked === 'function' ? asked() : { requests: asked, changes: [] }
    return { agent, ...('requests' in askedFor ? askedFor : yield* askedFor) }
  }
  for (;;) {
    if (accessor.shared.access.seq === undefined) yield* lastAccess(accessor)
    const { guard, grants } = isOpen(accessor) ? openAdmission : yield* admitted(accessor, judged, moves)
    const rated = grants && (yield* ratedBy(accessor, grants, () => addedBy(records.length, 0, movedRefs(moves))))
    const all = [...moves, ...(rated?.moves ?? []), guard]
    const outcome = yield* appendEntries(accessor.journal, records, all, { ...options, checkSize: rated?.checkSize })
    if (accessor.once !== undefined) noteCarried(accessor.once, outcome)
    if (outcome.kind !== 'moved') return outcome
    if (outcome.name === accessRef) forgetAccess(accessor)
    else if (!outcome.name.startsWith(ratePrefix)) return outcome
  }
}

function* admitted(accessor: Accessor, judged: () => Work<Authorization>, moves: readonly Move[]): Work<Admission> {
  try {
    const admission = yield* admit(accessor, judged)
    if (admission.requiredApproval !== undefined) assertOnlyTold(admission.requiredApproval, yield* judged())
    return admission
  } catch (error) {
    const [branch] = moves.flatMap(({ name }) => grantNameOf(name) ?? [])
    throw yield* redactRefusal(accessor, branch, yield* noteRefusal(accessor, error))
  }
}

/** What needs an approval cannot be an entry, unless it changes no state and no ref of others but only tells something. */
function assertOnlyTold({ rule }: RequiredApproval, { requests, changes }: Authorization): void {
  const other = requests.find(({ capability }) => capability !== 'commit')
  if (changes.length === 0 && other === undefined) return
  const what = changes[0] === undefined ? `The capability ${other!.capability}` : `Moving "${changes[0].branch}"`
  throw accessError('proposal-impossible', { what, ...(rule === undefined ? {} : { rule }) })
}
