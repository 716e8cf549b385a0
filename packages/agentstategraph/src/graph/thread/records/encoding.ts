/** How values of a graph are stored: by the limits, the encryption and the classes of the repository. */

import { type ClassTable, canonicalText, encode, type Limits } from '../../../core/index.ts'
import type { Handle } from '../../../repo/index.ts'
import type { Encryption } from '../../../tree/index.ts'

export interface Encoding {
  readonly limits: Limits
  readonly encryption: Encryption | undefined
  readonly classes: ClassTable | undefined
}

export function encodingOf({ shared: { limits }, journal: { context } }: Handle): Encoding {
  return { limits, encryption: context.encryption, classes: context.classes }
}

/** Whether two values have the same stored form. */
export function isStoredAlike(a: unknown, b: unknown, encoding: Encoding): boolean {
  return Object.is(a, b) || canonicalText(encode(a, encoding)) === canonicalText(encode(b, encoding))
}
