/** The grants that a commit was made under, with the names of their givers and holders. */

import type { StoredCommit, Work } from '../../store/index.ts'
import { currentAccess } from '../access/access-state.ts'
import { findGrant } from '../access/authority.ts'
import type { Accessor } from '../records/accessor.ts'
import { findBody } from '../records/entry-bodies.ts'

/** One grant of the chains that a commit was made under. */
export interface ChainLink {
  readonly grant: string
  readonly from: string
  readonly to: string
}

/** The links as the commit lists them, root first; undefined for one that names none, or names those of another repository. */
export function* namedChain(
  accessor: Accessor,
  { record, entry }: StoredCommit,
): Work<readonly ChainLink[] | undefined> {
  // An imported commit (`via`) names grants of another repository.
  if (record.authority === undefined || findBody(entry, 'commit')?.via !== undefined) return undefined
  const state = yield* currentAccess(accessor)
  if (state === undefined) return undefined
  const links: ChainLink[] = []
  for (const id of record.authority) {
    const grant = yield* findGrant(state, id)
    if (grant !== undefined) links.push({ grant: id, from: grant.from, to: grant.to })
  }
  return links
}
