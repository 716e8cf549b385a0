/** What blocks what, drawn from left to right. */
import { Drawing } from '../parts/drawing.tsx'
import type { Task } from '../source/shapes/work.ts'

export function Blockers({ tasks }: { readonly tasks: readonly Task[] }) {
  const edges = tasks.flatMap(({ id, blocked_by }) => blocked_by.map(from => ({ from, to: id })))
  if (edges.length === 0) return null
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const nodes = tasks
    .filter(({ id }) => linked.has(id))
    .map(({ id, title, status }) => ({ name: id, title: `${id} ${title}`, kind: status }))
  return (
    <>
      <h3>What blocks what</h3>
      <Drawing label="What blocks what" nodes={nodes} edges={edges} />
    </>
  )
}
