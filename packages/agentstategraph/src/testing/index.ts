/** What one needs to test a backend of one's own, graphs on it, and code that uses this library. */
export { backendConformance } from './backend-conformance.ts'
export { check, checkEqual, checkRefuses } from './check.ts'
export { steppingClock } from './clock.ts'
export type { ConformanceCase, Place } from './conformance-case.ts'
export type { GraphCase, GraphPlace } from './graph-case.ts'
export { graphConformance } from './graph-conformance.ts'
export { memoryKV } from './memory-kv.ts'
export { appendSamples, sampleAppend, sampleCommitId, sampleEntry, sampleNote, samplePart } from './samples.ts'
