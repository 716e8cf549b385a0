/** Types with every part readonly. */

type Function = (...args: never) => unknown

/** Types that `DeepReadonly` leaves as they are: without parts, or with parts that types cannot make readonly. */
export type Whole =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Function
  | Date
  | RegExp
  | URL
  | Error
  | ArrayBuffer
  | ArrayBufferView

/** A type with everything in it readonly, as nodes and checkouts receive state. */
export type DeepReadonly<V> = 0 extends 1 & V
  ? V
  : V extends Whole
    ? V
    : V extends ReadonlyMap<infer K, infer E>
      ? ReadonlyMap<DeepReadonly<K>, DeepReadonly<E>>
      : V extends ReadonlySet<infer E>
        ? ReadonlySet<DeepReadonly<E>>
        : V extends object
          ? { readonly [K in keyof V]: DeepReadonly<V[K]> }
          : V
