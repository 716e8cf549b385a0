/**
 * The integrity of a bundle, checked line by line in the order of docs/bundle.md, so that every verifier names the same
 * first failing check.
 *
 * What came through is handed on as it comes; whether the whole is right is known only at the end. Nothing is held but the
 * frontier, the places of refs, and the ids of nodes. Who signed is asked elsewhere.
 */

import { bytesOfId, runningHash, toBase64 } from '../../core/index.ts'
import { type CheckedEntries, type EntrySink, entryChecker } from './check-entries.ts'
import { type BundleHead, headChecker } from './check-head.ts'
import { BundleFault } from './fault.ts'
import type { BundleRecord, EndRecord } from './format.ts'
import { readRecord } from './record.ts'

/** What a bundle that passed all checks of integrity is. */
export interface CheckedBundle extends BundleHead, CheckedEntries {}

export interface BundleChecker {
  /** Checks the next line, which ends with its line feed. */
  take(line: string): void
  /** Checks what only the whole can tell. */
  finish(): CheckedBundle
  /** What the lines so far say of themselves; undefined before the first. */
  readonly head: BundleHead | undefined
}

/** The places at which each type may come; after one of a place, none of an earlier place comes. */
const places: Readonly<Record<BundleRecord['type'], number>> = {
  header: 0,
  prior: 1,
  since: 2,
  keychain: 3,
  checkpoint: 4,
  entry: 5,
  node: 5,
  end: 6,
}

/** Types that come exactly once: where one is due, nothing later comes. */
const due: readonly number[] = [places.header, places.prior, places.checkpoint, places.entry, places.end]

/** Begins a check. The roots at `sizes` are noted on the way. */
export function bundleChecker(sink: EntrySink, sizes: readonly number[]): BundleChecker {
  const heading = headChecker()
  const digest = runningHash()
  let entries: ReturnType<typeof entryChecker> | undefined
  let lines = 0
  let place = -1

  const assertOrder = (type: BundleRecord['type']): void => {
    const next = places[type]
    const isAgain = next === place && (type === 'keychain' || place === places.entry)
    const isSkipped = due.some(one => one > place && one < next)
    if (!(isAgain || next > place) || isSkipped) throw outOfOrder(type)
    if (next === places.entry) entries ??= entryChecker(heading.done(), sink, sizes)
    if (type === 'entry' && entries?.isFull()) throw outOfOrder(type)
    if (type === 'node' && !entries?.takesNodes()) throw outOfOrder(type)
    if (type === 'end' && !entries?.isFull()) throw outOfOrder(type)
    place = next
  }

  return {
    get head() {
      return place < places.checkpoint ? undefined : heading.done()
    },
    take(line) {
      const record = readRecord(line)
      assertOrder(record.type)
      switch (record.type) {
        case 'entry':
          entries!.entry(record)
          break
        case 'node':
          entries!.node(record.node)
          break
        case 'end':
          entries!.assertNoneMissing()
          assertEnd(record, lines, toBase64(bytesOfId(digest.digest())))
          return
        default:
          heading.take(record)
      }
      lines++
      digest.update(line)
    },
    finish() {
      if (place !== places.end) throw new BundleFault('order', 'the bundle ends before its last line')
      const head = heading.done()
      return { ...head, ...entries!.finish(head) }
    },
  }
}

function outOfOrder(type: string): BundleFault {
  return new BundleFault('order', `a record of type ${type} may not come here`)
}

function assertEnd(end: EndRecord, lines: number, digest: string): void {
  if (end.lines !== lines) throw new BundleFault('end', `it counts ${end.lines} lines, and there are ${lines}`)
  if (end.digest !== digest) throw new BundleFault('end', 'the lines before it are not those that were exported')
}
