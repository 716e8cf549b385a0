/**
 * Reads a bundle to its end: every check, the verdict and the inventory.
 *
 * No line is kept after it was read. A caller that wants the content passes a sink.
 */

import { checkOptions, optionsOf } from '../../core/index.ts'
import type { OnProgress } from '../../repo/index.ts'
import { openScratch } from '../../repository/scratch.ts'
import type { Scratch } from '../../store/contract/scratch.ts'
import { BundleChecker, type CheckedBundle } from './check.ts'
import type { EntrySink } from './check-entries.ts'
import { BundleFault } from './fault.ts'
import type { HeaderRecord } from './format.ts'
import { type Counting, counting, type Inventory } from './inventory.ts'
import { failedVerdict, pinnedBy, type Verdict, verdictOn } from './verdict.ts'

/** Options of `openBundle` and `verifyBundle`. */
export interface BundleOptions {
  /** Public keys, name+hash+base64, of the log and of witnesses. They must not come from where the bundle came from. */
  keys?: readonly string[] | undefined
  /** A signed head kept from an earlier time: the bundle must extend it. */
  prior?: string | undefined
  /** Called with the number of entries that were checked. */
  onProgress?: OnProgress | undefined
}

const bundleOptions = optionsOf<BundleOptions>('a bundle', { keys: true, prior: true, onProgress: true })

/** Receives the content of a bundle. */
export interface BundleSink extends EntrySink {
  /** Called after the last entry, with the final position of each ref. */
  finish(refs: ReadonlyMap<string, number>): void
}

export interface ReadBundle {
  readonly verdict: Verdict
  /** The id of the epoch; undefined when the bundle failed before its entries. */
  readonly epoch: string | undefined
  /** Undefined when a check of its integrity failed. */
  readonly inventory: Inventory | undefined
}

/** Checks a bundle without keeping it: memory use does not grow with the states in it. */
export async function verifyBundle(
  lines: AsyncIterable<string> | Iterable<string>,
  options: BundleOptions = {},
): Promise<Verdict & { readonly inventory: Inventory | undefined }> {
  const { verdict, inventory } = await readBundle(lines, options, async () => undefined)
  return { ...verdict, inventory }
}

/** Reads a bundle. `keep` is called once, after the header and its proofs passed; it may return a sink for the rest. */
export async function readBundle(
  lines: AsyncIterable<string> | Iterable<string>,
  options: BundleOptions,
  keep: (header: HeaderRecord) => Promise<BundleSink | undefined>,
): Promise<ReadBundle> {
  checkOptions(bundleOptions, options)
  const { keys = [], prior, onProgress = () => {} } = options
  const pinned = pinnedBy(keys, prior)
  const counted = counting()
  let kept: BundleSink | undefined
  let header: HeaderRecord | undefined
  const sink: EntrySink = {
    entry(entry) {
      reportProgress(onProgress, header!, entry.seq)
      counted.entry(entry)
      kept?.entry(entry)
    },
    node(id, text) {
      counted.node(text)
      kept?.node(id, text)
    },
  }
  let scratch: Scratch | undefined
  const begin = async (): Promise<BundleChecker> => {
    scratch = await openScratch()
    return new BundleChecker(sink, pinned.kept === undefined ? [] : [pinned.kept.size], scratch)
  }
  let checker: BundleChecker | undefined
  try {
    for await (const line of lines) {
      // Not before the first line: some streams emit their lines at once, and those before the first read would be lost.
      checker ??= await begin()
      checker.take(line.endsWith('\n') ? line : `${line}\n`)
      if (header !== undefined || checker.preamble === undefined) continue
      header = checker.preamble.header
      kept = await keep(header)
    }
    checker ??= await begin()
    const bundle = checker.finish()
    kept?.finish(bundle.refs)
    const verdict = await verdictOn(bundle, pinned)
    return { verdict, epoch: bundle.header.epoch, inventory: inventoryOf(bundle, counted) }
  } catch (fault) {
    if (!(fault instanceof BundleFault)) throw fault
    return { verdict: failedVerdict(fault), epoch: header?.epoch, inventory: undefined }
  } finally {
    scratch?.close()
  }
}

const ENTRIES_PER_REPORT = 256

function reportProgress(onProgress: OnProgress, { from, to }: HeaderRecord, seq: number): void {
  const done = seq - from + 1
  if (done % ENTRIES_PER_REPORT === 0 || seq === to) onProgress({ done, total: to - from + 1 })
}

function inventoryOf({ header, kinds, withheld, dropped, authorities }: CheckedBundle, counted: Counting): Inventory {
  const { origin, epoch, from, to, profile, paths } = header
  return {
    origin,
    epoch,
    from,
    to,
    profile,
    ...(paths === undefined ? {} : { paths }),
    kinds: Object.fromEntries(kinds),
    agents: counted.agents(),
    chains: Object.fromEntries(authorities.chains),
    withheld,
    dropped,
    ...counted.encrypted(),
  }
}
