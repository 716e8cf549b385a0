/**
 * The floor of what a commit computes: by hand, the texts and hashes that one changed leaf makes anew, and nothing else.
 *
 * As many as a commit of ours has: the service, its group and the root, each with the leaf of its record; the text of the
 * commit, the entry with its place in the log, and the digest and check of the pack. Nothing is looked up, checked or stored.
 */
import { hash, randomBytes } from 'node:crypto'
import { makeState, pathOfStep, valueOfStep } from './state.mjs'

const idOf = data => hash('sha256', data, 'base64url')

/** Opens a floor over the state of the benchmarks. */
export function openJsFloor() {
  const groups = new Map()
  for (const [name, services] of Object.entries(makeState())) {
    const lines = new Map(
      Object.entries(services).map(([key, value]) => [key, lineOf(key, idOf(JSON.stringify(value)))]),
    )
    groups.set(name, { services, lines })
  }
  const root = new Map([...groups].map(([name, { lines }]) => [name, lineOf(name, idOf(textOf(lines)))]))
  let parent = idOf('')
  let last = parent

  function step(index) {
    const [group, service, field] = pathOfStep(index)
    const { services, lines } = groups.get(group)
    const changed = { ...services[service], [field]: valueOfStep(index) }
    services[service] = changed
    const leaf = idOf(JSON.stringify(['map', {}, changed]))
    lines.set(service, lineOf(service, leaf))
    const middle = idOf(textOf(lines))
    root.set(group, lineOf(group, middle))
    const top = idOf(textOf(root))
    const records = [leaf, middle, top].map(id => idOf(`\0${id}`))
    const pack = idOf(`\x01${records.join('')}`)
    const check = idOf(`\0${pack}`).slice(0, 8)
    const time = new Date().toISOString()
    const intent = { category: 'Refine', description: 'Follow the load', id: randomBytes(16).toString('hex') }
    const salt = randomBytes(16).toString('hex')
    const text = JSON.stringify({ agent: 'agent/keeper', intent, parents: [parent], salt, time, tree: top, v: 2 })
    parent = idOf(text)
    const moves = [['branch/main', index, 0]]
    const entry = JSON.stringify({ agent: 'agent/keeper', changed: [`/${group}`], commit: parent, moves, pack, time })
    last = idOf(`\0${entry}${check}`)
  }

  return {
    run(from, count) {
      for (let index = from; index < from + count; index++) step(index)
      return last
    },
  }
}

function lineOf(key, id) {
  return `"${key}":"${id}"`
}

function textOf(lines) {
  return `["map",{${[...lines.values()].join(',')}},{}]`
}
