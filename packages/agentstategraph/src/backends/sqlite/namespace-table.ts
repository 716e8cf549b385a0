/**
 * Names of namespaces, refs and keys as SQLite keeps them: bytes that begin with a slash.
 *
 * Bytes, because drivers end a text at its first zero character, and two names that differ only after it must not become
 * one. The slash, because a driver binds no bytes as NULL, and the empty name is a name.
 */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Every append asks for the same few names; a store with very many begins to remember anew. */
const remembered = new Map<string, Uint8Array>()
const maxRemembered = 256

/** The bytes of a name. Not to be written to. */
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

/** Bytes that lie after every name with this prefix and before every other name after it: no name has a byte 255. */
export function endOfPrefix(prefix: string): Uint8Array {
  const bytes = nameBytes(prefix)
  const end = new Uint8Array(bytes.length + 1)
  end.set(bytes)
  end[bytes.length] = 255
  return end
}
