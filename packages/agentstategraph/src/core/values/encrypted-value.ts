/**
 * A value that was stored encrypted and cannot be read here: its key was destroyed, or this program does not have it.
 *
 * Reads return one in place of the value, so that listings, diffs and whole states stay readable; writing it back where it is
 * stores the same text. Anywhere else it is refused: it would be decrypted for those who may read there. This file knows no
 * keys and no cipher.
 */
import type { StateError } from '../errors.ts'
import { formatPath } from '../paths/path.ts'
import type { Stored } from '../text/stored.ts'
import { remedies, valueError } from './errors.ts'

/** A value that cannot be read here: its key is not at hand, or was destroyed. */
export class EncryptedValue {
  /** The id of the key it was encrypted with. */
  readonly key: string
  /** The `protect` pattern that it was encrypted for. */
  readonly pattern: string
  /** The encrypted text, as it is stored. */
  readonly data: string
  /** When its key was destroyed, in ISO 8601; undefined when the key exists elsewhere. */
  readonly erasedAt: string | undefined

  constructor(key: string, pattern: string, data: string, erasedAt?: string) {
    this.key = key
    this.pattern = pattern
    this.data = data
    this.erasedAt = erasedAt
  }

  get isErased(): boolean {
    return this.erasedAt !== undefined
  }
}

/** What is stored of an encrypted value; `erasedAt` never is. */
export type EncryptedFields = Pick<EncryptedValue, 'key' | 'pattern' | 'data'>

/** The stored form of an encrypted value. */
export function encryptedTag({ key, pattern, data }: EncryptedFields): Stored {
  return { $sealed: [key, pattern, data] }
}

/** The same with the time of erasure, which `decode` puts into the `EncryptedValue`. */
export function erasedTag({ key, pattern, data }: EncryptedFields, erasedAt: string): Stored {
  return { $sealed: [key, pattern, data, erasedAt] }
}

/** The refusal of an encrypted value that is not at this path already. */
export function encryptedRefused(path: readonly string[]): StateError {
  const refused = { path: formatPath(path), type: 'an encrypted value of another place', remedy: remedies.encrypted }
  return valueError('value-refused', { refused: [refused] })
}

/** Reads a stored value as an encrypted one; undefined when it is anything else. */
export function findEncrypted(value: Stored): EncryptedValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // A user's key that begins with a dollar is stored with two dollars, so `$sealed` is always the tag.
  const payload = (value as { readonly $sealed?: Stored }).$sealed
  return payload === undefined ? undefined : readEncrypted(payload)
}

export function readEncrypted(payload: Stored): EncryptedValue | undefined {
  if (!Array.isArray(payload) || payload.length < 3 || payload.length > 4) return undefined
  const [key, pattern, data, erasedAt]: readonly Stored[] = payload
  if (typeof key !== 'string' || typeof pattern !== 'string' || typeof data !== 'string') return undefined
  if (erasedAt === undefined) return new EncryptedValue(key, pattern, data)
  return typeof erasedAt === 'string' ? new EncryptedValue(key, pattern, data, erasedAt) : undefined
}
