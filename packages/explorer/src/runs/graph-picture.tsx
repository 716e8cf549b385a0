/** A graph, drawn with where a thread is in it. */
import { Drawing } from '../parts/drawing.tsx'
import { Answered } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import type { ThreadState } from '../source/shapes/work.ts'
import { ask } from '../source/source.ts'

export function GraphPicture({ graph, state }: { readonly graph: string; readonly state?: ThreadState }) {
  const answer = useAnswer(`graph ${graph}`, signal => ask('get_graph', { graph }, signal))
  return (
    <Answered
      answer={answer}
      show={({ picture }) => {
        const named = new Set(picture.nodes.map(({ name }) => name))
        const ends = new Set(picture.edges.flatMap(({ from, to }) => [from, to]).filter(name => !named.has(name)))
        const nodes = [...picture.nodes.map(({ name }) => name), ...ends].map(name => ({
          name,
          title: name.replace(/^__(start|end)__$/, '$1'),
          kind: kindOf(name, state),
        }))
        const edges = picture.edges.map(({ from, to, conditional, label }) => ({
          from,
          to,
          label,
          isDashed: conditional,
        }))
        return <Drawing label={`The graph ${graph}${whereIs(state)}`} nodes={nodes} edges={edges} />
      }}
    />
  )
}

function kindOf(name: string, state: ThreadState | undefined): string | undefined {
  if (state?.status === 'failed' && state.node === name) return 'failed'
  return state?.next?.includes(name) ? 'here' : undefined
}

function whereIs(state: ThreadState | undefined): string {
  if (state?.status === 'done') return ', at its end'
  return state?.next === undefined || state.next.length === 0 ? '' : `, at ${state.next.join(', ')}`
}
