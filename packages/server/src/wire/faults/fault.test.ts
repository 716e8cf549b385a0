import { StateError } from 'agentstategraph'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { faultOf } from './fault.ts'

test('input that a schema refuses names each field, also those that should not be there', () => {
  const schema = z.strictObject({ path: z.string(), edits: z.array(z.strictObject({ n: z.number() })) })
  const { error } = schema.safeParse({ edits: [{ n: 'one', m: 2 }], extra: 1 })
  const fault = faultOf(error)
  expect(fault).toMatchObject({ code: 'input-invalid', kind: 'usage' })
  const { issues } = fault.data as unknown as { issues: readonly { field: string }[] }
  expect(issues.map(({ field }) => field).sort()).toEqual(['edits.0.m', 'edits.0.n', 'extra', 'path'])
})

test('an empty text is called so', () => {
  const { error } = z.strictObject({ description: z.string().min(1) }).safeParse({ description: '' })
  expect(faultOf(error).message).toBe('The input is not valid: description: it is empty.')
})

test('a list without items is called empty, and what is not there missing', () => {
  const schema = z.strictObject({ edits: z.array(z.string()).min(1), path: z.string(), n: z.number() })
  const { error } = schema.safeParse({ edits: [], n: 'one' })
  expect(faultOf(error).message).toBe(
    'The input is not valid: edits: it is empty; path: it is missing; n: it has to be a number, not a text.',
  )
})

test('what is wrong with a field is said in plain words', () => {
  const schema = z.strictObject({
    confidence: z.number().min(0).max(1),
    count: z.number().int().min(1),
    kind: z.enum(['a', 'b']),
    name: z.string().max(3),
    tags: z.array(z.string()).max(1),
    held: z.boolean(),
    why: z.object({}),
    edit: z.discriminatedUnion('op', [z.object({ op: z.literal('set') }), z.object({ op: z.literal('delete') })]),
  })
  const given = {
    confidence: 85,
    count: 0,
    kind: 'c',
    name: 'four',
    tags: ['x', 'y'],
    held: 'yes',
    why: [],
    edit: { op: 'put' },
  }
  expect(faultOf(schema.safeParse(given).error).message).toBe(
    'The input is not valid: confidence: it is more than 1; count: it is less than 1; kind: it has to be one of a, b; ' +
      'name: it has more than 3 characters; tags: it has more than 1 items; held: it has to be true or false, not a text; ' +
      'why: it has to be an object, not a list; edit.op: it has to be one of set, delete.',
  )
  const { error } = z.number().int().safeParse(1.5)
  expect(faultOf(error).message).toBe('The input is not valid: it has to be a whole number.')
})

test('what an error carries travels as JSON, and what is absent stays absent', () => {
  const conflict = { path: '/n', base: undefined, ours: 10n, theirs: new Date(0) }
  const fault = faultOf(new StateError('merge-conflict', { conflicts: [conflict] }, 'They differ.', 'Decide.'))
  expect(fault).toEqual({
    code: 'merge-conflict',
    kind: 'conflict',
    message: 'They differ.',
    hint: 'Decide.',
    data: { conflicts: [{ path: '/n', ours: { $bigint: '10' }, theirs: { $date: '1970-01-01T00:00:00.000Z' } }] },
  })
})

test('what nobody expected keeps its words to itself', () => {
  const fault = faultOf(new TypeError('the password is sesame'))
  expect(fault).toMatchObject({ code: 'internal', kind: 'internal' })
  expect(JSON.stringify(fault)).not.toContain('sesame')
  expect(faultOf('thrown text').code).toBe('internal')
})

test('what there is to tell has a size: lists end where there is no more room, and say so', () => {
  const conflicts = Array.from({ length: 40_000 }, (_, n) => ({ path: `/large/k${n}`, base: 0, ours: 1, theirs: 2 }))
  const fault = faultOf(
    new StateError('merge-conflict', { source: 'other', conflicts, into: 'main' }, 'm'.repeat(1e6), 'Decide.'),
  )
  expect(JSON.stringify(fault).length).toBeLessThan(2 ** 19)
  const told = fault.data as { conflicts: unknown[]; left_off: number; source: string }
  expect(told).toMatchObject({ source: 'other', conflicts: conflicts.slice(0, told.conflicts.length) })
  expect(told.conflicts.length).toBeGreaterThan(1000)
  expect(told.left_off).toBeGreaterThanOrEqual(40_000 - told.conflicts.length)
})

test('a value too large for a refusal is left off, in whatever form it is', () => {
  const values = [
    'x'.repeat(1e6),
    '\0'.repeat(1e5),
    new Map([['k', 'x'.repeat(1e6)]]),
    new Uint8Array(1e6),
    [['x'.repeat(1e6)]],
  ]
  for (const actual of values) {
    const fault = faultOf(new StateError('precondition-failed', { path: '/a', actual }, 'Failed.', 'Read it.'))
    expect(JSON.stringify(fault).length).toBeLessThan(1000)
    expect(fault.data).toMatchObject({ path: '/a', left_off: 1 })
  }
  const { error } = z.strictObject({}).safeParse({ ['k'.repeat(1e6)]: 1 })
  expect(JSON.stringify(faultOf(error)).length).toBeLessThan(10_000)
})
