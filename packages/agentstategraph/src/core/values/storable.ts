/**
 * What can be stored, as types, so that the compiler finds most of what `encode` would refuse.
 *
 * The compiler sees shapes, not classes. An instance is refused for its methods, because a method is a function; a class
 * of data alone passes here and is refused by `encode`. A class with a codec passes when it is declared:
 *
 *     declare module 'agentstategraph' {
 *       interface StorableClasses { money: Money }
 *     }
 */

import type { EncryptedValue } from './encrypted-value.ts'

/** Everything that can be stored, beyond the classes you register. */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Date
  | URL
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView
  | readonly Value[]
  | { readonly [key: string]: Value }
  | ReadonlyMap<Value, Value>
  | ReadonlySet<Value>
  | EncryptedValue

/** What is stored as a whole and has no values inside. */
export type StorableLeaf =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | StorableClasses[keyof StorableClasses]

/** The classes whose instances can be stored: one property for each. A program adds its classes that have a codec. */
export interface StorableClasses {
  readonly error: Error
  readonly date: Date
  readonly url: URL
  readonly regexp: RegExp
  readonly buffer: ArrayBuffer
  readonly view: ArrayBufferView
  readonly encrypted: EncryptedValue
}

/** `T` when it can be stored; otherwise a type whose text says why not. */
export type Storable<T> = unknown extends T
  ? T
  : T extends StorableLeaf
    ? T
    : T extends (...args: never) => unknown
      ? 'a function cannot be stored: keep it in Live, or make the key transient'
      : T extends symbol
        ? 'a symbol cannot be stored: use a string'
        : T extends PromiseLike<unknown>
          ? 'a promise cannot be stored: await it first'
          : T extends ReadonlyMap<infer K, infer V>
            ? ReadonlyMap<Storable<K>, Storable<V>>
            : T extends ReadonlySet<infer V>
              ? ReadonlySet<Storable<V>>
              : T extends WeakMap<WeakKey, unknown> | WeakSet<WeakKey> | WeakRef<WeakKey>
                ? 'what holds its content weakly cannot be stored'
                : T extends readonly (infer E)[]
                  ? number extends T['length']
                    ? readonly Storable<E>[]
                    : { [K in keyof T]: Storable<T[K]> }
                  : T extends object
                    ? { [K in keyof T]: Storable<T[K]> }
                    : T
