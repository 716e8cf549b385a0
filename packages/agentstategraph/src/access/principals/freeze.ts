/** Freezing: stops a principal or a branch at once, whatever the grants say, until it is thawed. */

import { checkOptions, optionsOf } from '../../core/index.ts'
import { assertMay, checkedRefName, type FrozenRecord, type Handle } from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, changeAccess, decidedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { checkedReason } from '../grants/grants.ts'
import { assertPrincipal, findRecord } from '../records.ts'
import { run } from '../run.ts'

/** What `freeze` stops: a principal or a branch. */
export type FreezeTarget = { readonly principal: string } | { readonly branch: string }

const freezeOptions = optionsOf<FreezeTarget>('freeze', { principal: true, branch: true })
const thawOptions = optionsOf<FreezeTarget>('thaw', { principal: true, branch: true })

export interface Freezing {
  freeze(target: FreezeTarget, reason: string): Promise<void>
  thaw(target: FreezeTarget, reason: string): Promise<void>
}

export function freezingOf({ handle }: Pick<Repository, 'handle'>): Freezing {
  return {
    async freeze(target, reason) {
      checkOptions(freezeOptions, target)
      return run(handle, 'freeze', frozen(handle, target, reason))
    },
    async thaw(target, reason) {
      checkOptions(thawOptions, target)
      return run(handle, 'thaw', thawed(handle, target, reason))
    },
  }
}

/** The target of a freeze, and the path of its record. */
interface Place {
  readonly name: string
  readonly path: readonly string[]
  /** The branch that the grant of the caller must cover; undefined for a principal. */
  readonly branch: string | undefined
}

function placeOf(target: FreezeTarget): Place {
  const { principal, branch } = target as { readonly principal?: unknown; readonly branch?: unknown }
  if ((principal === undefined) === (branch === undefined)) {
    throw accessFault('target-invalid', { reason: 'it is not exactly one principal or branch' })
  }
  const name = principal ?? branch
  if (typeof name !== 'string') throw accessFault('target-invalid', { reason: 'its name is no text' })
  if (principal !== undefined) return { name, path: ['frozen', 'principals', name], branch: undefined }
  return { name, path: ['frozen', 'branches', checkedRefName(name)], branch: name }
}

function* frozen(handle: Handle, target: FreezeTarget, reason: string): Work<void> {
  const place = placeOf(target)
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    yield* assertMay(handle, state, { capability: 'admin', branch: place.branch })
    if (place.branch === undefined) yield* assertPrincipal(state, place.name)
    const before = yield* findRecord<FrozenRecord>(state, place.path)
    if (before !== undefined) throw accessFault('frozen-already', { target: place.name, reason: before.reason })
    const record: FrozenRecord = { ...decidedBy(handle), reason: why }
    const edits = [{ set: place.path, value: record }]
    return { description: `Freeze ${place.name}`, reasoning: why, edits, result: undefined }
  })
}

function* thawed(handle: Handle, target: FreezeTarget, reason: string): Work<void> {
  const place = placeOf(target)
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    yield* assertMay(handle, state, { capability: 'admin', branch: place.branch })
    const before = yield* findRecord(state, place.path)
    if (before === undefined) throw accessFault('not-frozen', { target: place.name })
    return { description: `Thaw ${place.name}`, reasoning: why, edits: [{ delete: place.path }], result: undefined }
  })
}
