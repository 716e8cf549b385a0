/** Merge bases on random graphs of commits, compared with their definition. */
import { expect, it } from 'vitest'
import { mergeBases } from '../../src/repo/merge/merge-bases.ts'
import { pausePoint, type Work } from '../../src/store/index.ts'
import { seeded } from '../store/support/seeded.ts'
import { basesOf } from './support/model/ancestry.ts'

interface Node {
  readonly seq: number
  readonly parents: readonly number[]
}

const graphs = process.env['ASG_SOAK'] === '1' ? 200_000 : 3_000

/** Up to 16 commits; each has up to three parents among the newest ones, or none. */
function randomGraph(random: () => number): readonly Node[] {
  const size = 2 + Math.floor(random() * 15)
  const reach = 1 + Math.floor(random() * size)
  return Array.from({ length: size }, (_, seq) => {
    const many = seq === 0 ? 0 : Math.floor(random() * 4)
    const parents = Array.from({ length: many }, () => Math.max(0, seq - 1 - Math.floor(random() * reach)))
    return { seq, parents: [...new Set(parents)] }
  })
}

/** The bases that the walk finds, newest first. */
function walked(graph: readonly Node[], a: number, b: number): readonly number[] {
  function* read(seq: number): Work<Node> {
    yield pausePoint
    return graph[seq]!
  }
  const walk = mergeBases(graph[a]!, graph[b]!, read)
  let step = walk.next()
  while (!step.done) step = walk.next()
  return step.value.map(base => base.seq)
}

it('the walk finds the common ancestors that are no ancestors of another one, newest first', () => {
  const random = seeded(17)
  for (let i = 0; i < graphs; i++) {
    const graph = randomGraph(random)
    const [a, b] = [Math.floor(random() * graph.length), Math.floor(random() * graph.length)]
    const defined = [...basesOf(graph, a, b)].sort((x, y) => y - x)
    expect(walked(graph, a, b), JSON.stringify({ a, b, graph })).toEqual(defined)
  }
})
