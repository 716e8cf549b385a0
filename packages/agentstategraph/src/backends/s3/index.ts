/** Repositories in object storage, such as AWS S3. Node only. */
export { type S3Environment, s3Environment } from './requests/credentials.ts'
export type { S3Credentials, S3Hints, S3Options } from './requests/options.ts'
export { repairTornSegment, s3 } from './s3-backend.ts'
