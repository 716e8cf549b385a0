/** Comparing types with each other, for the compiler to decide. */

/** Whether two types are the same, and not only assignable. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for `true`. */
export type IsTrue<T extends true> = T
