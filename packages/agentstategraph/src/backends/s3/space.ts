/** What this process has of one namespace: its chain of segments, what reads and writes it, its index, and work in the background. */
import { hashText, hexOfId } from '../../core/index.ts'
import { asyncIndex } from '../../store/contract/async-log.ts'
import type { LogIndex, SyncLogIndex } from '../../store/contract/index-log.ts'
import { lazyIndex, memoryIndex } from '../../store/memory/memory-index.ts'
import { type Appender, appenderTo } from './append.ts'
import type { CacheFolder } from './cache-folder.ts'
import { type Chain, chainOf } from './chain.ts'
import { isDue, writeManifest } from './checkpoint.ts'
import type { Chunks } from './chunks.ts'
import { movedManifest } from './compact.ts'
import { type Reader, readerOf } from './read.ts'
import type { Bucket } from './requests/bucket.ts'

export interface Space {
  readonly chain: Chain
  readonly reader: Reader
  readonly appender: Appender
  /** The index of queries. `ready` is waited for before each call. */
  index(ready: () => Promise<void>): LogIndex
  /** Waits for the work in the background. */
  settled(): Promise<void>
}

const plainName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** What the keys of a namespace begin with. */
export function folderOf(namespace: string): string {
  return `n/${plainName.test(namespace) ? namespace : `_${hexOfId(hashText(namespace))}`}/`
}

/** What the spaces of a store share. */
export interface SpaceParts {
  readonly bucket: Bucket
  readonly chunks: Chunks
  /** The folder for what outlives the process, if there is one. */
  cache(): CacheFolder | undefined
}

/** How many segments may be in no run before they are copied into one. */
const mostLoose = 256

export function openSpace({ bucket, chunks, cache }: SpaceParts, namespace: string, folder: string): Space {
  const chain = chainOf(bucket, chunks, namespace, folder)
  const reader = readerOf(chain, chunks)
  let background: Promise<unknown> | undefined
  let indexed: { readonly began: number; readonly index: SyncLogIndex } | undefined

  function onWritten(): void {
    const { state } = chain
    if (background !== undefined || state === undefined || !isDue(chain, state)) return
    background = checkpoint()
      // Segments repeat more records until another one succeeds.
      .catch(() => {})
      .finally(() => {
        background = undefined
      })
  }

  async function checkpoint(): Promise<void> {
    const state = (await chain.newestManifest()) === chain.manifest.number ? chain.state! : await chain.reload()
    const copied = Math.max(chain.manifest.copied, state.began)
    if (state.segment - copied < mostLoose) await writeManifest(bucket, chain, state)
    else await movedManifest({ bucket, chain, chunks }, state, copied + 1)
  }

  /** The index of the journal as it is known; one of another journal, or of another history, is not used. */
  async function openIndex(): Promise<void> {
    const { began, seq } = await chain.known()
    if (seq === 0 || indexed?.began === began) return
    const kept = cache()
    if (kept === undefined) {
      indexed = { began, index: memoryIndex() }
      return
    }
    const journal = `${folder}${began}`
    const { index, seen } = kept.index(journal)
    if (seen === undefined || (await reader.leaf(seen.seq)) !== seen.leaf) index.clear()
    indexed = { began, index: noting(index, () => chain.state?.newest && kept.noteSeen(journal, chain.state.newest)) }
  }

  return {
    chain,
    reader,
    appender: appenderTo({ bucket, chain, chunks, readLeaf: reader.leaf, onWritten }),
    index(ready) {
      const present = (): SyncLogIndex | undefined => {
        const { state } = chain
        return state !== undefined && state.seq > 0 && indexed?.began === state.began ? indexed.index : undefined
      }
      return asyncIndex(lazyIndex(present), async call => {
        await ready()
        await openIndex()
        return call()
      })
    },
    async settled() {
      await background
    },
  }
}

/** An index that notes each time when it grew. */
function noting(index: SyncLogIndex, note: () => void): SyncLogIndex {
  const noted = (isAdded: boolean): boolean => {
    if (isAdded) note()
    return isAdded
  }
  const { hashes } = index
  return {
    mark: () => index.mark(),
    add: batch => noted(index.add(batch)),
    search: search => index.search(search),
    counts: groups => index.counts(groups),
    hashes: {
      mark: () => hashes.mark(),
      add: batch => noted(hashes.add(batch)),
      read: places => hashes.read(places),
    },
    clear: () => index.clear(),
  }
}
