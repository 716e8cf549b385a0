/**
 * Object storage where a test asks for memory, so that suites written for memory run on it: vitest.config.ts puts this in the place of
 * the memory backend when `ASG_TEST_STORE` is `s3`.
 *
 * Each backend is a prefix of its own.
 */
import { s3 } from '../../../../src/backends/s3/index.ts'
import type { Backend } from '../../../../src/store/contract/backend.ts'
import { sharedS3 } from '../../../processes/s3-server.ts'

const server = await sharedS3()
let places = 0

export function memoryBackend(): Backend {
  return s3(server.address(`memory${process.pid}-${places++}`), { pollMs: 20 })
}
