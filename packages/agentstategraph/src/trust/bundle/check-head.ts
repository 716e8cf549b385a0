/**
 * What comes before the entries of a bundle: header, prior, since, keychain and checkpoint, each checked by itself and against
 * those before it.
 */

import {
  type Frontier,
  findBase64,
  leafHash,
  rootOfFrontier,
  verifyConsistency,
  verifyInclusion,
} from '../../core/index.ts'
import { findSignedHead, type SignedHead } from '../signed-head.ts'
import { BundleFault } from './fault.ts'
import {
  type BundleRecord,
  bundleFormat,
  bundleVersion,
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
export interface BundleHead {
  readonly header: HeaderRecord
  readonly patterns: Patterns | undefined
  /** The tree before the first entry. */
  readonly frontier: Frontier
  readonly since: { readonly size: number; readonly root: string } | undefined
  readonly keychain: readonly KeyChange[]
  readonly checkpoint: SignedHead
}

export type HeadRecord = Exclude<BundleRecord, { readonly type: 'entry' | 'node' | 'end' }>

export interface HeadChecker {
  take(record: HeadRecord): void
  done(): BundleHead
}

export function headChecker(): HeadChecker {
  let header: HeaderRecord | undefined
  let patterns: Patterns | undefined
  let frontier: Frontier | undefined
  let since: BundleHead['since']
  let checkpoint: SignedHead | undefined
  const keychain: KeyChange[] = []
  return {
    take(record) {
      switch (record.type) {
        case 'header':
          patterns = checkedPatterns(record)
          header = record
          break
        case 'prior':
          frontier = frontierOf(header!.from - 1, record.hashes)
          break
        case 'since':
          since = checkedSince(record, frontier!)
          break
        case 'keychain':
          keychain.push(checkedKey(record, header!, frontier!, keychain.at(-1)?.seq ?? 0))
          break
        case 'checkpoint':
          checkpoint = headOf('checkpoint', record.head, header!)
          if (checkpoint.size !== header!.to) throw new BundleFault('checkpoint', 'the head is of another size')
      }
    },
    done: () => ({ header: header!, patterns, frontier: frontier!, since, keychain, checkpoint: checkpoint! }),
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
  return { size, peaks: bytesOf(hashes) }
}

function checkedSince({ size, root, proof }: SinceRecord, frontier: Frontier): { size: number; root: string } {
  const isWithin = size >= 1 && size < frontier.size
  const now = rootOfFrontier(frontier)
  if (!isWithin || !verifyConsistency(size, frontier.size, findBase64(root)!, now, bytesOf(proof)))
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
  if (!verifyInclusion(leaf, seq - 1, head.size, bytesOf(record.proof), findBase64(head.root)!))
    throw fault('it is not in the tree of its head')
  if (prior !== undefined && !verifyInclusion(leaf, seq - 1, frontier.size, bytesOf(prior), rootOfFrontier(frontier)))
    throw fault('it is not in the tree before the epoch')
  return { seq, entry, head }
}

function headOf(check: 'keychain' | 'checkpoint', text: string, { origin }: HeaderRecord): SignedHead {
  const head = findSignedHead(text)
  if (head === undefined) throw new BundleFault(check, 'the head is not a signed note of a checkpoint')
  if (head.origin !== origin) throw new BundleFault(check, 'the head is of another log')
  return head
}

function bytesOf(hashes: readonly string[]): Uint8Array[] {
  return hashes.map(hash => findBase64(hash)!)
}
