/**
 * Encrypts the values at protected paths with the key of their subject, and decrypts them.
 *
 * The value of a protected path is encrypted as a whole, into one tagged value. Encryption is deterministic, so trees are
 * hashed, compared and merged in their encrypted form, without any key. The caller's `Encryption` decides which paths are
 * protected and holds the keys.
 */

import {
  canonicalText,
  type EncryptedValue,
  encryptedTag,
  erasedTag,
  findBase64Url,
  findEncrypted,
  isDestroyed,
  isTagged,
  type Stored,
  type SubjectKeys,
  setOwn,
  toBase64Url,
  userKey,
} from '../../core/index.ts'

/** Which places of a tree are protected, and with whose keys. */
export interface Encryption {
  readonly keys: SubjectKeys
  /** The protected place at this path or above it. */
  findPlace(path: readonly string[]): ProtectedPlace | undefined
  /** Whether a protected place can be below a path that is in none. */
  mayHavePlaceBelow(path: readonly string[]): boolean
}

export interface ProtectedPlace {
  /** How many segments of the path lead to the place. */
  readonly depth: number
  readonly subject: string
  /** The pattern that protects it. */
  readonly pattern: string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encrypts the protected parts of a value that is written at a path. Parts that are encrypted already stay as they are. */
export function encryptedAt(encryption: Encryption | undefined, path: readonly string[], value: Stored): Stored {
  if (encryption === undefined) return value
  const place = encryption.findPlace(path)
  return place === undefined ? encryptedBelow(encryption, [...path], value) : encryptedFor(encryption, place, value)
}

function encryptedFor({ keys }: Encryption, { subject, pattern }: ProtectedPlace, value: Stored): Stored {
  if (findEncrypted(value) !== undefined) return value
  const key = keys.current(subject)
  const data = toBase64Url(key.encrypt(encoder.encode(canonicalText(value)), pattern))
  return encryptedTag({ key: key.id, pattern, data })
}

function encryptedBelow(encryption: Encryption, path: string[], value: Stored): Stored {
  if (typeof value !== 'object' || value === null || isTagged(value)) return value
  if (!encryption.mayHavePlaceBelow(path)) return value
  return withParts(value, (part, segment) => {
    path.push(segment)
    const place = encryption.findPlace(path)
    const encrypted =
      place === undefined ? encryptedBelow(encryption, path, part) : encryptedFor(encryption, place, part)
    path.pop()
    return encrypted
  })
}

/** Decrypts every part whose key is here. Parts whose key was destroyed become erased values; others stay encrypted. */
export function decrypted(encryption: Encryption | undefined, value: Stored): Stored {
  if (encryption === undefined || typeof value !== 'object' || value === null) return value
  const encrypted = findEncrypted(value)
  if (encrypted !== undefined) return decryptedValue(encryption, encrypted, value)
  return isTagged(value) && !isNested(value) ? value : withParts(value, part => decrypted(encryption, part))
}

function decryptedValue(encryption: Encryption, encrypted: EncryptedValue, value: Stored): Stored {
  const key = encryption.keys.find(encrypted.key)
  if (key === undefined) return value
  if (isDestroyed(key)) return erasedTag(encrypted, key.erasedAt)
  const bytes = findBase64Url(encrypted.data)
  const plain = bytes === undefined ? undefined : key.decrypt(bytes, encrypted.pattern)
  return plain === undefined ? value : decrypted(encryption, JSON.parse(decoder.decode(plain)) as Stored)
}

/** Whether a tagged value holds other values, which may be encrypted. */
function isNested(value: { readonly [tag: string]: Stored }): boolean {
  return typeof Object.values(value)[0] === 'object'
}

/** Replaces the parts of a container; returns the container itself when none changed. */
function withParts(value: Stored & object, replace: (part: Stored, segment: string) => Stored): Stored {
  if (Array.isArray(value)) {
    const list = value as readonly Stored[]
    const parts = list.map((part, index) => replace(part, `${index}`))
    return parts.every((part, index) => part === list[index]) ? value : parts
  }
  const map = value as { readonly [key: string]: Stored }
  let copy: { [key: string]: Stored } | undefined
  for (const key of Object.keys(map)) {
    const part = replace(map[key]!, userKey(key))
    if (part === map[key]) continue
    copy ??= Object.assign(Object.create(null) as { [key: string]: Stored }, map)
    setOwn(copy, key, part)
  }
  return copy ?? value
}
