/**
 * Checks what comes before the entries of a bundle: header, prior, since, keychain and the signed head. Each record is
 * checked by itself and against those before it. Signatures are checked elsewhere.
 */

import { type Frontier, leafHash, rootOfFrontier, verifyConsistency, verifyInclusion } from '../../core/index.ts'
import { findSignedHead, type SignedHead } from '../signed-head.ts'
import { BundleFault } from './fault.ts'
import {
  type BundleRecord,
  bundleFormat,
  bundleVersion,
  bytesOfHash,
  type HeaderRecord,
  type KeychainRecord,
  profiles,
  type SinceRecord,
} from './format.ts'
import { findPatterns, type Patterns } from './openings.ts'
import { findEntryRecord } from './texts.ts'

/** A change of keys, and the head that vouches for it. */
export interface KeyChange {
  readonly seq: number
  readonly entry: string
  readonly head: SignedHead
}

/** What a bundle says before its entries. */
export interface Preamble {
  readonly header: HeaderRecord
  readonly patterns: Patterns | undefined
  /** The tree before the first entry. */
  readonly frontier: Frontier
  readonly since: { readonly size: number; readonly root: string } | undefined
  readonly keychain: readonly KeyChange[]
  /** The head of the log at the end of the epoch, from the record of type `checkpoint`. */
  readonly signedHead: SignedHead
}

export type PreambleRecord = Exclude<BundleRecord, { readonly type: 'entry' | 'node' | 'end' }>

/** Takes the records in the order of the format, which the caller guarantees. */
export class PreambleChecker {
  #header: HeaderRecord | undefined
  #patterns: Patterns | undefined
  #frontier: Frontier | undefined
  #since: Preamble['since']
  readonly #keychain: KeyChange[] = []
  #signedHead: SignedHead | undefined

  take(record: PreambleRecord): void {
    switch (record.type) {
      case 'header':
        this.#patterns = checkedPatterns(record)
        this.#header = record
        break
      case 'prior':
        this.#frontier = frontierOf(this.#header!.from - 1, record.hashes)
        break
      case 'since':
        this.#since = checkedSince(record, this.#frontier!)
        break
      case 'keychain':
        this.#keychain.push(checkedKey(record, this.#header!, this.#frontier!, this.#keychain.at(-1)?.seq ?? 0))
        break
      case 'checkpoint':
        this.#signedHead = headOf('checkpoint', record.head, this.#header!)
        if (this.#signedHead.size !== this.#header!.to)
          throw new BundleFault('checkpoint', 'the head is of another size')
    }
  }

  done(): Preamble {
    return {
      header: this.#header!,
      patterns: this.#patterns,
      frontier: this.#frontier!,
      since: this.#since,
      keychain: this.#keychain,
      signedHead: this.#signedHead!,
    }
  }
}

function checkedPatterns(header: HeaderRecord): Patterns | undefined {
  const { format, version, from, to, profile, paths, origin, epoch } = header
  if (format !== bundleFormat || version !== bundleVersion)
    throw new BundleFault(
      'version',
      `the format is ${format} ${version}, and ${bundleFormat} ${bundleVersion} is known`,
    )
  if (!profiles.includes(profile)) throw new BundleFault('header', `${profile} is not a profile`)
  if (from < 1 || to < from) throw new BundleFault('header', `entries ${from} to ${to} are no range`)
  if ([origin, epoch].some(name => name === '' || name.includes('\n')))
    throw new BundleFault('header', 'the origin or the epoch is not a name')
  if (paths === undefined) return undefined
  const patterns = profile === 'full' ? findPatterns(paths) : undefined
  if (patterns === undefined) throw new BundleFault('header', 'the paths are not patterns in order')
  return patterns
}

function frontierOf(size: number, hashes: readonly string[]): Frontier {
  let bits = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2
  if (hashes.length !== bits) throw new BundleFault('prior', `a tree of ${size} entries has ${bits} hashes`)
  return { size, peaks: hashes.map(bytesOfHash) }
}

function checkedSince({ size, root, proof }: SinceRecord, frontier: Frontier): { size: number; root: string } {
  const isWithin = size >= 1 && size < frontier.size
  const now = rootOfFrontier(frontier)
  if (!isWithin || !verifyConsistency(size, frontier.size, bytesOfHash(root), now, proof.map(bytesOfHash)))
    throw new BundleFault('since', `the tree of ${size} entries does not lead to that before the epoch`)
  return { size, root }
}

function checkedKey(record: KeychainRecord, header: HeaderRecord, frontier: Frontier, before: number): KeyChange {
  const { seq, entry, prior } = record
  const fault = (detail: string): BundleFault => new BundleFault('keychain', `entry ${seq}: ${detail}`)
  if (seq <= before || seq > header.to) throw fault('it is not in order')
  if ((prior !== undefined) !== seq < header.from) throw fault('its proof for the tree before the epoch is not right')
  if (findEntryRecord(entry)?.kind !== 'key') throw fault('it is not an entry about keys')
  const head = headOf('keychain', record.head, header)
  if (head.size < seq) throw fault('the head does not cover it')
  const leaf = leafHash(entry)
  if (!verifyInclusion(leaf, seq - 1, head.size, record.proof.map(bytesOfHash), bytesOfHash(head.root)))
    throw fault('it is not in the tree of its head')
  if (
    prior !== undefined &&
    !verifyInclusion(leaf, seq - 1, frontier.size, prior.map(bytesOfHash), rootOfFrontier(frontier))
  )
    throw fault('it is not in the tree before the epoch')
  return { seq, entry, head }
}

function headOf(check: 'keychain' | 'checkpoint', text: string, { origin }: HeaderRecord): SignedHead {
  const head = findSignedHead(text)
  if (head === undefined) throw new BundleFault(check, 'the text is not a signed head')
  if (head.origin !== origin) throw new BundleFault(check, 'the head is of another log')
  return head
}
