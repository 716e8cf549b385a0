/**
 * The public conformance suite for graphs, as data: the same without a repository, in memory and on any store.
 *
 * Run each case on a fresh place and skip those that need more than the place has:
 *
 * ```ts
 * for (const { name, run } of graphConformance) test(name, () => run({ open: () => open(newStore()) }))
 * ```
 */
import type { GraphCase } from './graph-case.ts'
import { graphFlowCases } from './graph-flow-cases.ts'
import { graphStateCases } from './graph-state-cases.ts'
import { graphThreadCases } from './graph-thread-cases.ts'

/** Every promise of graphs that does not depend on where they run. */
export const graphConformance: readonly GraphCase[] = [...graphFlowCases, ...graphStateCases, ...graphThreadCases]
