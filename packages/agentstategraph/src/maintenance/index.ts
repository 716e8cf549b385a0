/** Maintenance of a repository: verification, garbage collection, export and import, push and pull. */

export type { GcReport, Stats } from '../repo/index.ts'
export type { Compacted } from '../store/index.ts'
export { type ActivityOptions, type ActivityPeriod, activity } from './activity.ts'
export type { Damage } from './checks/damage.ts'
export { compact } from './compact.ts'
export { exportRepository } from './export.ts'
export { type GcOptions, gc } from './gc.ts'
export { importRepository } from './import.ts'
export type { AnyRepository, OnProgress, ProgressOptions } from './repository.ts'
export { reindex, stats } from './stats.ts'
export { pull, push, type SyncKind, type SyncOptions, type SyncReport } from './sync.ts'
export { type VerifyOptions, type VerifyReport, verify } from './verify.ts'
