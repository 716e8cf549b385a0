/**
 * The backend in object storage: journals as chains of segment objects in a bucket.
 *
 * This file joins the parts to the contract. A PUT that was answered is as durable as the store makes objects, so the `durability` of a log
 * has no effect.
 */
import { checkOptions, optionsOf } from '../../core/index.ts'
import type { Backend, Compacted, Log } from '../../store/contract/backend.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { type CacheFolder, openCacheFolder } from './cache-folder.ts'
import { chunksOf } from './chunks.ts'
import { bytesIn, compactNamespace } from './compact.ts'
import { inParallel } from './in-parallel.ts'
import { makeReady, type Ready } from './ready.ts'
import { replaceTornSegment } from './repair.ts'
import { placeOf } from './requests/address.ts'
import { bucketAt } from './requests/bucket.ts'
import { senderTo } from './requests/client.ts'
import { providerOf } from './requests/credentials.ts'
import type { S3Options } from './requests/options.ts'
import { folderOf, openSpace, type Space } from './space.ts'
import { newWatch } from './watch.ts'

const s3Options = optionsOf<S3Options>('s3', {
  endpoint: true,
  region: true,
  pathStyle: true,
  credentials: true,
  profile: true,
  encryption: true,
  cacheFolder: true,
  pollMs: true,
  hints: true,
  readOnly: true,
})

const defaultPollMs = 600

/**
 * Replaces the newest segment of a namespace, which is torn, by an empty one, and gives its key. For a segment of which neither a version nor a
 * copy exists: what it held is lost.
 */
export async function repairTornSegment(
  address: string | URL,
  namespace = 'default',
  options: S3Options = {},
): Promise<string> {
  checkOptions(s3Options, options)
  const place = placeOf(address, options)
  const bucket = bucketAt(place, senderTo(place, providerOf(place, options)), () => {})
  await makeReady(bucket, true)
  const { chain } = openSpace(
    { bucket, chunks: chunksOf(bucket, () => undefined), cache: () => undefined },
    namespace,
    folderOf(namespace),
  )
  return replaceTornSegment(bucket, chain)
}

/** Opens a place in object storage as a backend, by its address `s3://bucket/prefix`. */
export function s3(address: string | URL, options: S3Options = {}): Backend {
  checkOptions(s3Options, options)
  const { pollMs = defaultPollMs, readOnly = false } = options
  const place = placeOf(address, options)
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: 'store in object storage' })
  }

  const bucket = bucketAt(place, senderTo(place, providerOf(place, options)), assertOpen)
  let folder: CacheFolder | undefined
  const chunks = chunksOf(bucket, () => folder)
  const spaces = new Map<string, Space>()
  let readiness: Promise<Ready> | undefined

  async function checked(): Promise<Ready> {
    const made = await makeReady(bucket, readOnly)
    if (options.cacheFolder !== undefined) folder ??= openCacheFolder(options.cacheFolder, made.id)
    return made
  }

  async function ready(): Promise<Ready> {
    assertOpen()
    readiness ??= checked()
    try {
      return await readiness
    } catch (error) {
      readiness = undefined
      throw error
    }
  }

  async function assertWritable(): Promise<void> {
    assertOpen()
    if (readOnly) throw backendError('read-only', { operation: 'Writing to the store in object storage' })
    if ((await ready()).isReadOnly) {
      throw backendError('s3-refused', {
        place: place.name,
        reason: 'the credentials may only read, so it is open for reading only',
        remedy: 'Grant them PutObject to write.',
      })
    }
  }

  function spaceOf(name: string): Space {
    const space = spaces.get(name) ?? openSpace({ bucket, chunks, cache: () => folder }, name, folderOf(name))
    spaces.set(name, space)
    return space
  }

  /** A namespace of a store that was checked. */
  async function readySpace(name: string): Promise<Space> {
    await ready()
    return spaceOf(name)
  }

  const watch = newWatch(
    async name => {
      const { began, seq } = await (await readySpace(name)).chain.fresh()
      return `${began}/${seq}`
    },
    pollMs,
    options.hints,
  )

  function log(name: string): Log {
    return {
      async append(batch) {
        await assertWritable()
        const appended = await spaceOf(name).appender.append(batch)
        if (appended.kind === 'done') watch.wrote(name)
        return appended
      },
      entries: async (from, to, columns) => (await readySpace(name)).reader.entries(from, to, columns),
      parts: async pointers => (await readySpace(name)).reader.parts(pointers),
      find: async (prefix, limit) => (await readySpace(name)).reader.find(prefix, limit),
      ref: async ref => (await (await readySpace(name)).chain.fresh()).refs.get(ref) ?? null,
      key: async key => (await (await readySpace(name)).chain.fresh()).keys.get(key) ?? null,
      refs: async (prefix, part) => (await (await readySpace(name)).chain.fresh()).refs.list(prefix, part),
      async head() {
        const { seq, time } = await (await readySpace(name)).chain.fresh()
        return { seq, time }
      },
      check: async seen => (await readySpace(name)).reader.check(seen),
      async packTotal() {
        const { seq: to, packBytes: bytes } = await (await readySpace(name)).chain.fresh()
        return { to, bytes }
      },
      async dropPacks(seqs, newest) {
        await assertWritable()
        return spaceOf(name).appender.dropPacks(seqs, newest)
      },
      onChange(listener) {
        assertOpen()
        return watch.add(name, listener)
      },
      sync: undefined,
      isScattered: true,
      index: spaceOf(name).index(async () => void (await readySpace(name))),
    }
  }

  async function namespaces(): Promise<readonly string[]> {
    await ready()
    const found = await inParallel(await bucket.folders('n/'), async one => {
      const known = [...spaces.values()].find(({ chain }) => chain.folder === `n/${one}/`)
      const { chain } = known ?? openSpace({ bucket, chunks, cache: () => undefined }, one, `n/${one}/`)
      const { seq } = await chain.fresh()
      return seq === 0 ? [] : [known === undefined ? chain.found : chain.namespace]
    })
    return found.flat().sort()
  }

  async function compact(): Promise<Compacted> {
    await assertWritable()
    const all = (await namespaces()).map(name => ({ bucket, chunks, chain: spaceOf(name).chain }))
    const bytesOf = async (): Promise<number> =>
      (await inParallel(all, ({ chain }) => bytesIn(bucket, chain))).reduce((sum, bytes) => sum + bytes, 0)
    const bytesBefore = await bytesOf()
    for (const one of all) await compactNamespace(one)
    return { bytesBefore, bytesAfter: await bytesOf() }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    watch.close()
    await Promise.all([...spaces.values()].map(space => space.settled()))
    isClosed = true
    await folder?.close()
  }

  return {
    capabilities: { durable: true, shared: true, sync: false },
    namespaces,
    namespace(name) {
      assertOpen()
      return log(name)
    },
    async dropNamespace(name) {
      await assertWritable()
      await spaceOf(name).appender.dropNamespace()
    },
    compact,
    close,
    [Symbol.asyncDispose]: close,
  }
}
