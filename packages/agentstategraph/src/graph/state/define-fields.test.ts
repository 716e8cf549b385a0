import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { jsonSchema } from '../../core/index.ts'
import type { StateFields } from '../model/state-fields.ts'
import { defineFields } from './define-fields.ts'
import { findReducer, type ReducerSpec } from './reducers/named.ts'
import { readSource, type Source } from './source.ts'

function fieldsOf(
  state: unknown,
  reducers: Readonly<Record<string, ReducerSpec>> = {},
  more: { readonly input?: unknown; readonly output?: unknown } = {},
): StateFields {
  const source = (from: unknown): Source | undefined => (from === undefined ? undefined : (readSource(from) as Source))
  return defineFields({
    source: source(state)!,
    reducers: new Map(Object.entries(reducers).map(([name, spec]) => [name, findReducer(spec)!])),
    input: source(more.input),
    output: source(more.output),
  })
}

const opaque = {
  '~standard': {
    version: 1,
    vendor: 'somebody',
    validate: (value: { prompt?: unknown; notes?: unknown; draft?: unknown; count?: unknown }) => {
      const { prompt, notes = [], draft = '', count = 0 } = value
      const issues = [
        ...(typeof prompt === 'string' ? [] : [{ message: 'no text', path: ['prompt'] }]),
        ...(typeof count === 'number' ? [] : [{ message: 'no number', path: [{ key: 'count' }] }]),
      ]
      return issues.length > 0 ? { issues } : { value: { prompt, notes, draft, count } }
    },
  },
}

const definitions = {
  zod: z.object({
    prompt: z.string(),
    notes: z.array(z.string()).default([]),
    draft: z.string().default(''),
    count: z.number().default(0),
  }),
  valibot: v.object({
    prompt: v.string(),
    notes: v.optional(v.array(v.string()), []),
    draft: v.optional(v.string(), ''),
    count: v.optional(v.number(), 0),
  }),
  arktype: type({
    prompt: 'string',
    notes: type('string[]').default(() => []),
    draft: "string = ''",
    count: 'number = 0',
  }),
  'a JSON Schema': jsonSchema({
    type: 'object',
    properties: {
      prompt: { type: 'string' },
      notes: { type: 'array', items: { type: 'string' }, default: [] },
      draft: { $ref: '#/$defs/text', default: '' },
      count: { type: 'number', default: 0 },
    },
    required: ['prompt'],
    $defs: { text: { type: 'string' } },
  }),
  'any Standard Schema': opaque,
}

for (const [name, state] of Object.entries(definitions)) {
  describe(`fields from ${name}`, () => {
    const fields = fieldsOf(state, { notes: 'append' })
    const begun = (): Record<string, unknown> => fields.begin({ prompt: 'x' }) as Record<string, unknown>

    it('begin with the input and the defaults', () => {
      expect(begun()).toEqual({ prompt: 'x', notes: [], draft: '', count: 0 })
      expect(fields.begin({ prompt: 'x', notes: ['a'] })).toMatchObject({ notes: ['a'] })
    })

    it('refuse an input that does not fit, naming all places', () => {
      expect(() => fields.begin({ count: 'many' })).toThrow(/input.*\/prompt.*\/count|input.*\/count.*\/prompt/)
      expect(() => fields.begin({ prompt: 'x', promt: 'y' })).toThrow("'promt' is not a field of the state")
      expect(() => fields.begin('x')).toThrow('it is a string, and has to be an object of fields')
    })

    it('apply updates through reducers, and share what is equal', () => {
      const state = begun()
      const { state: next, changes } = fields.apply(state, { notes: ['a'], draft: 'd' }, 'write') as never
      expect(next).toEqual({ prompt: 'x', notes: ['a'], draft: 'd', count: 0 })
      expect(changes).toEqual([
        { op: 'set', path: ['notes', '-'], value: 'a' },
        { op: 'set', path: ['draft'], value: 'd' },
      ])
      expect(fields.apply(next, { draft: 'd', count: undefined }, 'write')).toEqual({ state: next, changes: [] })
    })

    it('refuse an update that does not fit, and leave the state as it was', () => {
      const state = begun()
      expect(() => fields.apply(state, { count: 'many' }, 'count')).toThrow(
        'The update of count cannot be applied: /count',
      )
      expect(() => fields.apply(state, { drft: 'x' }, 'write')).toThrow(
        "'drft' is not a field of the state. Did you mean 'draft'?",
      )
      for (const update of [null, 1, 'x', [1], new Map(), () => 1]) {
        expect(() => fields.apply(state, update, 'write')).toThrow('has to be an object of fields')
      }
      expect(fields.apply(state, undefined, 'write')).toEqual({ state, changes: [] })
      expect(state).toEqual({ prompt: 'x', notes: [], draft: '', count: 0 })
    })

    it('name field and node when a reducer fails', () => {
      expect(() => fields.apply(begun(), { notes: 'a' }, 'write')).toThrow(
        "The reducer of 'notes' (append) cannot apply what write returned: append takes a list, and was given a string",
      )
    })

    it('go on with more input through the reducers', () => {
      const { state } = fields.apply(begun(), { notes: ['a'], count: 3 }, 'n') as { state: Record<string, unknown> }
      const { state: next } = fields.resume(state, { prompt: 'y', notes: ['b'] }) as { state: unknown }
      expect(next).toEqual({ prompt: 'y', notes: ['a', 'b'], draft: '', count: 3 })
    })
  })
}

describe('fields', () => {
  it('from initial values know names only', () => {
    const initial = { list: [1], at: new Date(5), text: '' }
    const fields = fieldsOf(initial)
    const state = fields.begin(undefined) as typeof initial
    initial.list.push(2)
    expect(state).toEqual({ list: [1], at: new Date(5), text: '' })
    expect(() => fields.begin({ txt: 'x' })).toThrow("Did you mean 'text'?")
    expect(fields.apply(state, { text: 5 }, 'n')).toMatchObject({ state: { text: 5 } })
  })

  it('the first write goes through the reducer, over what the field begins as', () => {
    const fields = fieldsOf({ n: 10, log: ['began'], best: '' }, {
      n: 'sum',
      log: (b: string[], d: string) => [...b, d],
      best: 'first',
    } as never)
    const state = fields.begin({ n: 1, log: 'input', best: 'a' }) as never
    expect(state).toEqual({ n: 11, log: ['began', 'input'], best: 'a' })
    expect(fields.apply(state, { best: 'b' }, 'n')).toMatchObject({ state: { best: 'a' }, changes: [] })
  })

  it('a function is itself, whatever it is called', () => {
    const append = (base: readonly number[], delta: readonly number[]): readonly number[] => [...delta, ...base]
    const fields = fieldsOf(z.object({ list: z.array(z.number()).default([1]) }), { list: append })
    expect(fields.begin({ list: [2] })).toEqual({ list: [2, 1] })
    expect(fields.apply({ list: [1] }, { list: [2] }, 'n')).toMatchObject({ state: { list: [2, 1] } })
  })

  it('what a schema makes of a value is what is kept', () => {
    const fields = fieldsOf(
      z.object({ n: z.coerce.number().default(0), o: z.object({ a: z.number() }).default({ a: 0 }) }),
      { o: 'merge' },
    )
    const state = fields.begin({ n: '3' }) as never
    expect(state).toEqual({ n: 3, o: { a: 0 } })
    expect(fields.apply(state, { n: '4', o: { a: 2, b: 1 } }, 'n')).toEqual({
      state: { n: 4, o: { a: 2 } },
      changes: [
        { op: 'set', path: ['n'], value: 4 },
        { op: 'set', path: ['o'], value: { a: 2 } },
      ],
    })
  })

  it('rules over several fields are asked about the whole state', () => {
    const ordered = z
      .object({ from: z.number().default(0), to: z.number().default(1) })
      .refine(s => s.from <= s.to, 'from is after to')
    const fields = fieldsOf(ordered)
    const state = fields.begin({}) as never
    expect(() => fields.apply(state, { from: 5 }, 'n')).toThrow('from is after to')
    expect(() => fields.begin({ from: 5 })).toThrow('from is after to')
    const schema = jsonSchema({ properties: { a: { default: 1 }, b: {} }, dependentRequired: { b: ['c'] } })
    expect(() => fieldsOf(schema).begin({ b: 1 })).toThrow("has to have 'c'")
  })

  it('optional fields may be absent, strict and loose objects are what they say', () => {
    expect(fieldsOf(z.object({ a: z.string().optional() })).begin({})).toEqual({})
    expect(fieldsOf(v.object({ a: v.exactOptional(v.string()) })).begin({})).toEqual({})
    expect(fieldsOf(type({ 'a?': 'string' })).begin({})).toEqual({})
    expect(() => fieldsOf(z.strictObject({ a: z.string() })).begin({ a: '', b: 1 })).toThrow("'b' is not a field")
    const loose = fieldsOf(z.looseObject({ a: z.string() }))
    expect(loose.names).toBeUndefined()
    expect(loose.apply(loose.begin({ a: 'x' }) as never, { b: 1 }, 'n')).toMatchObject({ state: { a: 'x', b: 1 } })
  })

  it('schemas that answer with promises work, and say so by giving one', async () => {
    const fields = fieldsOf(
      z.object({ a: z.string().refine(async text => text !== 'bad', 'is bad'), b: z.number().default(1) }),
      { b: 'sum' },
    )
    const state = await fields.begin({ a: 'x' })
    expect(state).toEqual({ a: 'x', b: 1 })
    await expect(fields.begin({ a: 'bad' })).rejects.toThrow('is bad')
    await expect(fields.apply(state, { a: 'bad' }, 'n')).rejects.toThrow('is bad')
    expect(await fields.apply(state, { a: 'good', b: 2 }, 'n')).toMatchObject({ state: { a: 'good', b: 3 } })
  })

  it('input and output have schemas of their own', () => {
    const state = z.object({ prompt: z.string().default(''), draft: z.string().default(''), n: z.number().default(0) })
    const fields = fieldsOf(
      state,
      {},
      {
        input: z.object({ prompt: z.string(), n: z.number().default(7) }),
        output: z.object({ draft: z.string().min(1) }),
      },
    )
    const begun = fields.begin({ prompt: 'x' }) as never
    expect(begun).toEqual({ prompt: 'x', draft: '', n: 7 })
    expect(() => fields.begin({ draft: 'x' })).toThrow("'draft' is not a field of the state")
    const { state: later } = fields.apply(begun, { draft: 'd', n: 8 }, 'n') as never
    expect(fields.output(later)).toEqual({ draft: 'd' })
    expect(() => fields.output(begun)).toThrow('does not fit the schema of the output: /draft')
    expect(fields.resume(later, { prompt: 'y' })).toMatchObject({ state: { prompt: 'y', n: 8 } })
  })

  it('tell which fields of an update have no reducer', () => {
    expect(fieldsOf({ a: 1, b: 1, c: 1 }, { b: 'sum' }).plain({ a: 1, b: 1, c: undefined })).toEqual(['a'])
  })

  it('states are frozen and alias nothing that can change', () => {
    const fields = fieldsOf({ list: [] as unknown[], map: new Map() }, { list: 'append' })
    const map = new Map([['a', 1]])
    const entry = { n: 1 }
    const { state } = fields.apply(fields.begin({}) as never, { list: [entry], map }, 'n') as never as {
      state: { list: object[]; map: Map<string, number> }
    }
    map.set('b', 2)
    expect(() => entry.n++).toThrow(TypeError)
    expect(state.map.size).toBe(1)
    expect(Object.isFrozen(state) && Object.isFrozen(state.list)).toBe(true)
  })

  it('appending asks about what is new, and about the whole list only where it has rules of its own', () => {
    const asked: unknown[] = []
    const element = z.string().refine(text => asked.push(text) > 0)
    const free = fieldsOf(z.object({ list: z.array(element).default([]) }), { list: 'append' })
    const state = free.begin({ list: ['a', 'b'] }) as never
    asked.length = 0
    expect(free.apply(state, { list: ['c'] }, 'n')).toMatchObject({ state: { list: ['a', 'b', 'c'] } })
    expect(asked).toEqual(['c'])
    for (const schema of [
      z.object({ list: z.array(z.string()).max(2).default([]) }),
      v.object({ list: v.optional(v.pipe(v.array(v.string()), v.maxLength(2)), []) }),
      jsonSchema({ properties: { list: { type: 'array', maxItems: 2, default: [] } } }),
      type({ list: 'string[] <= 2' }),
    ]) {
      const bound = fieldsOf(schema, { list: 'append' })
      expect(() => bound.apply(bound.begin({ list: ['a', 'b'] }) as never, { list: ['c'] }, 'n')).toThrow('/list')
    }
  })

  it('what was kept by another version of the graph is taken over', () => {
    const fields = fieldsOf(z.object({ a: z.number().default(1), b: z.string() }))
    expect(fields.inherit({ old: true, a: 5 })).toEqual({ a: 5 })
    expect(fields.inherit({ b: 'x' })).toEqual({ a: 1, b: 'x' })
  })
})
