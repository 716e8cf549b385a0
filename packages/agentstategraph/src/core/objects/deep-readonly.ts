/** Types with every part readonly: what is shown, and must not be changed. */

type Function = (...args: never) => unknown

/** What is handed out as it is: it has no parts, or parts that types cannot make readonly. */
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

/** A type with every part readonly. */
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
