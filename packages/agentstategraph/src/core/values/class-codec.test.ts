import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, type Stored } from '../text/stored.ts'
import { type ClassCodec, ClassTable } from './class-codec.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

class Money {
  readonly cents: bigint
  readonly currency: string
  constructor(cents: bigint, currency: string) {
    this.cents = cents
    this.currency = currency
  }
  plus({ cents }: Money): Money {
    return new Money(this.cents + cents, this.currency)
  }
}

/** Holds other values, and hides them. */
class Box {
  readonly #content: unknown
  constructor(content: unknown) {
    this.#content = content
  }
  open(): unknown {
    return this.#content
  }
}

class HttpError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const money: ClassCodec<Money> = {
  type: Money,
  tag: 'money',
  encode: ({ cents, currency }) => [cents, currency],
  decode: ([cents, currency]: [bigint, string]) => new Money(cents, currency),
}
const box: ClassCodec<Box> = {
  type: Box,
  tag: 'box',
  encode: one => one.open() as Stored,
  decode: content => new Box(content),
}
const httpError: ClassCodec<HttpError> = {
  type: HttpError,
  tag: 'HttpError',
  encode: ({ status, message, stack }) => ({ status, message, stack }),
  decode: ({ status, message, stack }) => Object.assign(new HttpError(status, message), { stack }),
}
const classes = new ClassTable([money, box, httpError])

const leaf = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 5 }),
  fc.constantFrom(null, undefined, new Date(0), -0),
  fc.tuple(fc.bigInt(), fc.string({ maxLength: 3 })).map(([cents, currency]) => new Money(cents, currency)),
  fc.tuple(fc.nat(599), fc.string({ maxLength: 3 })).map(([status, message]) => new HttpError(status, message)),
)
const values = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('value').map(content => new Box(content)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', '$class', '__proto__'), tie('value')),
    tie('value').map(value => new Map([[value, new Set([value])]])),
  ),
})).value

describe('instances of registered classes', () => {
  it('come back as instances with what they held, and are stored the same again', () => {
    fc.assert(
      fc.property(values, value => {
        const stored = encode(value, { classes })
        const read = decode(JSON.parse(canonicalText(stored)) as Stored, classes)
        expect(canonicalText(encode(read, { classes }))).toBe(canonicalText(stored))
      }),
      { numRuns: 500 },
    )
    const read = decode(encode({ price: new Box(new Money(5n, 'EUR')) }, { classes }), classes) as { price: Box }
    expect(read.price).toBeInstanceOf(Box)
    expect((read.price.open() as Money).plus(new Money(1n, 'EUR')).cents).toBe(6n)
    const error = decode(encode(new HttpError(404, 'gone'), { classes }), classes) as HttpError
    expect([error instanceof HttpError, error.status, error.message]).toEqual([true, 404, 'gone'])
  })

  it('are stored under their tag', () => {
    expect(encode(new Money(5n, 'EUR'), { classes })).toEqual({ $class: ['money', [{ $bigint: '5' }, 'EUR']] })
  })
})

describe('what is refused', () => {
  function refusals(value: unknown, table?: ClassTable): unknown {
    try {
      encode(value, { classes: table, at: ['kept'] })
    } catch (e) {
      return (e as { data: { refused: unknown } }).data.refused
    }
    return undefined
  }

  it('an instance whose class is not registered, with what to do', () => {
    expect(refusals({ a: new Money(1n, ''), b: [new HttpError(1, '')] })).toEqual([
      { path: '/kept/a', type: 'an instance of Money', remedy: expect.stringContaining('Register its class') },
      { path: '/kept/b/0', type: 'an error, HttpError', remedy: expect.stringContaining('Register its class') },
    ])
  })

  it('an instance of a subclass, of which the codec would lose a part', () => {
    class Bond extends Money {}
    expect(refusals(new Bond(1n, 'EUR'), classes)).toMatchObject([{ type: 'an instance of Bond' }])
  })

  it('what encode gives and cannot be stored, named by class and path, together with all else', () => {
    expect(refusals([new Box({ f: () => 1 }), new Box(Symbol('s'))], classes)).toMatchObject([
      { path: '/kept/0/<box>/f', type: 'a function' },
      { path: '/kept/1/<box>', type: 'a symbol' },
    ])
  })

  it('an instance that holds itself', () => {
    const content: unknown[] = []
    const held = new Box(content)
    content.push(held)
    expect(refusals(held, classes)).toMatchObject([{ path: '/kept/<box>/0', type: expect.stringContaining('back') }])
  })

  it('an instance whose encode throws, with what it threw', () => {
    const broken = new ClassTable([{ ...money, encode: () => JSON.parse('{') }])
    expect(refusals({ m: new Money(1n, ''), f: () => 1 }, broken)).toMatchObject([
      { path: '/kept/f' },
      { path: '/kept/m', type: expect.stringContaining('SyntaxError') },
    ])
  })
})

describe('what is not read', () => {
  const stored = { at: [encode(new Money(1n, 'EUR'), { classes })] }

  it.each([
    ['no codec', undefined, 'no codec has that tag'],
    ['codecs of other classes', new ClassTable([box]), 'no codec has that tag'],
    [
      'a codec whose decode throws',
      new ClassTable([
        {
          ...money,
          decode() {
            throw new RangeError('no such currency')
          },
        },
      ]),
      'RangeError: no such currency',
    ],
    [
      'a codec whose decode gives something else',
      new ClassTable([{ ...money, decode: () => 1 }]),
      'no instance of Money',
    ],
  ])('an instance, with %s: the error names place, tag and remedy', (_, table, reason) => {
    expect(() => decode(stored, table)).toThrow(
      expect.objectContaining({
        code: 'value-unreadable',
        data: { path: '/at/0', tag: '$class', class: 'money', reason: expect.stringContaining(reason) },
        hint: expect.stringContaining('tag: "money"'),
      }),
    )
  })
})

describe('registering', () => {
  const refused = (codecs: unknown, reason: string): void =>
    expect(() => new ClassTable(codecs as ClassCodec[])).toThrow(
      expect.objectContaining({ code: 'class-invalid', message: expect.stringContaining(reason) }),
    )

  it('refuses a tag that two have, a class that has two, and what is no codec', () => {
    refused([money, { ...box, tag: 'money' }], 'another class has this tag')
    refused([money, { ...money, tag: 'cash' }], 'the class Money has a codec already')
    refused([{ ...money, tag: '' }], 'its tag is no text')
    refused([{ ...money, tag: '\ud800' }], 'its tag is no text')
    refused([{ ...money, tag: 'x'.repeat(257) }], 'more than 256 bytes')
    refused([{ ...money, type: () => 1 }], 'its type is no class')
    refused([{ ...money, decode: undefined }], 'it needs encode and decode')
    refused([{ ...money, type: Date }], 'Date is stored without a codec')
    refused([{ ...money, type: TypeError }], 'TypeError is stored without a codec')
    refused([null], 'it is no object')
  })

  it('takes the same codec twice, and adds all of a list or none', () => {
    const table = new ClassTable([money, money])
    expect(() => table.add([box, { ...httpError, tag: 'money' }])).toThrow()
    expect(table.find('box')).toBeUndefined()
    table.add([money, box])
    expect(table.find('box')).toBe(box)
  })
})
