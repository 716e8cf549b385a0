/**
 * The stored form of the names of namespaces, refs and keys: bytes that begin with a slash.
 *
 * They are bytes because a driver ends a text at its first NUL, and two names that differ only after it must stay two. They
 * begin with a slash because a driver binds empty bytes as NULL, and the empty name is a name.
 */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Every append uses the same few names, so their bytes are cached; the cache is cleared when it has too many. */
const remembered = new Map<string, Uint8Array>()
const maxRemembered = 256

/** The bytes of a name. They are shared and must not be changed. */
export function nameBytes(name: string): Uint8Array {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const bytes = Buffer.from(`/${name}`)
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(name, bytes)
  return bytes
}

/** The name of some bytes. */
export function nameOf(bytes: Uint8Array): string {
  return decoder.decode(bytes).slice(1)
}

/** The upper bound of all names with this prefix: no name contains the byte 255. */
export function endOfPrefix(prefix: string): Uint8Array {
  const bytes = nameBytes(prefix)
  const end = new Uint8Array(bytes.length + 1)
  end.set(bytes)
  end[bytes.length] = 255
  return end
}
