/**
 * The public conformance suite for backends, as data.
 *
 * Run each case on a fresh place and skip only those that need a capability which the backend does not declare:
 *
 * ```ts
 * for (const { name, needs, run } of backendConformance) {
 *   test.skipIf(needs && !capabilities[needs])(name, () => run(newPlace()))
 * }
 * ```
 */
import { appendCases } from './append-cases.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { dropCases } from './drop-cases.ts'
import { entryCases } from './entry-cases.ts'
import { findCases } from './find-cases.ts'
import { hashCases } from './hash-cases.ts'
import { indexCases } from './index-cases.ts'
import { lifetimeCases } from './lifetime-cases.ts'
import { markCases } from './mark-cases.ts'
import { namespaceCases } from './namespace-cases.ts'
import { partCases } from './part-cases.ts'
import { refCases } from './ref-cases.ts'
import { repackCases } from './repack-cases.ts'
import { seenCases } from './seen-cases.ts'

/** Every promise of the backend contract. */
export const backendConformance: readonly ConformanceCase[] = [
  ...appendCases,
  ...entryCases,
  ...partCases,
  ...dropCases,
  ...repackCases,
  ...findCases,
  ...refCases,
  ...indexCases,
  ...hashCases,
  ...markCases,
  ...namespaceCases,
  ...seenCases,
  ...lifetimeCases,
]
