/**
 * The caller as a surface knows it: what came with the request, and nothing from its arguments.
 *
 * A surface passes it to the host, which identifies the caller.
 */
export interface Caller {
  /** The key of a principal or the server's token. It decides the identity; `agent` is ignored then. */
  readonly key?: string | undefined
  /** The agent of a call without a key: a process that can open the store may act under any name. */
  readonly agent?: string | undefined
  /** The calling program, recorded in its commits. It proves nothing. */
  readonly client?: { readonly name: string; readonly version: string } | undefined
  /** The trace that the call belongs to. */
  readonly trace?: string | undefined
  /** What the surface allows: everything, only reads, or writes as proposals. */
  readonly mode?: 'write' | 'read-only' | 'propose' | undefined
}

const MAX_CLIENT = 128

/** The tags that a caller's commits carry. */
export function tagsOf({ client }: Caller): readonly string[] {
  const tags: string[] = []
  if (client !== undefined) tags.push(wellFormed(`client:${client.name}/${client.version}`.slice(0, MAX_CLIENT)))
  return tags
}

/** Replaces lone surrogates, which cutting can leave, by U+FFFD. The name is only shown. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
