/**
 * Checks the integrity of a bundle line by line, in the order of docs/bundle.md, so that every verifier names the same first
 * failing check.
 *
 * What passed is handed on as it comes; whether the whole is right is known only at the end. Nothing is held but the
 * frontier and the positions of refs; the ids of nodes and commits go to a scratch. Signatures are checked elsewhere.
 */

import { bytesOfId, runningHash, toBase64 } from '../../core/index.ts'
import type { Scratch } from '../../store/contract/scratch.ts'
import { type CheckedEntries, EntryChecker, type EntrySink } from './check-entries.ts'
import { type Preamble, PreambleChecker } from './check-preamble.ts'
import { BundleFault } from './fault.ts'
import type { BundleRecord, EndRecord } from './format.ts'
import { readRecord } from './record.ts'

/** A bundle that passed all checks of integrity. */
export interface CheckedBundle extends Preamble, CheckedEntries {}

/** The rank of each type in the file; after a record of one rank, none of a lower rank may come. */
const ranks: Readonly<Record<BundleRecord['type'], number>> = {
  header: 0,
  prior: 1,
  since: 2,
  keychain: 3,
  checkpoint: 4,
  access: 5,
  entry: 6,
  node: 6,
  end: 7,
}

/** Ranks that no bundle may skip. */
const required: readonly number[] = [ranks.header, ranks.prior, ranks.checkpoint, ranks.entry, ranks.end]

export class BundleChecker {
  readonly #sink: EntrySink
  readonly #sizes: readonly number[]
  readonly #scratch: Scratch
  readonly #preambleChecker = new PreambleChecker()
  readonly #digest = runningHash()
  #entries: EntryChecker | undefined
  #lines = 0
  #rank = -1

  /** `sizes` are the sizes of the log whose roots the result has to hold. */
  constructor(sink: EntrySink, sizes: readonly number[], scratch: Scratch) {
    this.#sink = sink
    this.#scratch = scratch
    this.#sizes = sizes
  }

  /** What the bundle says before its entries; undefined until all of that was read. */
  get preamble(): Preamble | undefined {
    return this.#rank < ranks.checkpoint ? undefined : this.#preambleChecker.done()
  }

  /** Checks the next line, which ends with its line feed. */
  take(line: string): void {
    const record = readRecord(line)
    this.#assertOrder(record.type)
    switch (record.type) {
      case 'access':
        this.#entries!.access(record)
        break
      case 'entry':
        this.#entries!.entry(record)
        break
      case 'node':
        this.#entries!.node(record.node)
        break
      case 'end':
        this.#entries!.assertNoneMissing()
        assertEnd(record, this.#lines, toBase64(bytesOfId(this.#digest.digest())))
        return
      default:
        this.#preambleChecker.take(record)
    }
    this.#lines++
    this.#digest.update(line)
  }

  /** Checks what only the whole can tell. */
  finish(): CheckedBundle {
    if (this.#rank !== ranks.end) throw new BundleFault('order', 'the bundle ends before its last line')
    return { ...this.#preambleChecker.done(), ...this.#entries!.finish() }
  }

  #assertOrder(type: BundleRecord['type']): void {
    const next = ranks[type]
    const isAgain = next === this.#rank && (type === 'keychain' || next === ranks.entry)
    const isSkipped = required.some(rank => rank > this.#rank && rank < next)
    if (!(isAgain || next > this.#rank) || isSkipped) throw outOfOrder(type)
    if (next >= ranks.access)
      this.#entries ??= new EntryChecker(this.#preambleChecker.done(), this.#sink, this.#sizes, this.#scratch)
    const isFull = this.#entries?.isFull === true
    if (type === 'entry' && isFull) throw outOfOrder(type)
    if (type === 'node' && this.#entries?.takesNodes !== true) throw outOfOrder(type)
    if (type === 'end' && !isFull) throw outOfOrder(type)
    if (type === 'access' && this.#entries?.takesAccess !== true) throw outOfOrder(type)
    this.#rank = next
  }
}

function outOfOrder(type: string): BundleFault {
  return new BundleFault('order', `a record of type ${type} may not come here`)
}

function assertEnd(end: EndRecord, lines: number, digest: string): void {
  if (end.lines !== lines) throw new BundleFault('end', `it counts ${end.lines} lines, and there are ${lines}`)
  if (end.digest !== digest) throw new BundleFault('end', 'the lines before it are not those that were exported')
}
