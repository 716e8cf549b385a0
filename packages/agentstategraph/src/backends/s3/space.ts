/** What this process has of one namespace: its chain of segments, what reads and writes it, its index, and work in the background. */
import { hashText, hexOfId } from '../../core/index.ts'
import { asyncIndex } from '../../store/contract/async-log.ts'
import type { LogIndex, SyncLogIndex } from '../../store/contract/index-log.ts'
import { lazyIndex, memoryIndex } from '../../store/memory/memory-index.ts'
import { type Appender, appenderTo } from './append.ts'
import type { Bucket } from './bucket.ts'
import { type Chain, chainOf } from './chain.ts'
import { isDue, writeManifest } from './checkpoint.ts'
import type { Chunks } from './chunks.ts'
import { type Reader, readerOf } from './read.ts'

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

export function openSpace(bucket: Bucket, chunks: Chunks, namespace: string, folder: string): Space {
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
    await writeManifest(bucket, chain, state)
  }

  function findIndex(): SyncLogIndex | undefined {
    const { state } = chain
    if (state === undefined || state.seq === 0) return undefined
    if (indexed?.began !== state.began) indexed = { began: state.began, index: memoryIndex() }
    return indexed.index
  }

  return {
    chain,
    reader,
    appender: appenderTo({ bucket, chain, chunks, readLeaf: reader.leaf, onWritten }),
    index(ready) {
      return asyncIndex(lazyIndex(findIndex), async call => {
        await ready()
        await chain.known()
        return call()
      })
    },
    async settled() {
      await background
    },
  }
}
