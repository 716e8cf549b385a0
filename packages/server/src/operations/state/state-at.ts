/** The state that a call reads: at a ref, or a branch at a point in time. */
import type { Snapshot } from 'agentstategraph'
import type { OperationContext } from '../operation.ts'

export interface Where {
  readonly ref: string
  readonly as_of?: string | undefined
  readonly namespace?: string | undefined
}

/** The ref is resolved once, so everything read from the snapshot comes from one commit. */
export async function stateAt({ repo }: OperationContext, { ref, as_of, namespace }: Where): Promise<Snapshot> {
  const found = await repo(namespace)
  return as_of === undefined ? found.at(ref) : found.on(ref).at(new Date(as_of))
}
