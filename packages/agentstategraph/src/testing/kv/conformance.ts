/**
 * The public conformance suite for key-value stores, as data.
 *
 * Run each case on a fresh place, and `backendConformance` on a `kvBackend` over the store:
 *
 * ```ts
 * for (const { name, run } of kvConformance) test(name, () => run(newPlace()))
 * ```
 */
import type { KVCase } from './case.ts'
import { kvFaultCases } from './fault-cases.ts'
import { kvStoreCases } from './store-cases.ts'

/** Every promise of the contract of key-value stores, and what repositories on them keep when replies are lost. */
export const kvConformance: readonly KVCase[] = [...kvStoreCases, ...kvFaultCases]
