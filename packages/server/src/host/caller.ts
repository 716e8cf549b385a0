/**
 * Whose call it is, as a surface found out: what came with the request, and nothing of what its arguments say.
 *
 * A surface fills this in and hands it to the host, which decides who that is.
 */
export interface Caller {
  /** A key; then the identity is the key's, and `agent` must not be given. */
  readonly key?: string | undefined
  /** Who writes, where there is no key: whoever can open the store can be anybody. */
  readonly agent?: string | undefined
  /** The program that called, to be shown beside what it wrote. It proves nothing. */
  readonly client?: { readonly name: string; readonly version: string } | undefined
  /** The trace that the call belongs to. */
  readonly trace?: string | undefined
  /** What the surface lets through: everything, nothing that writes, or writes as proposals. */
  readonly mode?: 'write' | 'read-only' | 'propose' | undefined
}

const MAX_CLIENT = 128

/** The tags that a caller's commits carry. */
export function tagsOf({ client }: Caller): readonly string[] {
  const tags: string[] = []
  if (client !== undefined) tags.push(wellFormed(`client:${client.name}/${client.version}`.slice(0, MAX_CLIENT)))
  return tags
}

/** What a cut or a careless client left of half a character becomes U+FFFD: the name is shown, not compared. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
