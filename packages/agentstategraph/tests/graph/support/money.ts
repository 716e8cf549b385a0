/** A class of a user with its codec. */
import type { ClassCodec } from '../../../src/core/index.ts'

export class Money {
  cents: number
  constructor(cents: number) {
    this.cents = cents
  }
}

export const money: ClassCodec<Money> = {
  type: Money,
  tag: 'money',
  encode: ({ cents }) => cents,
  decode: (cents: number) => new Money(cents),
}
