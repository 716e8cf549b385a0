/** The newest commit of what a view shows, so that the view reads again when its branch moves, and only then. */
import { useChanges } from '../source/changes.ts'
import type { Place } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { type Answer, useAnswer } from './use-answer.ts'

/** Its place in the journal. A commit and a moment of the past do not move: 0. */
export function useHead({ ref, as_of: moment }: Place): Answer<number> {
  const changes = useChanges()
  const isFixed = moment !== undefined || isCommitId(ref)
  return useAnswer(
    `head ${ref} ${moment ?? ''}`,
    async signal => {
      if (isFixed) return 0
      const { items } = await ask('query', { ref, limit: 1 }, signal)
      return items[0]?.seq ?? 0
    },
    isFixed ? 0 : changes,
  )
}

export function isCommitId(ref: string): boolean {
  return /^[0-9a-f]{12,64}$/.test(ref)
}
