/** A thread brought to its end, wherever it stands. */
import type { GraphTypes, Thread } from '../../../src/graph/index.ts'

/** Begins or resumes it and gives every question the same answer. Gives the last state; throws what made it fail. */
export async function runToEnd<G extends GraphTypes, N extends string>(
  thread: Thread<G, N>,
  answer: unknown,
): Promise<G['state']> {
  const isThere = await thread.state().then(
    () => true,
    () => false,
  )
  let now = isThere ? await thread.resume() : await thread.run({})
  while (now.status === 'paused') now = await thread.resume(now.interrupts.map(({ id }) => ({ id, value: answer })))
  if (now.status !== 'done') throw now.status === 'failed' ? now.error : new Error(now.status)
  return now.state
}
