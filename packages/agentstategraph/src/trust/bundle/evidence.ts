/**
 * Gathers the proofs around the entries of a bundle: the tree before them, the signed head after them, and the key changes.
 */

import { appendAll, checkpointText, noteText, toBase64 } from '../../core/index.ts'
import {
  consistencyProofAt,
  type EpochSeal,
  frontierAt,
  type Handle,
  inclusionProofAt,
  keyChanges,
  logOrigin,
  rootAt,
} from '../../repo/index.ts'
import { type Journal, readEntry, readGenesis, type Work } from '../../store/index.ts'
import { trustError } from '../errors.ts'
import type { BundleRecord, KeychainRecord } from './format.ts'

export interface Evidence {
  readonly origin: string
  /** The records between header and entries. */
  readonly records: readonly BundleRecord[]
}

/** `from` is the first entry of the epoch; `since` is the size of a head that the receiver kept. */
export async function evidenceOf(
  handle: Handle,
  from: number,
  { seq: to, proof }: EpochSeal,
  since: number | undefined,
): Promise<Evidence> {
  const { journal, shared } = handle
  const origin = logOrigin((await journal.run(readGenesis()))?.origin ?? '')
  const { peaks } = await journal.run(frontierAt(journal, from - 1))
  const records: BundleRecord[] = [{ type: 'prior', hashes: peaks.map(toBase64) }]
  if (since !== undefined) appendAll(records, await journal.run(sinceRecord(journal, since, from - 1)))
  const head = proof?.signed ?? (await shared.signing?.headAt(to)) ?? (await unsignedHead(journal, origin, to))
  appendAll(records, await journal.run(keychainOf(journal, from, to, head)))
  return { origin, records: [...records, { type: 'checkpoint', head }] }
}

async function unsignedHead(journal: Journal, origin: string, size: number): Promise<string> {
  const root = await journal.run(rootAt(journal, size))
  return noteText({ text: checkpointText({ origin, size, root }), signatures: [] })
}

/** Empty when `since` is the size before the epoch or one within it: a reader computes those roots anyway. */
function* sinceRecord(journal: Journal, since: number, before: number): Work<readonly BundleRecord[]> {
  if (!Number.isSafeInteger(since) || since < 1)
    throw trustError('export-invalid', { reason: `${since} is not the size of a head` })
  if (since >= before) return []
  const root = toBase64(yield* rootAt(journal, since))
  const proof = (yield* consistencyProofAt(journal, since, before)).map(toBase64)
  return [{ type: 'since', size: since, root, proof }]
}

function* keychainOf(journal: Journal, from: number, to: number, head: string): Work<readonly KeychainRecord[]> {
  const records: KeychainRecord[] = []
  for (const change of yield* keyChanges()) {
    if (change.seq > to) continue
    // Both keys sign the tree that ends with the change. One that was interrupted is covered by the head of the epoch only.
    const covering = change.signed === undefined ? { note: head, size: to } : { ...change.signed, size: change.seq }
    records.push(yield* keychainRecord(journal, change.seq, covering, from))
  }
  return records
}

function* keychainRecord(
  journal: Journal,
  seq: number,
  { note, size }: { readonly note: string; readonly size: number },
  from: number,
): Work<KeychainRecord> {
  const { row } = yield* readEntry(seq)
  const proof = (yield* inclusionProofAt(journal, seq - 1, size)).map(toBase64)
  const record: KeychainRecord = { type: 'keychain', seq, entry: row.text, head: note, proof }
  if (seq >= from) return record
  return { ...record, prior: (yield* inclusionProofAt(journal, seq - 1, from - 1)).map(toBase64) }
}
