/**
 * Gives room back: copies what is alive into runs, replaces segments by stubs, and deletes what no manifest refers to.
 *
 * Keys of segments are never deleted, so that a writer that comes late cannot create one of them again. A crash leaves objects that
 * the next call deletes or replaces.
 */
import { backendError } from '../errors.ts'
import type { Chain } from './chain.ts'
import { writeManifest } from './checkpoint.ts'
import type { Chunks } from './chunks.ts'
import { inParallel } from './in-parallel.ts'
import { type Manifest, numberOfManifest, numberOfObject } from './manifest.ts'
import type { Bucket, Listed } from './requests/bucket.ts'
import { copySegments } from './runs.ts'
import { stub } from './segment.ts'
import { type JournalState, numberOfSegment } from './state.ts'

const maxTries = 20
const listedTogether = 1000
/** Runs that hold so much more than what is alive are written anew. */
const wasteful = 1.25

export interface Compacting {
  readonly bucket: Bucket
  readonly chain: Chain
  readonly chunks: Chunks
}

/** The bytes of the objects of a namespace. */
export async function bytesIn(bucket: Bucket, chain: Chain): Promise<number> {
  const listed = await listAll(bucket, chain.keyOf(''))
  return listed.reduce((sum, { size }) => sum + size, 0)
}

/** Compacts a namespace. */
export async function compactNamespace(parts: Compacting): Promise<void> {
  const { bucket, chain } = parts
  for (let tries = 0; tries < maxTries; tries++) {
    const isCurrent = (await chain.newestManifest()) === chain.manifest.number
    const state = isCurrent ? await chain.fresh() : await chain.reload()
    if (state.segment === 0) return
    const manifest = await movedManifest(parts, state, firstToCopy(state, chain.manifest))
    if (manifest === undefined) continue
    await replaceSegments(bucket, chain, manifest)
    await removeUnused(bucket, chain, manifest)
    return
  }
  throw backendError('contention-lost', { namespace: chain.namespace, attempts: maxTries })
}

/** Copies the segments from one on, and writes the manifest that says so. Undefined when another process was faster. */
export async function movedManifest(
  { bucket, chain, chunks }: Compacting,
  state: JournalState,
  from: number,
): Promise<Manifest | undefined> {
  const { manifest: before } = chain
  const to = state.segment
  const copied = await copySegments({ bucket, chain, chunks }, state, from, to, before.number + 1)
  if (copied === undefined) return undefined
  const kept = before.began === state.began && from > before.began + 1 ? before.runs : []
  const moved = { from, records: copied.records, runs: [...kept, ...copied.runs], copied: to }
  return writeManifest(bucket, chain, state, moved)
}

/** The first segment to copy: the first that is in no run, or the first of all where runs hold much that is dropped. */
function firstToCopy(state: JournalState, { began, copied, runs }: Manifest): number {
  const all = state.began + 1
  if (began !== state.began) return all
  let alive = 0
  for (let seq = 1; seq <= state.seq; seq++) {
    const { from, to, pack } = state.place(seq)!
    if (pack.segment <= copied) alive += pack.parts.reduce((sum, part) => sum + part.to - part.from, to - from)
  }
  const held = runs.reduce((sum, { bytes }) => sum + bytes, 0)
  return held > alive * wasteful ? all : Math.max(copied + 1, all)
}

async function replaceSegments(bucket: Bucket, chain: Chain, { copied }: Manifest): Promise<void> {
  const listed = await listAll(bucket, chain.keyOf('s/'))
  const left = listed.filter(({ key, size }) => {
    const number = numberOfSegment(key.slice(chain.folder.length))
    return number !== undefined && number <= copied && size > stub.length
  })
  await inParallel(left, ({ key }) => bucket.put(key, stub))
}

/** What is made for a later manifest has a higher number. */
async function removeUnused(bucket: Bucket, chain: Chain, manifest: Manifest): Promise<void> {
  const used = new Set([...manifest.blocks, ...manifest.runs].map(({ key }) => key && chain.keyOf(key)))
  const objects = [...(await listAll(bucket, chain.keyOf('b/'))), ...(await listAll(bucket, chain.keyOf('r/')))]
  const manifests = await listAll(bucket, chain.keyOf('m/'))
  const below = (key: string): string => key.slice(chain.folder.length)
  const unused = [
    ...objects.filter(({ key }) => !used.has(key) && (numberOfObject(below(key)) ?? Infinity) <= manifest.number),
    ...manifests.filter(({ key }) => (numberOfManifest(below(key)) ?? Infinity) < manifest.number),
  ]
  await inParallel(unused, ({ key }) => bucket.remove(key))
}

async function listAll(bucket: Bucket, prefix: string): Promise<readonly Listed[]> {
  const all: Listed[] = []
  for (;;) {
    const listed = await bucket.list(prefix, all.at(-1)?.key ?? '', listedTogether)
    for (const one of listed) all.push(one)
    if (listed.length < listedTogether) return all
  }
}
