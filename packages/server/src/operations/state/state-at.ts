/** The state that a call reads: at a ref, or at a branch as it was at a moment. */
import type { Snapshot } from 'agentstategraph'
import type { OperationContext } from '../operation.ts'

export interface Where {
  readonly ref: string
  readonly as_of?: string | undefined
  readonly namespace?: string | undefined
}

/** It is resolved once, so that all that is read of it is of one commit. */
export async function stateAt({ repo }: OperationContext, { ref, as_of, namespace }: Where): Promise<Snapshot> {
  const found = await repo(namespace)
  return as_of === undefined ? found.at(ref) : found.on(ref).at(new Date(as_of))
}
