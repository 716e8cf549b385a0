/** Whatever a node reads, and of whatever states: what the cache gives is what the node would give. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StateGraph } from '../../src/graph/index.ts'

const keys = ['a', 'b', '0', '1', 'length', 'constructor', 'toString'] as const

type Read = (value: unknown) => unknown

/** Ways to look at a value that do not follow it further down. */
const looks: Readonly<Record<string, Read>> = {
  kind: value => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value),
  truth: value => Boolean(value),
  keys: value => (isObject(value) ? Object.keys(value) : undefined),
  forIn: value => {
    const names: string[] = []
    if (isObject(value)) for (const name in value) names.push(name)
    return names
  },
  spread: value => (isObject(value) ? Object.keys({ ...value }).length : undefined),
  text: value => JSON.stringify(value),
  length: value => (Array.isArray(value) ? value.length : undefined),
  iterated: value => (Array.isArray(value) ? [...value].map(kindOf) : undefined),
  mapped: value => (Array.isArray(value) ? value.map(kindOf) : undefined),
  last: value => (Array.isArray(value) ? kindOf(value.at(-1)) : undefined),
  holds1: value => (Array.isArray(value) ? value.includes(1) : undefined),
  entries: value =>
    isObject(value) ? Object.entries(value).map(([key, part]) => `${key} ${kindOf(part)}`) : undefined,
  descriptors: value => (isObject(value) ? Object.keys(Object.getOwnPropertyDescriptors(value)) : undefined),
  isMap: value => isObject(value) && Object.getPrototypeOf(value) === Object.prototype,
}

/** Ways to look for a key. */
const lookups: Readonly<Record<string, (value: object, key: string) => unknown>> = {
  get: (value, key) => kindOf((value as Record<string, unknown>)[key]),
  in: (value, key) => key in value,
  hasOwn: (value, key) => Object.hasOwn(value, key),
  descriptor: (value, key) => Object.getOwnPropertyDescriptor(value, key) !== undefined,
  reflect: (value, key) => Reflect.has(value, key),
  enumerable: (value, key) => Object.prototype.propertyIsEnumerable.call(value, key),
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function kindOf(value: unknown): string {
  return isObject(value) ? 'container' : typeof value === 'function' ? 'function' : String(value)
}

interface Step {
  readonly path: readonly string[]
  readonly look: string
  readonly key: string
  /** Only looked at when the result so far has an even length: what is read depends on what was found. */
  readonly isConditional: boolean
}

/** A node that looks at its state as these steps say, and gives what it saw. */
function readerOf(steps: readonly Step[]): (state: { readonly x: unknown; readonly y: unknown }) => string {
  return state => {
    let seen = ''
    for (const { path, look, key, isConditional } of steps) {
      if (isConditional && seen.length % 2 === 1) continue
      let value: unknown = state
      for (const segment of path) value = isObject(value) ? value[segment] : undefined
      if (looks[look] !== undefined) seen += JSON.stringify(looks[look](value))
      else seen += isObject(value) ? JSON.stringify(lookups[look]!(value, key)) : kindOf(value)
      seen += ';'
    }
    return seen
  }
}

const steps = fc.array(
  fc.record({
    path: fc
      .tuple(fc.constantFrom('x', 'y'), fc.array(fc.constantFrom(...keys), { maxLength: 2 }))
      .map(([field, below]) => [field, ...below]),
    look: fc.constantFrom(...Object.keys(looks), ...Object.keys(lookups), ...Object.keys(lookups)),
    key: fc.constantFrom(...keys),
    isConditional: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Values in which the same parts are often at the same places. Keys are sorted: their order is none of a state's content. */
const { value: values } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, 0, 1, '', 'ab', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 3, selector: ([key]) => key })
      .map(entries => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))),
  ),
}))

it('a cached answer is the answer', async () => {
  const states = fc.array(fc.record({ x: values, y: values }), { minLength: 2, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, states, async (chosen, given) => {
      const read = readerOf(chosen)
      const app = new StateGraph({ state: { x: null as unknown, y: null as unknown, seen: '' } })
        .addNode('read', s => ({ seen: read(s) }), { cache: {} })
        .compile()
      for (const input of given) expect((await app.run(input)).seen).toBe(read(input))
    }),
    { numRuns: 150 },
  )
})

it('a context that the node looks at is a part of what it read', async () => {
  let ran = 0
  const app = new StateGraph({ state: { n: 0, seen: '' } })
    .addNode(
      'greets',
      (_s, { context }) => {
        ran++
        return { seen: `for ${(context as { user: string }).user}` }
      },
      { cache: {} },
    )
    .addNode('counts', s => ({ n: s.n + ++ran }), { cache: {} })
    .addEdge('greets', 'counts')
    .compile()
  const seenBy = async (user: string) => (await app.run({}, { context: { user } as never })).seen
  expect([await seenBy('Ann'), await seenBy('Bob'), await seenBy('Ann')]).toEqual(['for Ann', 'for Bob', 'for Ann'])
  expect(ran).toBe(3)
})
