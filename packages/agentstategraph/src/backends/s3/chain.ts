/**
 * The chain of segments of a namespace, as far as this process has followed it.
 *
 * It is loaded from the newest manifest and the newest segment, and followed from there by asking for the next number. Calls at the same
 * time share one look, but only one that began after the call: what was written before a call is seen by it.
 */
import { backendError } from '../errors.ts'
import type { Chunks } from './chunks.ts'
import { inParallel } from './in-parallel.ts'
import { decodeManifest, digestBytes, type Manifest, manifestKey, noManifest, numberOfManifest } from './manifest.ts'
import { decodeRecord, splitRecords } from './record.ts'
import type { Bucket, Found } from './requests/bucket.ts'
import { readEnd, type SegmentMeta, segmentFormat, sha256 } from './segment.ts'
import { type JournalState, newState, numberOfSegment, segmentKey } from './state.ts'

/** How many of the last bytes of a segment are read at once. */
const endBytes = 64 * 1024
const listedTogether = 1000
/** Objects that a manifest refers to can be deleted while it is read; then there is a newer one. */
const maxLoads = 20

export interface Chain {
  /** What the keys of the namespace begin with. */
  readonly folder: string
  readonly namespace: string
  /** The name of the namespace, as its objects have it. */
  readonly found: string
  /** As far as it was followed. Undefined before the first look. */
  readonly state: JournalState | undefined
  /** The newest manifest that was read or written here. */
  readonly manifest: Manifest
  /** The segment that the records of new segments begin after. */
  readonly base: number
  /** The state, with everything that was written before the call. */
  fresh(): Promise<JournalState>
  /** The state as far as it is known; the first call looks. */
  known(): Promise<JournalState>
  /** Reads the newest manifest, because content is not where an older one says. */
  reload(): Promise<JournalState>
  /** Notes a manifest that was written here, with the records that it describes where they were replaced. */
  adopt(manifest: Manifest, records: readonly Uint8Array[]): void
  /** The keys of the chain in the bucket. */
  readonly keyOf: (key: string) => string
  newestManifest(): Promise<number>
  newestSegment(): Promise<number>
  /** The state after a segment, whatever comes after it. */
  stateAt(segment: number): Promise<JournalState>
}

/** An object that is damaged or not there, and what is wrong with it. */
interface Fault {
  readonly key: string
  readonly reason: string
}

/** A state as a manifest tells it, and what is damaged of the manifest. */
interface LoadedState {
  readonly at: Manifest
  readonly made: JournalState
  readonly damaged?: Fault
}

export function chainOf(bucket: Bucket, chunks: Chunks, namespace: string, folder: string): Chain {
  const keyOf = (key: string): string => folder + key
  let state: JournalState | undefined
  let manifest = noManifest(namespace)
  let base = 0
  let name = namespace
  let looking: Promise<JournalState> | undefined
  let next: Promise<JournalState> | undefined

  /** The end of a segment: undefined when there is none, and `stub` when its content is elsewhere. */
  async function findEnd(segment: number): Promise<SegmentMeta | 'stub' | undefined> {
    const key = keyOf(segmentKey(segment))
    let found: Found | undefined = await bucket.get(key, { last: endBytes })
    if (found === undefined) return undefined
    let end = readEnd(found.bytes, found.size)
    if (end.kind === 'short') {
      found = await bucket.get(key, { last: end.needed })
      if (found === undefined) return undefined
      end = readEnd(found.bytes, found.size)
    }
    if (end.kind === 'stub') return 'stub'
    if (end.kind === 'newer') {
      throw backendError('format-unsupported', { file: bucket.place.name, found: end.format, supported: segmentFormat })
    }
    if (end.kind !== 'segment') {
      const reason = end.kind === 'torn' ? end.reason : 'it ends too early'
      throw torn({ key, reason })
    }
    const { token } = decodeRecord(end.meta.records.at(-1)!)
    if (found.bytes.length === found.size) chunks.keep({ key, token }, found.bytes)
    return end.meta
  }

  /** Applies the records after the state's segment. False when they begin later. */
  function applyMeta(into: JournalState, meta: SegmentMeta): boolean {
    if (meta.base > into.segment && !decodeRecord(meta.records[0]!).ends) return false
    const [first, ...rest] = meta.records.slice(Math.max(into.segment - meta.base, 0))
    // What was written here may have been applied meanwhile.
    if (first === undefined) return true
    if (!follows(into, first)) return false
    into.apply(first)
    for (const record of rest) into.apply(record)
    base = Math.max(base, meta.base)
    name = meta.namespace
    return true
  }

  async function newestAfter(segment: number): Promise<number> {
    let newest = segment
    for (;;) {
      const listed = await bucket.list(keyOf('s/'), keyOf(segmentKey(newest)), listedTogether)
      const last = listed.at(-1)
      if (last !== undefined) newest = numberOfSegment(last.key.slice(folder.length)) ?? foreign(last.key)
      if (listed.length < listedTogether) return newest
    }
  }

  async function newestManifest(): Promise<number> {
    const [first] = await bucket.list(keyOf('m/'), '', 1)
    return first === undefined ? 0 : (numberOfManifest(first.key.slice(folder.length)) ?? foreign(first.key))
  }

  async function stateBeforeRepair(): Promise<JournalState> {
    const read = await stateAtManifest(await newestManifest())
    return 'reason' in read ? newState() : read.made
  }

  function torn(fault: Fault): Error {
    return backendError('segment-torn', { place: bucket.place.name, ...fault })
  }

  function foreign(key: string): never {
    throw backendError('not-a-store', {
      file: bucket.place.name,
      found: `a place with other objects, such as "${key}"`,
    })
  }

  /**
   * The state at a manifest. A fault when one of its objects is gone, as it is when there is a newer one. Where one is damaged, the state
   * before all segments: they say the same, as long as none of them is a stub.
   */
  async function stateAtManifest(number: number): Promise<LoadedState | Fault> {
    if (number === 0) return { at: noManifest(namespace), made: newState() }
    const goneAt = (key: string): Fault => ({ key: keyOf(key), reason: 'it is not there' })
    const found = await bucket.get(keyOf(manifestKey(number)))
    if (found === undefined) return goneAt(manifestKey(number))
    const damagedAt = (key: string): LoadedState => {
      const reason = 'it is not as it was written, and segments that it describes are stubs'
      return { at: { ...noManifest(namespace), number }, made: newState(), damaged: { key: keyOf(key), reason } }
    }
    const read = decodeManifest(found.bytes)
    if (read === undefined) return damagedAt(manifestKey(number))
    const made = newState(read.manifest.began)
    const blocks = await inParallel(read.manifest.blocks, async ({ key }) => {
      return { key, bytes: key === undefined ? read.inline : (await bucket.get(keyOf(key)))?.bytes }
    })
    for (const { key, bytes } of blocks) {
      if (bytes === undefined) return goneAt(key!)
      const records = key === undefined ? bytes : withoutDigest(bytes)
      if (records === undefined) return damagedAt(key!)
      for (const record of splitRecords(records)) made.apply(record)
    }
    return { at: read.manifest, made }
  }

  /** Loads the state anew. What is missing is named when no newer manifest can be the reason. */
  async function load(): Promise<JournalState> {
    let failed: number | undefined
    for (let tries = 0; tries < maxLoads; tries++) {
      const number = await newestManifest()
      const read = await stateAtManifest(number)
      const loaded = 'reason' in read ? read : await takeOver(read)
      if (!('reason' in loaded)) return loaded
      if (number === failed) throw torn(loaded)
      failed = number
    }
    throw backendError('contention-lost', { namespace, attempts: maxLoads })
  }

  /** Takes a loaded state with the segments after it, or tells why that cannot be. */
  async function takeOver({ at, made, damaged }: LoadedState): Promise<JournalState | Fault> {
    base = at.segment
    name = at.namespace
    const fault = await follow(made, await newestAfter(made.segment))
    if (fault !== undefined) return damaged ?? fault
    manifest = at
    state = made
    return made
  }

  /** Brings a state up to a segment. A fault when the content of one on the way is described by a newer manifest only. */
  async function follow(into: JournalState, newest: number): Promise<Fault | undefined> {
    if (newest === into.segment) return undefined
    const meta = await findEnd(newest)
    if (typeof meta === 'object' && applyMeta(into, meta)) return undefined
    for (let segment = into.segment + 1; segment < newest; segment = into.segment + 1) {
      const fault = faultAt(into, segment, await findEnd(segment))
      if (fault !== undefined) return fault
    }
    return faultAt(into, newest, meta)
  }

  /** Why a segment cannot be applied; undefined after it was. */
  function faultAt(into: JournalState, segment: number, meta: SegmentMeta | 'stub' | undefined): Fault | undefined {
    const key = keyOf(segmentKey(segment))
    if (meta === undefined) return { key, reason: 'it is not there' }
    if (meta === 'stub') return { key, reason: 'it is a stub, and no manifest says where its content is' }
    return applyMeta(into, meta) ? undefined : { key, reason: 'it does not follow the segments before it' }
  }

  async function look(): Promise<JournalState> {
    for (;;) {
      const now = state === undefined ? await load() : await lookAfter(state)
      // A manifest that was written here meanwhile may have put another state in its place.
      if (state === now) return now
    }
  }

  async function lookAfter(at: JournalState): Promise<JournalState> {
    for (let found = 0; ; found++) {
      if (found >= 2) return (await follow(at, await newestAfter(at.segment))) === undefined ? at : load()
      const meta = await findEnd(at.segment + 1)
      if (meta === undefined) return at
      if (meta === 'stub' || !applyMeta(at, meta)) return load()
    }
  }

  async function fresh(): Promise<JournalState> {
    if (looking === undefined) {
      looking = look().finally(() => {
        looking = undefined
      })
      return looking
    }
    next ??= looking
      .catch(() => {})
      .then(() => {
        next = undefined
        return fresh()
      })
    return next
  }

  return {
    folder,
    namespace,
    keyOf,
    newestManifest,
    newestSegment: async () => newestAfter((await stateBeforeRepair()).segment),
    async stateAt(segment) {
      const made = await stateBeforeRepair()
      base = made.segment
      const fault = await follow(made, segment)
      if (fault !== undefined) throw torn(fault)
      return made
    },
    get found() {
      return name
    },
    get state() {
      return state
    },
    get manifest() {
      return manifest
    },
    get base() {
      return base
    },
    fresh,
    known: async () => state ?? fresh(),
    async reload() {
      await looking?.catch(() => {})
      state = undefined
      return fresh()
    },
    adopt(written, records) {
      manifest = written
      base = written.segment
      if (records.length === 0 || state?.began !== written.began) return
      const made = newState(written.began)
      for (const record of records) made.apply(record)
      for (const record of state.records(written.segment + 1, state.segment)) made.apply(record)
      state = made
    },
  }
}

/** The records of a block; undefined when they are not as they were written. */
function withoutDigest(block: Uint8Array): Uint8Array | undefined {
  const records = block.subarray(0, -digestBytes)
  return Buffer.from(block.subarray(-digestBytes)).equals(sha256(records)) ? records : undefined
}

/** Whether a record is of the segment after the last one of a state, and not of a chain that went another way. */
function follows({ segment, token }: JournalState, encoded: Uint8Array): boolean {
  const { previous, ends } = decodeRecord(encoded)
  return ends || segment === 0 || token === '' || previous === token
}
