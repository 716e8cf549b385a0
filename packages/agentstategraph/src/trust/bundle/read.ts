/**
 * Reading a bundle to its end: every check, the verdict, and what is in it.
 *
 * Lines are taken as they come and let go. Whoever wants to keep what they hold gives a sink.
 */

import { checkOptions, optionsOf } from '../../core/index.ts'
import type { OnProgress } from '../../repo/index.ts'
import { BundleChecker, type CheckedBundle } from './check.ts'
import type { EntrySink } from './check-entries.ts'
import { BundleFault } from './fault.ts'
import type { HeaderRecord } from './format.ts'
import { type Counting, counting, type Inventory } from './inventory.ts'
import { failedVerdict, pinnedBy, type Verdict, verdictOn } from './verdict.ts'

export interface BundleOptions {
  /** Public keys, name+hash+base64, that came by another way: of the log, to see that it signed; of witnesses. */
  keys?: readonly string[] | undefined
  /** A signed head that was kept from an earlier time: the bundle must go on from there. */
  prior?: string | undefined
  /** Told how many entries of the bundle were checked. */
  onProgress?: OnProgress | undefined
}

const bundleOptions = optionsOf<BundleOptions>('a bundle', { keys: true, prior: true, onProgress: true })

/** Who keeps what a bundle holds. */
export interface BundleSink extends EntrySink {
  /** Nothing more comes; refs are where they are in the end. */
  finish(refs: ReadonlyMap<string, number>): void
}

export interface ReadBundle {
  readonly verdict: Verdict
  /** What it says it is of; undefined when it broke off before that. */
  readonly epoch: string | undefined
  /** Undefined when a check of its integrity failed. */
  readonly inventory: Inventory | undefined
}

/** Checks a bundle without keeping it: what it takes of memory does not grow with the states in it. */
export async function verifyBundle(
  lines: AsyncIterable<string> | Iterable<string>,
  options: BundleOptions = {},
): Promise<Verdict & { readonly inventory: Inventory | undefined }> {
  const { verdict, inventory } = await readBundle(lines, options, async () => undefined)
  return { ...verdict, inventory }
}

/** Reads a bundle. `keep` is asked once, when what stands before the entries is right, who wants what follows. */
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
      tell(onProgress, header!, entry.seq)
      counted.entry(entry)
      kept?.entry(entry)
    },
    node(id, text) {
      counted.node(text)
      kept?.node(id, text)
    },
  }
  const checker = new BundleChecker(sink, pinned.kept === undefined ? [] : [pinned.kept.size])
  try {
    for await (const line of lines) {
      checker.take(line.endsWith('\n') ? line : `${line}\n`)
      if (header !== undefined || checker.preamble === undefined) continue
      header = checker.preamble.header
      kept = await keep(header)
    }
    const bundle = checker.finish()
    kept?.finish(bundle.refs)
    const verdict = await verdictOn(bundle, pinned)
    return { verdict, epoch: bundle.header.epoch, inventory: inventoryOf(bundle, counted) }
  } catch (fault) {
    if (!(fault instanceof BundleFault)) throw fault
    return { verdict: failedVerdict(fault), epoch: header?.epoch, inventory: undefined }
  }
}

const ENTRIES_PER_WORD = 256

function tell(onProgress: OnProgress, { from, to }: HeaderRecord, seq: number): void {
  const done = seq - from + 1
  if (done % ENTRIES_PER_WORD === 0 || seq === to) onProgress({ done, total: to - from + 1 })
}

function inventoryOf({ header, kinds, withheld, dropped }: CheckedBundle, counted: Counting): Inventory {
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
    withheld,
    dropped,
    ...counted.sealed(),
  }
}
