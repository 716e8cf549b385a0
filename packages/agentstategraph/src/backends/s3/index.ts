/** Repositories in object storage, such as AWS S3. Node only. */
export { type S3Environment, s3Environment } from './credentials.ts'
export type { S3Credentials, S3Options } from './options.ts'
export { s3 } from './s3-backend.ts'
