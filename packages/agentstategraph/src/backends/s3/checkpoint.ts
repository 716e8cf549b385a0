/**
 * Writes manifests, so that a process that opens a journal reads a few objects and not all segments.
 *
 * A manifest is made from the one before it. Its last block is inside it, and blocks are merged so that each has at least four times the
 * bytes of the next.
 */
import { randomBytes } from 'node:crypto'
import { joinedBytes } from '../../core/index.ts'
import type { Chain } from './chain.ts'
import { type Block, encodeManifest, type Manifest, manifestKey, objectKey, type Referred } from './manifest.ts'
import { decodeRecord, encodeRecord, joinRecords } from './record.ts'
import type { Bucket } from './requests/bucket.ts'
import { sha256 } from './segment.ts'
import type { JournalState } from './state.ts'

/** How many segments, and how many bytes of their records, the segments after a manifest repeat. */
const mostSegments = 64
const mostBytes = 256 * 1024
const growth = 4
const inlineBytes = 128 * 1024

/** Whether the records that a new segment repeats are too many. Of several writers, one writes the manifest. */
export function isDue({ base }: Chain, state: JournalState): boolean {
  const since = state.segment - base
  if (since < 8) return false
  if (since >= mostSegments) return since % 16 === 0
  return (
    since % 8 === 0 && state.records(base + 1, state.segment).reduce((sum, { length }) => sum + length, 0) > mostBytes
  )
}

/** What a manifest says of content that was moved: the records from a segment on up to the last that was copied, and all runs. */
export interface Moved {
  readonly from: number
  readonly records: readonly Uint8Array[]
  readonly runs: readonly Referred[]
  readonly copied: number
}

/** Writes the next manifest for a state. Undefined when another process has written it. */
export async function writeManifest(
  bucket: Bucket,
  chain: Chain,
  state: JournalState,
  moved?: Moved,
): Promise<Manifest | undefined> {
  const before = chain.manifest
  const number = before.number + 1
  const to = moved?.copied ?? state.segment
  const isSame = before.began === state.began
  const from = Math.max(moved?.from ?? before.segment + 1, state.began + 1)
  const all = moved === undefined ? state.records(from, to) : moved.records
  const kept = isSame ? before.blocks.filter(block => block.to < from) : []
  // A block that has some of the replaced records and others is written again as a whole.
  const cut = isSame ? before.blocks.find(block => block.to >= from) : undefined
  const first = Math.min(from, cut?.from ?? from)
  const records = [...state.records(first, from - 1), ...all]
  const merged = mergedBlocks(state, kept, { from: first, to, content: contentOf(records) })
  const blocks: Block[] = []
  let inline: Uint8Array = new Uint8Array()
  for (const block of merged) {
    if ('key' in block) {
      blocks.push(block)
    } else if (block === merged.at(-1) && block.content.length <= inlineBytes) {
      inline = block.content
      blocks.push({ from: block.from, to: block.to, bytes: inline.length })
    } else {
      const key = objectKey('b', number, randomBytes(6).toString('hex'))
      await bucket.put(chain.keyOf(key), joinedBytes([block.content, sha256(block.content)]))
      blocks.push({ key, from: block.from, to: block.to, bytes: block.content.length })
    }
  }
  const manifest: Manifest = {
    number,
    namespace: chain.namespace,
    segment: to,
    began: state.began,
    copied: moved?.copied ?? (isSame ? before.copied : state.began),
    blocks,
    runs: moved?.runs ?? (isSame ? before.runs : []),
  }
  if ((await bucket.create(chain.keyOf(manifestKey(number)), encodeManifest(manifest, inline))) === 'exists')
    return undefined
  // Under a number that was deleted it would be created too, long after the newest.
  if ((await chain.newestManifest()) !== number) return undefined
  chain.adopt(manifest, moved === undefined ? [] : [...state.records(state.began + 1, from - 1), ...moved.records])
  await removeReplaced(bucket, chain, before, manifest)
  return manifest
}

interface NewBlock {
  readonly from: number
  readonly to: number
  readonly content: Uint8Array
}

/** Adds a block to others, and merges it with those that are not much larger. */
function mergedBlocks(
  state: JournalState,
  kept: readonly Block[],
  added: NewBlock,
): readonly ((Block & { key: string }) | NewBlock)[] {
  const blocks = [...kept]
  let last = added
  while (blocks.length > 0) {
    const before = blocks.at(-1)!
    // The one inside a manifest cannot stay there.
    if (before.key !== undefined && before.bytes >= growth * last.content.length) break
    blocks.pop()
    const content = joinedBytes([contentOf(state.records(before.from, before.to)), last.content])
    last = { from: before.from, to: last.to, content }
  }
  return [...(blocks as (Block & { key: string })[]), last]
}

/** Records without the leaves of their newest entries, but for the last of them. */
function contentOf(records: readonly Uint8Array[]): Uint8Array {
  const last = records.findLastIndex(record => decodeRecord(record).entries.length > 0)
  return joinRecords(
    records.map((record, i) => {
      const { leaf, ...rest } = decodeRecord(record)
      return i === last || leaf === undefined ? record : encodeRecord(rest)
    }),
  )
}

/** Deletes what only the manifest before refers to, and that manifest. Those who read it now read the next. */
async function removeReplaced(bucket: Bucket, chain: Chain, before: Manifest, manifest: Manifest): Promise<void> {
  if (before.number === 0) return
  const used = new Set(manifest.blocks.map(({ key }) => key))
  for (const { key } of before.blocks) {
    if (key !== undefined && !used.has(key)) await bucket.remove(chain.keyOf(key))
  }
  await bucket.remove(chain.keyOf(manifestKey(before.number)))
}
