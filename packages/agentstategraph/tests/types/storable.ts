/** What `Storable` lets through and what it says of the rest. Checked by the compiler alone. */
import type { ClassCodec, Storable, Value } from 'agentstategraph'
import type { Equal } from './equal.ts'

class Money {
  readonly cents: number = 0
  plus(other: Money): Money {
    return other
  }
}
class Handle {
  release(): void {}
}
class Data {
  readonly n: number = 0
}

declare module 'agentstategraph' {
  interface StorableClasses {
    money: Money
  }
}

type IsStorable<T> = T extends Storable<T> ? true : false

interface State {
  title: string
  when: Date | null
  seen: Map<string, Set<bigint>>
  place: readonly [number, number]
  failures: (Error | RangeError)[]
  bytes: Uint8Array
  page?: URL
  nested: { list: readonly { pattern: RegExp }[] }
}

export const storable: true[] = [
  true satisfies IsStorable<State>,
  true satisfies IsStorable<Value>,
  true satisfies IsStorable<unknown>,
  // A class with a codec, once it is declared; its instances inside others too.
  true satisfies IsStorable<Money>,
  true satisfies IsStorable<{ prices: Map<string, Money>; last: Money | undefined }>,
  // The compiler cannot tell a class of data alone from a plain object; encode can.
  true satisfies IsStorable<Data>,
]

export const refused: false[] = [
  false satisfies IsStorable<() => void>,
  false satisfies IsStorable<{ deep: { callback(): number }[] }>,
  false satisfies IsStorable<symbol>,
  false satisfies IsStorable<{ later: Promise<number> }>,
  false satisfies IsStorable<Map<string, () => void>>,
  false satisfies IsStorable<Set<symbol>>,
  false satisfies IsStorable<readonly [number, Handle]>,
  false satisfies IsStorable<WeakMap<object, number>>,
]

export const messages: true[] = [
  true satisfies Equal<Storable<() => void>, 'a function cannot be stored: keep it in Live, or make the key transient'>,
  true satisfies Equal<Storable<Promise<1>>, 'a promise cannot be stored: await it first'>,
  true satisfies Equal<Storable<symbol>, 'a symbol cannot be stored: use a string'>,
  true satisfies Equal<Storable<{ a: number }>, { a: number }>,
]

export const codecs: readonly ClassCodec[] = [
  { type: Money, tag: 'money', encode: money => money.cents, decode: () => new Money() },
  { type: Handle, tag: 'handle', encode: () => null, decode: () => new Handle() } satisfies ClassCodec<Handle>,
  // @ts-expect-error a codec of one class does not decode another
  { type: Data, tag: 'data', encode: () => null, decode: () => new Handle() } satisfies ClassCodec<Data>,
]
