/**
 * Graphs beside the same graphs in LangGraphJS: a chain, a loop whose list grows, a wide fan-out, many threads.
 *
 * Nodes do next to nothing, so what is timed is what the engine and its store do around them. Every run is checked for its
 * result.
 */
import { openTheirPlace, theirChain, theirFanOut, theirLoop, theirOneStep } from '../graph-langgraph.mjs'
import { openOurPlace, ourChain, ourFanOut, ourLoop, ourOneStep } from '../graph-ours.mjs'
import { rateRatio, takeTurns } from '../measure.mjs'
import { bytes, cpuTime, oursAtMost, ratioAtMost } from '../reach.mjs'

export const name = 'graph'

const loopSteps = 400
const itemBytes = 1024

export const reach = {
  step: ratioAtMost(1 / 5, '≤ 1/5'),
  growth: oursAtMost(3 * loopSteps * itemBytes, '≤ 3× the data'),
  task: oursAtMost(0.2e-3, '≤ 0.2 ms a task'),
  stored: oursAtMost(1e6, '≤ 1 MB'),
}

const kinds = [
  ['none', 'nothing kept'],
  ['memory', 'in memory'],
  ['sqlite', 'SQLite'],
]

export async function run({ driver, makeFolder, size }) {
  const rows = []
  for (const [kind, words] of kinds) {
    const context = { kind, words, driver, makeFolder }
    rows.push(...(await chain(context, Math.max(3, size(100)))))
    rows.push(...(await loop(context, Math.max(4, size(loopSteps)))))
    rows.push(...(await fanOut(context, Math.max(10, size(1000)))))
    rows.push(...(await manyThreads(context, Math.max(10, size(1000)))))
  }
  return {
    rows,
    sides: [
      { side: 'ours', driver: driver.name },
      { side: 'LangGraphJS with MemorySaver or SqliteSaver', driver: driver.name },
    ],
  }
}

/** Times runs of both sides in turns. Each side is `(place) => run(id)`, and a run counts as so many of what is told. */
async function compare({ kind, driver, makeFolder }, { ours, theirs, per, runs = 1, check, ...turns }) {
  const ourPlace = await openOurPlace(kind, makeFolder(), driver)
  const theirPlace = openTheirPlace(kind, makeFolder(), driver)
  const sideOf = (side, runOne) => ({
    name: side,
    count: per * runs,
    // What the other one holds in memory would be collected on our time.
    prepare: () => theirPlace.rest(),
    async run(from) {
      for (let i = 0; i < runs; i++) check(await runOne(`thread-${from}-${i}`))
    },
  })
  const times = await takeTurns([sideOf('ours', ours(ourPlace)), sideOf('theirs', theirs(theirPlace))], turns)
  const total = (turns.slices + turns.warmups) * runs
  const [ourBytes, theirBytes] = [await ourPlace.bytes(), theirPlace.bytes()]
  await ourPlace.close()
  theirPlace.close()
  return {
    times: {
      ours: cpuTime(times.ours),
      other: cpuTime(times.theirs),
      ratio: 1 / rateRatio(times.ours.cpu, times.theirs.cpu),
    },
    /** Of one run. */
    bytes: ourBytes === undefined ? undefined : { ours: bytes(ourBytes / total), other: bytes(theirBytes / total) },
  }
}

function checkThat(holds) {
  return result => {
    if (!holds(result)) throw new Error('A run of a graph came to another end.')
  }
}

async function chain(context, length) {
  const { times } = await compare(context, {
    ours: place => ourChain(place, length),
    theirs: place => theirChain(place, length),
    per: length,
    slices: 15,
    warmups: 10,
    check: checkThat(({ count }) => count === length),
  })
  return [{ work: `a step, in a chain of ${length}, ${context.words}, against LangGraphJS`, ...times, reach: 'step' }]
}

async function loop(context, length) {
  const makeItem = n => String(n).padStart(itemBytes, '.')
  const { times, bytes } = await compare(context, {
    ours: place => ourLoop(place, length, makeItem),
    theirs: place => theirLoop(place, length, makeItem),
    per: length,
    slices: 3,
    warmups: 4,
    check: checkThat(({ items }) => items.length === length),
  })
  const work = `a step, in a loop of ${length} that adds 1 KB each, ${context.words}, against LangGraphJS`
  const rows = [{ work, ...times, reach: 'step' }]
  if (bytes !== undefined) rows.push({ work: 'its bytes stored', ...bytes, reach: 'growth' })
  return rows
}

async function fanOut(context, width) {
  const shared = 'shared '.repeat(15_000).slice(0, 100 * 1024)
  const rows = []
  for (const isSent of [false, true]) {
    const { times, bytes } = await compare(context, {
      ours: place => ourFanOut(place, width, shared, isSent),
      theirs: place => theirFanOut(place, width, shared),
      per: width,
      slices: 3,
      warmups: 2,
      check: checkThat(({ sizes }) => sizes.length === width && sizes[width - 1] === shared.length + width - 1),
    })
    const how = isSent ? 'sent along' : 'in the state'
    rows.push({
      work: `a task, of ${width} with 100 KB ${how}, ${context.words}, against LangGraphJS`,
      ...times,
      reach: 'task',
    })
    if (bytes !== undefined) rows.push({ work: 'its bytes stored', ...bytes, reach: 'stored' })
  }
  return rows
}

async function manyThreads(context, count) {
  const rows = []
  for (const durability of context.kind === 'none' ? [undefined] : [undefined, 'exit']) {
    const { times } = await compare(context, {
      ours: place => ourOneStep(place, durability),
      theirs: theirOneStep,
      per: 1,
      runs: Math.ceil(count / 25),
      slices: 15,
      warmups: 10,
      check: checkThat(({ text, length }) => text.length === length),
    })
    const how = durability === undefined ? '' : ' kept when it ends,'
    const work = `a thread of one step, of ${count},${how} ${context.words}, against LangGraphJS`
    rows.push({ work, ...times, reach: 'step' })
  }
  return rows
}
