/**
 * Values that only the holder of a key can read: sealing what belongs to a subject, and opening it.
 *
 * A protected place is sealed as a whole, into one tagged value; the same value of the same subject always becomes the
 * same text. So trees are hashed, compared and merged as they lie, with no key at hand. Which paths are protected and
 * where keys are kept is decided by whoever makes the `Encryption`.
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
  /** The protected place that a path is, or leads through: how many segments lead to it, and whose it is. */
  findPlace(path: readonly string[]): ProtectedPlace | undefined
  /** Whether a protected place could be below a path that is in none. */
  mayHavePlaceBelow(path: readonly string[]): boolean
}

export interface ProtectedPlace {
  readonly depth: number
  readonly subject: string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A value for a path, with what is protected in it sealed. What is sealed already stays as it is. */
export function encryptedAt(encryption: Encryption | undefined, path: readonly string[], value: Stored): Stored {
  if (encryption === undefined) return value
  const place = encryption.findPlace(path)
  return place === undefined
    ? encryptedBelow(encryption, [...path], value)
    : encryptedFor(encryption, place.subject, value)
}

function encryptedFor({ keys }: Encryption, subject: string, value: Stored): Stored {
  if (findEncrypted(value) !== undefined) return value
  const key = keys.current(subject)
  return encryptedTag({ key: key.id, data: toBase64Url(key.seal(encoder.encode(canonicalText(value)))) })
}

function encryptedBelow(encryption: Encryption, path: string[], value: Stored): Stored {
  if (typeof value !== 'object' || value === null || isTagged(value)) return value
  if (!encryption.mayHavePlaceBelow(path)) return value
  return withParts(value, (part, segment) => {
    path.push(segment)
    const place = encryption.findPlace(path)
    const sealed =
      place === undefined ? encryptedBelow(encryption, path, part) : encryptedFor(encryption, place.subject, part)
    path.pop()
    return sealed
  })
}

/** A value with everything in it opened that can be. What was erased says so; anything else stays sealed. */
export function decrypted(encryption: Encryption | undefined, value: Stored): Stored {
  if (encryption === undefined || typeof value !== 'object' || value === null) return value
  const sealed = findEncrypted(value)
  if (sealed !== undefined) return openedValue(encryption, sealed, value)
  return isTagged(value) && !isNested(value) ? value : withParts(value, part => decrypted(encryption, part))
}

function openedValue(encryption: Encryption, sealed: EncryptedValue, value: Stored): Stored {
  const key = encryption.keys.find(sealed.key)
  if (key === undefined) return value
  if (isDestroyed(key)) return erasedTag(sealed, key.erasedAt)
  const bytes = findBase64Url(sealed.data)
  const plain = bytes === undefined ? undefined : key.open(bytes)
  return plain === undefined ? value : decrypted(encryption, JSON.parse(decoder.decode(plain)) as Stored)
}

/** Whether a tagged value holds others, of which one may be sealed. */
function isNested(value: { readonly [tag: string]: Stored }): boolean {
  return typeof Object.values(value)[0] === 'object'
}

/** A container with its parts replaced; itself when all stay the same. */
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
