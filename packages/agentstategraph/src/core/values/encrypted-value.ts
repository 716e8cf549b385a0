/**
 * A value that was stored encrypted and cannot be read here: its key was destroyed, or this program does not have it.
 *
 * Reading gives one in the place of what it was, so that a listing, a diff or a whole state can still be read; writing it
 * back stores the very text it came from. Who can open one, and with what, is not known here.
 */
import type { Stored } from '../text/stored.ts'

export class EncryptedValue {
  /** The id of the key it was sealed with. */
  readonly key: string
  /** The encrypted text, as it is stored. */
  readonly data: string
  /** When its key was destroyed, in ISO 8601; undefined when the key is only not here. */
  readonly erasedAt: string | undefined

  constructor(key: string, data: string, erasedAt?: string) {
    this.key = key
    this.data = data
    this.erasedAt = erasedAt
  }

  /** Whether nobody can read it any more. */
  get isErased(): boolean {
    return this.erasedAt !== undefined
  }
}

/** Writes a sealed value. When it was erased is for readers, and never stored. */
export function encryptedTag({ key, data }: { readonly key: string; readonly data: string }): Stored {
  return { $sealed: [key, data] }
}

/** The same with the time at which its key was destroyed, for `decode` to hand on. */
export function erasedTag({ key, data }: { readonly key: string; readonly data: string }, erasedAt: string): Stored {
  return { $sealed: [key, data, erasedAt] }
}

/** The sealed value that a stored one is, or undefined when it is anything else. */
export function findEncrypted(value: Stored): EncryptedValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // A user's key that begins with a dollar is stored with two, so there is no other key beside this one.
  const payload = (value as { readonly $sealed?: Stored }).$sealed
  return payload === undefined ? undefined : readSealed(payload)
}

/** Reads the payload of the tag. */
export function readSealed(payload: Stored): EncryptedValue | undefined {
  if (!Array.isArray(payload) || payload.length < 2 || payload.length > 3) return undefined
  const [key, data, erasedAt]: readonly Stored[] = payload
  if (typeof key !== 'string' || typeof data !== 'string') return undefined
  if (erasedAt === undefined) return new EncryptedValue(key, data)
  return typeof erasedAt === 'string' ? new EncryptedValue(key, data, erasedAt) : undefined
}
