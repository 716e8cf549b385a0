/** Commits whose size is the number of places that they touch. */
import { schemas } from 'agentstategraph/schema'
import { each, keyOf, listOf, mapOf, numbered, rowsOf } from './numbered.mjs'

/** One commit is timed, on a state that has `before(n)` at `/at`. */
const commit = (work, size, change, before) => ({
  work,
  size,
  async prepare(repo, n) {
    await repo.set('/first', 1, 'Begin')
    if (before !== undefined) await repo.set('/at', before(n), 'Make room')
    return () => repo.commit('Change', tx => change(tx, n))
  },
})

/** What one side and the other make of `base(n)` is merged. */
const merge = (work, size, base, ours, theirs, policy) => ({
  work,
  size,
  async prepare(repo, n) {
    await repo.set('/at', base(n), 'Begin')
    const side = await repo.branch('side')
    await repo.set('/at', ours(n), 'Ours')
    await side.set('/at', theirs(n), 'Theirs')
    const policies = policy === undefined ? {} : { '/at': policy }
    return () => repo.merge('side', { description: 'Merge', policies })
  },
})

/** A number below n for each below n, in no order. */
const shuffled = (i, n) => (i * 7919) % n

export const edits = [
  commit('sets below a map that is not there', 4000, (tx, n) => each(n, i => tx.set(`/new/${keyOf(i)}`, i))),
  commit('sets far below a map that is not there', 4000, (tx, n) => each(n, i => tx.set(`/a/b/c/${keyOf(i)}`, i))),
  commit('sets below a map that is set first', 4000, (tx, n) => {
    tx.set('/new', mapOf(n))
    each(n, i => tx.set(`/new/${keyOf(i)}`, -i))
  }),
  commit('sets in a map', 4000, (tx, n) => each(n, i => tx.set(`/at/${keyOf(i)}`, -i - 1)), mapOf),
  commit(
    'deletes in a map',
    4000,
    (tx, n) => each(n, i => tx.delete(`/at/${keyOf(i)}`)),
    n => mapOf(n + 1),
  ),
  commit('deletes in a map that is set first', 4000, (tx, n) => {
    tx.set('/new', mapOf(n + 1))
    each(n, i => tx.delete(`/new/${keyOf(i)}`))
  }),
  commit('appends to a list that is not there', 4000, (tx, n) => each(n, i => tx.set('/new/-', i))),
  commit('appends to a list', 4000, (tx, n) => each(n, i => tx.set('/at/-', i)), listOf),
  commit('sets of elements, in no order', 4000, (tx, n) => each(n, i => tx.set(`/at/${shuffled(i, n)}`, -1)), listOf),
  commit('sets inside elements', 4000, (tx, n) => each(n, i => tx.set(`/at/${shuffled(i, n)}/n`, -1)), rowsOf),
  commit(
    'deletes of the first element',
    4000,
    (tx, n) => each(n, () => tx.delete('/at/0')),
    n => listOf(n + 1),
  ),
  commit(
    'deletes of elements, in no order',
    4000,
    (tx, n) => each(n, i => tx.delete(`/at/${shuffled(i, n - i)}`)),
    listOf,
  ),
  commit(
    'inserts in no order',
    4000,
    (tx, n) => each(n, i => tx.apply([{ op: 'add', path: `/at/${shuffled(i, n)}`, after: -i - 1 }])),
    listOf,
  ),
  ...['get', 'has', 'list'].map(read =>
    commit(
      `${read} and set in one transaction`,
      1000,
      async (tx, n) => {
        for (let i = 0; i < n; i++) {
          await tx[read](`/at/${keyOf(i)}`)
          tx.set(`/at/${keyOf(i)}`, -i)
        }
      },
      mapOf,
    ),
  ),
  commit('get and set in one transaction, below a map that is not there', 1000, async (tx, n) => {
    for (let i = 0; i < n; i++) await tx.set(`/new/${keyOf(i)}`, i).get(`/new/${keyOf(i)}`)
  }),
  {
    work: 'sets that a schema checks',
    size: 1000,
    async prepare(repo, n) {
      await repo.set('/at', mapOf(n), 'Begin')
      const schema = { type: 'object', additionalProperties: { type: 'integer' } }
      await schemas(repo).attach('/at', schema, {}, 'Attach')
      return () => repo.commit('Change', tx => each(n, i => tx.set(`/at/${keyOf(i)}`, -i - 1)))
    },
  },
  merge(
    'merge of keys',
    2000,
    mapOf,
    n => alternating(n, 0),
    n => alternating(n, 1),
  ),
  merge(
    'merge of elements',
    1000,
    rowsOf,
    n => rowsOf(n, i => i % 4 === 0),
    n => rowsOf(n, i => i % 4 === 2),
  ),
  merge(
    'merge of lists that grew',
    2000,
    () => [],
    listOf,
    n => numbered(n, i => -i - 1),
    'append',
  ),
]

function alternating(n, rest) {
  return Object.fromEntries(numbered(n, i => [keyOf(i), i % 2 === rest ? -i - 1 : i]))
}
