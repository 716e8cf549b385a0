/** What a graph keeps beside its states is stored by the rules of the repository that it is kept in. */

import { type ClassTable, canonicalText, encode, type Limits } from '../../../core/index.ts'
import type { Handle } from '../../../repo/index.ts'
import type { Encryption } from '../../../tree/index.ts'

/** What decides how a value is stored. */
export interface Encoding {
  readonly limits: Limits
  readonly encryption: Encryption | undefined
  readonly classes: ClassTable | undefined
}

export function encodingOf({ shared: { limits }, journal: { context } }: Handle): Encoding {
  return { limits, encryption: context.encryption, classes: context.classes }
}

/** Whether two values are stored as the same, instances of the repository's classes included. */
export function isStoredAlike(a: unknown, b: unknown, encoding: Encoding): boolean {
  return Object.is(a, b) || canonicalText(encode(a, encoding)) === canonicalText(encode(b, encoding))
}
