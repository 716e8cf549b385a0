/**
 * An operation under an idempotency key, for operations whose call into the library takes none.
 *
 * The one append of the operation carries the key. A repetition does nothing; it is answered from what the first call made, or with
 * `already-done` where the answer cannot be made again, such as a key that is shown once.
 */
import type { Repository } from 'agentstategraph'
import { findDoneOnce, hexOfId, readEntry, repoError } from 'agentstategraph/internal'

/** What the first call under a key has appended. */
export interface Done {
  /** The id of what it made, where that was not given. */
  readonly id: string
  readonly commit: string | undefined
  /** The refs that it moved. */
  readonly refs: readonly string[]
  /** The paths that it changed. */
  readonly changed: readonly string[]
  /** What its entry says. */
  readonly body: unknown
}

interface Repeatable<Input, Context> {
  readonly name: string
  run(repo: Repository, input: Input, context: Context): Promise<unknown>
  again?(repo: Repository, input: Input, done: Done, context: Context): unknown
  readonly steps?: 'first' | 'unkeyed'
}

export async function runOnce<Input, Context>(
  operation: Repeatable<Input, Context>,
  key: string,
  repo: Repository,
  input: Input,
  context: Context,
): Promise<unknown> {
  const once = repo.once(key, [operation.name, input])
  const { journal } = once.handle
  let entry = await journal.run(findDoneOnce(once.handle))
  if (entry === undefined) {
    try {
      return await operation.run(once, input, context)
    } catch (error) {
      if (operation.steps === 'first' && once.handle.once!.isCarried) throw error
      // The same request may have been carried out meanwhile, and be why this one fails.
      entry = await journal.run(findDoneOnce(once.handle))
      if (entry === undefined) throw error
    }
  }
  const { record } = await journal.run(readEntry(entry))
  const done = {
    id: once.handle.once!.id,
    commit: record.commit === undefined ? undefined : hexOfId(record.commit),
    refs: record.moves.map(([name]) => name),
    changed: record.changed ?? [],
    body: record.body,
  }
  const answer = await operation.again?.(repo, input, done, context)
  if (answer === undefined) throw repoError('already-done', { key, entry })
  return answer
}
