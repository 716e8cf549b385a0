/** What one needs to test a backend of one's own, and code that uses this library. */
export { backendConformance } from './backend-conformance.ts'
export { check, checkEqual, checkRefuses } from './check.ts'
export { steppingClock } from './clock.ts'
export type { ConformanceCase, Place } from './conformance-case.ts'
export { memoryKV } from './memory-kv.ts'
export { appendSamples, sampleAppend, sampleCommitId, sampleEntry, sampleNote, samplePart } from './samples.ts'
