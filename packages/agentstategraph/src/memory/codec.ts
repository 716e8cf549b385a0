/** How the values of one memory become their stored form and come back: with the limits and classes of its repository. */

import { decode, encode, type Stored } from '../core/index.ts'
import type { Handle } from '../repo/index.ts'

export interface Codec {
  /** The stored form of a value that goes to a path, or `value-refused` with every offending place. */
  encode(value: unknown, at: readonly string[]): Stored
  decode(stored: Stored): unknown
}

export function codecOf({ shared: { limits }, journal }: Handle): Codec {
  const { classes } = journal.context
  return {
    encode: (value, at) => encode(value, { at, limits, classes }),
    decode: stored => decode(stored, classes),
  }
}
