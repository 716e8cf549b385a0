/** Types that read a path off the type of the state, so that a wrong path or value does not compile. */

import type { Path, StorableLeaf } from '../core/index.ts'

/** What a path holds, read from the state's type. `unknown` when the state or the path is not known in advance. */
export type ValueAt<State, P> = P extends string
  ? string extends P
    ? unknown
    : Descend<State, Segments<P>>
  : P extends readonly (string | number)[]
    ? number extends P['length']
      ? unknown
      : Descend<State, P>
    : unknown

/** `P`, or a sentence when the state has no such path. */
export type KnownPath<State, P extends Path> = [ValueAt<State, P>] extends [never]
  ? `the state has no ${P extends string ? P : 'such path'}`
  : P

type Unescape<S extends string> = S extends `${infer A}~1${infer B}`
  ? `${Unescape<A>}/${Unescape<B>}`
  : S extends `${infer A}~0${infer B}`
    ? `${A}~${Unescape<B>}`
    : S
type Segments<P extends string> = P extends '' | '/' ? [] : P extends `/${infer Rest}` ? SplitAll<Rest> : [never]
type SplitAll<S extends string> = S extends `${infer Head}/${infer Rest}`
  ? [Unescape<Head>, ...SplitAll<Rest>]
  : [Unescape<S>]
type Descend<T, Keys> = Keys extends readonly [infer K, ...infer Rest] ? Descend<Child<T, K>, Rest> : T
/** What no path leads into: it is compared and merged as a whole. */
type Leaf = StorableLeaf | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
type Child<T, K> = unknown extends T
  ? T
  : T extends Leaf
    ? never
    : T extends readonly (infer E)[]
      ? K extends number | `${number}` | '-'
        ? E
        : never
      : K extends keyof T
        ? Exclude<T[K], undefined>
        : K extends `${infer N extends number}`
          ? N extends keyof T
            ? Exclude<T[N], undefined>
            : never
          : never
