/** A graph, drawn with where a thread is in it; the graphs inside its nodes below it. */
import { Drawing } from '../parts/drawing.tsx'
import { Answered } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import type { Picture, ThreadState } from '../source/shapes/work.ts'
import { ask } from '../source/source.ts'

export function GraphPicture({ graph, state }: { readonly graph: string; readonly state?: ThreadState }) {
  const answer = useAnswer(`graph ${graph}`, signal => ask('get_graph', { graph }, signal))
  return (
    <Answered
      answer={answer}
      show={({ picture }) => (
        <OnePicture label={`The graph ${graph}${whereIs(state)}`} picture={picture} inside="" state={state} />
      )}
    />
  )
}

interface OnePictureProps {
  readonly label: string
  readonly picture: Picture
  /** The path of nodes that the graph is inside of, each with a slash after it. */
  readonly inside: string
  readonly state: ThreadState | undefined
}

function OnePicture({ label, picture, inside, state }: OnePictureProps) {
  const named = new Set(picture.nodes.map(({ name }) => name))
  const ends = new Set(picture.edges.flatMap(({ from, to }) => [from, to]).filter(name => !named.has(name)))
  const nodes = [...picture.nodes.map(({ name }) => name), ...ends].map(name => ({
    name,
    title: name.replace(/^__(start|end)__$/, '$1'),
    kind: kindOf(`${inside}${name}`, state),
  }))
  const edges = picture.edges.map(({ from, to, conditional, label }) => ({ from, to, label, isDashed: conditional }))
  return (
    <>
      <Drawing label={label} nodes={nodes} edges={edges} />
      {picture.nodes.map(
        ({ name, subgraph }) =>
          subgraph !== undefined && (
            <section key={name} class="inside">
              <h3>Inside {visible(`${inside}${name}`)}</h3>
              <OnePicture
                label={`Inside ${inside}${name}`}
                picture={subgraph}
                inside={`${inside}${name}/`}
                state={state}
              />
            </section>
          ),
      )}
    </>
  )
}

/** A node inside a node is known by what it asks, or by what failed. */
function kindOf(place: string, state: ThreadState | undefined): string | undefined {
  if (state?.status === 'failed' && state.node === place) return 'failed'
  const asks = state?.interrupts?.some(({ node }) => node === place) === true
  return asks || state?.next?.includes(place) ? 'here' : undefined
}

function whereIs(state: ThreadState | undefined): string {
  if (state?.status === 'done') return ', at its end'
  return state?.next === undefined || state.next.length === 0 ? '' : `, at ${state.next.join(', ')}`
}
