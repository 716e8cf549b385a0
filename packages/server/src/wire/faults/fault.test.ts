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
