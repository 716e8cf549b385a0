import { describe, expect, it } from 'vitest'
import { answerOf, fieldsOf } from './answer-fields.ts'

describe('the form of an answer', () => {
  it('has a field of a fitting kind for each property, and gives the answer back', () => {
    const fields = fieldsOf({
      type: 'object',
      properties: {
        approved: { type: 'boolean' },
        amount: { type: 'number', maximum: 500 },
        channel: { enum: ['card', 'voucher'] },
        note: { type: 'string' },
        lines: { type: 'array' },
      },
      required: ['approved', 'amount'],
    })
    expect(fields.map(({ kind }) => kind)).toEqual(['boolean', 'number', 'choice', 'text', 'json'])
    expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['approved', 'amount'])
    const texts = { 'answer approved': 'on', 'answer amount': '40', 'answer channel': '1', 'answer lines': '[1]' }
    expect(answerOf(fields, texts)).toEqual({ approved: true, amount: 40, channel: 'voucher', lines: [1] })
    expect(answerOf(fields, { 'answer amount': '1' })).toEqual({ approved: false, amount: 1 })
    expect(() => answerOf(fields, { 'answer lines': 'no' })).toThrow('lines is no JSON')
  })

  it('is one field where the answer is one value, or nothing is known of it', () => {
    expect(answerOf(fieldsOf({ type: 'boolean' }), { 'answer ': 'on' })).toBe(true)
    expect(answerOf(fieldsOf({ type: 'string' }), { 'answer ': 'yes' })).toBe('yes')
    expect(answerOf(fieldsOf(undefined), { 'answer ': '{"a":1}' })).toEqual({ a: 1 })
  })
})
