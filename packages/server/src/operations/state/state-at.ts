/** The state that a call reads: at a ref, or a branch at a point in time. */
import type { Repository, Snapshot } from 'agentstategraph'

export interface Where {
  readonly ref: string
  readonly as_of?: string | undefined
}

/** The ref is resolved once, so everything read from the snapshot comes from one commit. */
export function stateAt(repo: Repository, { ref, as_of }: Where): Snapshot {
  return as_of === undefined ? repo.at(ref) : repo.on(ref).at(new Date(as_of))
}
