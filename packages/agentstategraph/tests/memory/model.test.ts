/** A random program of reads, changes in place, sets, deletes, checkpoints, rollbacks and reopenings, against a copy. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agent, Versioned } from '../../src/memory/index.ts'
import { open } from '../../src/repository/index.ts'
import { allStores } from '../repo/support/open-stores.ts'

const keys = ['a', 'b', 'c', '$d', '__proto__', 'e/f']
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 0, -0, Number.NaN, Infinity, 5n, '', 'text', '$x'),
  fc.integer(),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array({ maxLength: 4 }),
  fc
    .constantFrom(
      () => new URL('https://example.com/x'),
      () => /x/gi,
    )
    .map(make => make()),
  fc.array(fc.double(), { maxLength: 3 }).map(numbers => new Float64Array(numbers)),
)
const { value: anyValue } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('x', 'y', '$z', 'w'), tie('value'), { maxKeys: 4 }),
    fc.array(fc.tuple(fc.string({ maxLength: 2 }), tie('value')), { maxLength: 3 }).map(pairs => new Map(pairs)),
    fc.array(fc.integer(), { maxLength: 3 }).map(items => new Set(items)),
  ),
}))

type Step =
  | { readonly do: 'set'; readonly key: string; readonly value: unknown }
  | { readonly do: 'delete' | 'read'; readonly key: string }
  | { readonly do: 'mutate'; readonly key: string; readonly way: number; readonly value: unknown }
  | { readonly do: 'update'; readonly key: string; readonly value: unknown }
  | { readonly do: 'checkpoint' | 'reopen' | 'rollback' | 'task' }

const key = fc.constantFrom(...keys)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set' as const), key, value: anyValue }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'read' as const), key }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('mutate' as const), key, way: fc.nat(7), value: anyValue }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), key, value: anyValue }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('checkpoint', 'checkpoint', 'reopen', 'rollback', 'task'),
    }) as fc.Arbitrary<Step>,
  },
)

const keeper = agent('keeper', { state: {} as Record<string, unknown> })

/** Changes something inside a value, if there is something to change. */
function mutate(value: unknown, way: number, fresh: unknown): void {
  if (Array.isArray(value)) {
    if (way === 0) value.push(fresh)
    else if (way === 1) value.shift()
    else if (way === 2) value.splice(1, 1, fresh, fresh)
    else if (way === 3) value.reverse()
    else mutate(value[0], way, fresh)
  } else if (value instanceof Map) {
    if (way < 3) value.set('k', fresh)
    else if (way === 3) value.delete([...value.keys()][0])
    else mutate([...value.values()][0], way, fresh)
  } else if (value instanceof Set) value.add(way)
  else if (value instanceof Date) value.setTime(way)
  else if (ArrayBuffer.isView(value)) (value as Uint8Array).fill(way)
  else if (value instanceof URL) value.hash = `${way}`
  else if (value instanceof RegExp) value.lastIndex = way
  else if (typeof value === 'object' && value !== null) {
    const inside = value as Record<string, unknown>
    if (way < 3) inside['x'] = fresh
    else if (way === 3) delete inside['x']
    // The order of keys is not part of a value.
    else mutate(inside[Object.keys(inside).sort()[0]!], way, fresh)
  }
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** A copy with nothing in common, by what vitest compares; `structuredClone` has no URL. */
function copyOf(value: unknown): unknown {
  if (value instanceof URL) return new URL(value)
  if (Array.isArray(value)) return value.map(copyOf)
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [k, copyOf(v)]))
  if (value instanceof RegExp) return Object.assign(new RegExp(value), { lastIndex: value.lastIndex })
  if (typeof value !== 'object' || value === null || !isPlain(value)) return structuredClone(value)
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copyOf(v)]))
}

function plain(state: object): Map<string, unknown> {
  return new Map(
    Object.keys(state)
      .sort()
      .map(name => [name, (state as Record<string, unknown>)[name]]),
  )
}

it.each(allStores)('a memory on $name is what a plain object would be', async store => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
      const repo = await open(store.newStore())
      let memory = await Versioned.open(repo)
      let state = await memory.of(keeper)
      let model = new Map<string, unknown>()
      const kept: { id: string; model: Map<string, unknown> }[] = []
      const keep = async (id: string): Promise<void> => {
        kept.push({ id, model: copyOf(model) as Map<string, unknown> })
      }
      for (const one of steps) {
        if (one.do === 'set') {
          state[one.key] = copyOf(one.value)
          model.set(one.key, copyOf(one.value))
        } else if (one.do === 'delete') {
          delete state[one.key]
          model.delete(one.key)
        } else if (one.do === 'read') {
          expect(Object.hasOwn(state, one.key) ? state[one.key] : undefined).toEqual(model.get(one.key))
        } else if (one.do === 'mutate' && model.has(one.key)) {
          mutate(state[one.key], one.way, copyOf(one.value))
          mutate(model.get(one.key), one.way, copyOf(one.value))
        } else if (one.do === 'update' && model.has(one.key)) {
          await memory.update(keeper, one.key, draft => mutate(draft, 0, copyOf(one.value)))
          mutate(model.get(one.key), 0, copyOf(one.value))
        } else if (one.do === 'checkpoint') {
          const before = kept.at(-1)?.model ?? new Map()
          const written = await memory.checkpoint('Keep')
          if (written === undefined) expect(model).toEqual(before)
          else await keep(written.id)
          expect(await memory.checkpoint('Again')).toBeUndefined()
        } else if (one.do === 'reopen') {
          memory = await Versioned.open(repo)
          state = await memory.of(keeper)
          model = copyOf(kept.at(-1)?.model ?? new Map()) as Map<string, unknown>
        } else if (one.do === 'rollback' && kept.length > 0) {
          const to = kept[Math.floor(kept.length / 2)]!
          const written = await memory.rollback(to.id, 'Go back')
          state = await memory.of(keeper)
          model = copyOf(to.model) as Map<string, unknown>
          await keep(written.id)
        }
        expect(plain(state)).toEqual(new Map([...model].sort(([a], [b]) => (a < b ? -1 : 1))))
      }
      for (const { id, model: past } of kept) {
        expect(plain((await memory.checkout(id)).of(keeper))).toEqual(
          new Map([...past].sort(([a], [b]) => (a < b ? -1 : 1))),
        )
      }
      await repo.close()
    }),
    { numRuns: store.name === 'SQLite' ? 30 : 80 },
  )
})
