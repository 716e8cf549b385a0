/** The conflicts that a merge was refused for; none when it was refused for something else. */
import { Refusal } from '../source/refusal.ts'
import type { Conflict } from '../source/shapes/choices.ts'

export function conflictsIn(error: unknown): readonly Conflict[] {
  const found = error instanceof Refusal ? error.data['conflicts'] : undefined
  return Array.isArray(found) ? (found as readonly Conflict[]) : []
}
