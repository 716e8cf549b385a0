/** What a repository that was opened with a key holds: the key, the mark that follows, and why a history may be refused. */

import type { Marks } from '../../store/index.ts'
import type { ExpectedHead } from './entry-bodies.ts'

/** A key that signs: in a file, in hardware, in another process. */
export interface Signer {
  /** Eight hex digits, as in the verifier key. */
  readonly keyId: string
  /** What others check signatures with: `name+hash+base64`, as C2SP writes it. */
  readonly verifierKey: string
  /** The 64 bytes of an Ed25519 signature. */
  sign(message: Uint8Array): Promise<Uint8Array>
}

export interface Signing {
  /** The key that signs. It changes when another takes its place. */
  signer: Signer
  /** Whether every commit is answered with a signed head. */
  readonly receipts: boolean
  /** The mark beside the store, where the place has one and this repository writes. */
  readonly mark: MarkFollower | undefined
  /** Where it lies. */
  readonly place: MarkPlace | undefined
  /** The signed head over the first entries. */
  headAt(size: number): Promise<string>
}

export interface MarkPlace {
  readonly marks: Marks
  readonly namespace: string
}

/** Lets the mark follow the journal. */
export interface MarkFollower {
  /** Writes what is not written yet. */
  flush(): Promise<void>
  /** The same, and stops following. */
  close(): Promise<void>
}

/** Why a journal is not what a mark says. */
export type HistoryFault = (
  | { readonly code: 'history-short'; readonly data: { readonly size: number; readonly marked: number } }
  | {
      readonly code: 'history-forked'
      readonly data: { readonly size: number; readonly marked: number; readonly reason: string }
    }
) & {
  /** What the mark says, if it can be read. */
  readonly expected: ExpectedHead | undefined
  /** Whether what is missing was acknowledged without waiting for the disk, so that a power failure explains it. */
  readonly isTolerable: boolean
  /** Whether the journal could not be compared, because what is derived from it is damaged. A repair compares it again. */
  readonly isUncompared?: boolean
}
