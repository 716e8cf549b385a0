/** Types that read a path off the type of the state, so that a wrong path or value does not compile. */

import type { Path, StorableLeaf } from '../core/index.ts'

/** What a path holds, read from the state's type. `unknown` when the state or the path is not known in advance. */
export type ValueAt<State, P> = [string] extends [P] ? unknown : ValueAtKnown<State, P>

type ValueAtKnown<State, P> = P extends string
  ? Descend<State, Segments<P>>
  : P extends readonly (string | number)[]
    ? number extends P['length']
      ? unknown
      : Descend<State, P>
    : unknown

/** What reading a path gives: the type that the caller asked for, or what the state's type has there. */
export type ReadValue<State, P, Asked> = [Asked] extends [never] ? ValueAt<State, P> : NoInfer<Asked>

/** Any path, with those that the state's type has for an editor to offer: three levels, lists by `${number}`. */
export type PathOf<State> = KeyPaths<State, [1, 1, 1]> | (string & {}) | readonly (string | number)[]

/** `P`, or a sentence when the state has no such path. */
export type KnownPath<State, P extends Path> = [ValueAt<State, P>] extends [never]
  ? `the state has no ${P extends string ? P : 'such path'}`
  : P

/** The paths below a value, as many levels as `Levels` has items. */
type KeyPaths<T, Levels extends readonly 1[]> = Levels extends readonly [1, ...infer Below extends readonly 1[]]
  ? unknown extends T
    ? never
    : T extends Leaf
      ? never
      : T extends readonly (infer E)[]
        ? PathsAt<`${number}`, E, Below>
        : { [K in keyof T & (string | number)]-?: PathsAt<Escape<`${K}`>, Exclude<T[K], undefined>, Below> }[keyof T &
            (string | number)]
  : never
type PathsAt<Key extends string, T, Below extends readonly 1[]> = `/${Key}` | `/${Key}${KeyPaths<T, Below>}`
type Escape<S extends string> = EscapeSlash<EscapeTilde<S>>
type EscapeTilde<S extends string> = S extends `${infer A}~${infer B}` ? `${A}~0${EscapeTilde<B>}` : S
type EscapeSlash<S extends string> = S extends `${infer A}/${infer B}` ? `${A}~1${EscapeSlash<B>}` : S

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
