/**
 * Values: everything that can be stored, and the two functions between it and its stored form.
 *
 * Laws:
 * - `decode(encode(x))` is `x` again, to the sign of a zero, the bits of a float and the order of a `Map`;
 * - `encode(decode(s))` is `s`, for every `s` that `encode` can give;
 * - what cannot be kept so is refused, with the paths of all offending places in one error.
 *
 * Not part of a value, and so not kept: the order of an object's keys, an object's having no prototype, that two places
 * hold the same object, that bytes were a `Buffer` or lay in a larger buffer, named properties of a view on bytes,
 * hidden properties of an array, and those of an error beside its message, stack, cause, errors and name.
 */
export { type ClassCodec, ClassTable } from './class-codec.ts'
export { decode } from './decode.ts'
export { encode } from './encode.ts'
export type { EncodeOptions } from './encode-walk.ts'
export type { Storable, StorableClasses, StorableLeaf, Value } from './storable.ts'
