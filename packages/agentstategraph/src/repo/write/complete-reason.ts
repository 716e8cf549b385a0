/**
 * What a commit says was considered and not done.
 *
 * A speculation among the alternatives is kept by the commits it led from and to, so that what it would have changed can
 * be read when its ref is long gone.
 */

import { hexOfId } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import {
  type Alternative,
  type Category,
  type ConsideredSpeculation,
  checkedText,
  givenInfo,
  type Reason,
  reasonOf,
  type StoredAlternative,
  type Why,
} from '../records/info.ts'
import { assertNoExposure } from '../visibility/assert-reads.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { getKnownSpeculation, idOfSpeculation } from './speculation.ts'

const MAX_LABEL_BYTES = 256
const MAX_WHY_NOT_BYTES = 64 * 1024

/** Checks and completes a why, its alternatives included. `category` is the one used when the caller names none. */
export function* completeReason(handle: Handle, why: Why, category: Category): Work<Reason> {
  const stored: StoredAlternative[] = []
  const needs: number[] = []
  for (const one of givenInfo(why).alternatives ?? []) stored.push(yield* storedAlternative(handle, one, needs))
  const reason = reasonOf(handle, why, category, stored)
  return needs.length === 0 ? reason : { ...reason, needs }
}

/** Adds to `needs` the entries of the commits that it names. */
function* storedAlternative(
  handle: Handle,
  alternative: Alternative | ConsideredSpeculation,
  needs: number[],
): Work<StoredAlternative> {
  if ('id' in alternative) return yield* storedSpeculation(handle, alternative.id, alternative.label, needs)
  const { speculation } = alternative
  const label = checkedText('label of an alternative', alternative.label ?? '', MAX_LABEL_BYTES)!
  const whyNot = checkedText('whyNot of an alternative', alternative.whyNot, MAX_WHY_NOT_BYTES)
  const stored =
    speculation === undefined ? { label } : yield* storedSpeculation(handle, idOfSpeculation(speculation), label, needs)
  return whyNot === undefined ? stored : { ...stored, whyNot }
}

function* storedSpeculation(
  handle: Handle,
  id: string,
  label: string | undefined,
  needs: number[],
): Work<StoredAlternative> {
  const { head, base, body } = yield* getKnownSpeculation(handle, id)
  // What it would have changed is read with the commit that names it.
  yield* assertNoExposure(handle, yield* readScopeOf(handle), [body.branch], handle.branch)
  needs.push(head.seq, base.seq)
  return {
    label: label ?? id,
    root: hexOfId(head.record.tree),
    commit: hexOfId(head.id),
    base: hexOfId(base.id),
  }
}
