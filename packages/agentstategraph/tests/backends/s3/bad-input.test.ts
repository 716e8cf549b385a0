/** What cannot work is said when the store is opened, in words that name the fault, and changes nothing. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type S3Options, s3, s3Environment } from '../../../src/backends/s3/index.ts'
import { open } from '../../../src/repository/index.ts'
import { hasS3, readerKeys, type S3Server, sharedS3, testBucket, testKeys } from '../../processes/s3-server.ts'
import { startS3Proxy } from './support/s3-proxy.ts'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-s3-'))
  let server: S3Server
  let places = 0
  const newPlace = (): string => `bad${places++}`

  beforeAll(async () => {
    server = await sharedS3()
  })

  const plain = (place: string): string => `s3://${testBucket}/${place}`
  const options = (given: S3Options = {}): S3Options => ({ endpoint: server.endpoint, credentials: testKeys, ...given })

  async function refusalOf(address: string, given: S3Options = {}): Promise<Error> {
    const outcome = await open(s3(address, options(given))).then(
      async repo => repo.close(),
      (error: unknown) => error,
    )
    return outcome as Error
  }

  it('a bucket that is not there', async () => {
    expect(await refusalOf('s3://nowhere/x')).toMatchObject({
      code: 's3-refused',
      message: expect.stringMatching(/no bucket "nowhere"/),
    })
  })

  it('keys that are wrong, without showing them', async () => {
    for (const [credentials, words] of [
      [{ accessKeyId: 'n0body', secretAccessKey: 's3cret-one' }, /access key is not known/],
      [{ ...testKeys, secretAccessKey: 's3cret-two' }, /secret does not belong/],
    ] as const) {
      const error = await refusalOf(plain(newPlace()), { credentials })
      expect(error).toMatchObject({ code: 's3-refused', message: expect.stringMatching(words) })
      expect(JSON.stringify([error, error.message, String(error.cause)])).not.toContain('s3cret')
    }
  })

  it('no keys at all', async () => {
    const error = await refusalOf(plain(newPlace()), { credentials: undefined, profile: 'not in any file' })
    expect(error).toMatchObject({ code: 's3-refused', message: expect.stringMatching(/credentials/) })
  })

  it('a session token that expired is asked for again once, and named when there is no newer one', async () => {
    const body = '<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>'
    const proxy = await startS3Proxy(server.port, ({ headers }) =>
      String(headers['authorization']).includes('Credential=old/') ? { status: 400, body } : undefined,
    )
    onTestFinished(proxy.close)
    const old = { accessKeyId: 'old', secretAccessKey: 's3cret', sessionToken: 't0ken' }
    let asked = 0
    const credentials = async () => (asked++ === 0 ? old : testKeys)
    await using repo = await open(s3(plain(newPlace()), { endpoint: proxy.endpoint, credentials }))
    await repo.set('/a', 1, 'First')
    expect(asked).toBe(2)
    const error = await refusalOf(plain(newPlace()), { endpoint: proxy.endpoint, credentials: old })
    expect(error).toMatchObject({ code: 's3-refused', message: expect.stringMatching(/session token has expired/) })
    expect(JSON.stringify([error, error.message, String(error.cause)])).not.toMatch(/s3cret|t0ken/)
  })

  it('another region', async () => {
    expect(await refusalOf(plain(newPlace()), { region: 'eu-west-9' })).toMatchObject({
      code: 's3-refused',
      message: expect.stringMatching(/region/),
    })
  })

  it('a clock that is off by an hour', async () => {
    const { headers } = await fetch(server.endpoint)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(headers.get('date')!) - 3_600_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    expect(await refusalOf(plain(newPlace()))).toMatchObject({
      code: 's3-refused',
      message: expect.stringMatching(/clock of this machine is (59|60|61) minutes behind/),
      hint: expect.stringMatching(/NTP/),
    })
  })

  it('a foreign object in the prefix, also one with our name', async () => {
    const place = newPlace()
    mkdirSync(join(server.folder, place))
    writeFileSync(join(server.folder, place, 'photo.jpg'), 'x')
    expect(await refusalOf(plain(place))).toMatchObject({
      code: 'not-a-store',
      message: expect.stringMatching(/photo\.jpg/),
    })
    writeFileSync(join(server.folder, place, 'format'), 'something else')
    expect(await refusalOf(plain(place))).toMatchObject({ code: 'not-a-store' })
  })

  it('a newer format', async () => {
    const place = newPlace()
    await using repo = await open(s3(plain(place), options()))
    await repo.set('/a', 1, 'First')
    const file = join(server.folder, place, 'format')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"format":1', '"format":2'))
    expect(await refusalOf(plain(place))).toMatchObject({
      code: 'format-unsupported',
      data: { found: 2, supported: 1 },
    })
  })

  it('a store that ignores If-None-Match, when it is made and when it is opened', async () => {
    const place = newPlace()
    const proxy = await startS3Proxy(server.port, ({ method }) =>
      method === 'PUT' ? { status: 200, body: '' } : undefined,
    )
    onTestFinished(proxy.close)
    const unsafe = { code: 's3-unsafe', message: expect.stringMatching(/If-None-Match/) }
    expect(await refusalOf(plain(place), { endpoint: proxy.endpoint })).toMatchObject(unsafe)
    await (await open(s3(plain(place), options()))).close()
    expect(await refusalOf(plain(place), { endpoint: proxy.endpoint })).toMatchObject(unsafe)
  })

  it('an endpoint where nothing is, an address that is none, and a store that is not there to be read', async () => {
    const { endpoint, close } = await startS3Proxy(server.port)
    await close()
    expect(await refusalOf(plain('x'), { endpoint })).toMatchObject({ code: 's3-failed' })
    const settings = ['colour=red', 'endpoint=nowhere', 'pathStyle=perhaps']
    for (const address of ['s3://A_B/x', 's3://states/%E0%A4', ...settings.map(one => `s3://states/x?${one}`)]) {
      expect(() => s3(address), address).toThrowError(expect.objectContaining({ code: 's3-refused' }))
    }
    expect(() => s3('s3://states/x', { encryption: 'rot13' })).toThrowError(/encryption/)
    expect(await refusalOf(plain(newPlace()), { readOnly: true })).toMatchObject({ code: 'store-missing' })
  })

  it('credentials that may only read open the store for reading, and a write says so', async () => {
    const place = newPlace()
    await using repo = await open(s3(plain(place), options()))
    await repo.set('/a', 1, 'First')
    await using reader = await open(s3(plain(place), options({ credentials: readerKeys })))
    expect(await reader.get('/a')).toBe(1)
    await expect(reader.set('/a', 2, 'Second')).rejects.toMatchObject({
      code: 's3-refused',
      message: expect.stringMatching(/may only read/),
    })
    expect(await refusalOf(plain(newPlace()), { credentials: readerKeys })).toMatchObject({ code: 's3-refused' })
  })

  it('an environment that is handed in gives keys, token, region and endpoint', async () => {
    const env = {
      AWS_ACCESS_KEY_ID: testKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_S3: server.endpoint,
    }
    const place = newPlace()
    await using repo = await open(s3(plain(place), s3Environment(env)))
    await repo.set('/a', 1, 'First')
    const file = join(folder, 'credentials')
    writeFileSync(
      file,
      '[other]\naws_access_key_id = x\n[mine]\naws_access_key_id = testkey\naws_secret_access_key=testsecret\n',
    )
    const named = { AWS_PROFILE: 'mine', AWS_SHARED_CREDENTIALS_FILE: file, AWS_ENDPOINT_URL: server.endpoint }
    await using same = await open(s3(plain(place), s3Environment(named)))
    expect(await same.get('/a')).toBe(1)
    expect(s3Environment({ ...env, AWS_SESSION_TOKEN: 't' }).credentials).toMatchObject({ sessionToken: 't' })
  })
})
