/** Object storage as a backend, on a real S3 server: it keeps every contract, and says what is wrong with a place. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { listBlocks } from '../../../../../scripts/pages/page-blocks.mjs'
import { type S3Options, s3 } from '../../../src/backends/s3/index.ts'
import type { Backend } from '../../../src/store/contract/backend.ts'
import { backendConformance } from '../../../src/testing/index.ts'
import { root } from '../../architecture/support/source-file.ts'
import { runBlocks } from '../../docs/support/run-blocks.ts'
import { hasS3, type S3Server, sharedS3, testKeys } from '../../processes/s3-server.ts'

const isHere = hasS3()

it('versitygw is there where it must be', () => {
  // Elsewhere the tests below say that they were skipped.
  if (process.env['CI']) expect(isHere, 'install Go: CI has to run these tests').toBe(true)
})

describe.skipIf(!isHere)('s3 (skipped without Go, which compiles the server)', () => {
  let server: S3Server
  let places = 0
  const newPlace = (): string => `place ${places++}/é+&"'`
  const backendOn = (place: string, options: S3Options = {}): Backend => s3(server.address(place), options)

  beforeAll(async () => {
    server = await sharedS3()
  })

  it('the programs of docs/object-storage.md run and print what the page says', async () => {
    const page = readFileSync(`${root}docs/object-storage.md`, 'utf8')
    const blocks = listBlocks('docs/object-storage.md', page).filter(({ language }) => language === 'typescript')
    expect(blocks.length).toBeGreaterThan(0)
    const { accessKeyId, secretAccessKey } = testKeys
    const env = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_S3: server.endpoint,
    }
    const local = (code: string): string => code.replaceAll('process.env', JSON.stringify(env))
    const outcomes = await runBlocks(
      root,
      blocks.map(({ code }) => ({ language: 'ts', code: local(code) })),
    )
    expect(outcomes.map(({ failure }) => failure)).toEqual(blocks.map(() => undefined))
    expect(outcomes.map(({ printed }) => printed)).toEqual(blocks.map(({ printed }) => printed ?? ''))
  })

  for (const { name, needs, run } of backendConformance) {
    it.skipIf(needs === 'sync')(name, () => {
      const place = newPlace()
      return run({ open: () => backendOn(place, { pollMs: 5 }) })
    })
  }
})
