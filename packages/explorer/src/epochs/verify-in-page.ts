/** Verifies a bundle in this page, so that its reader need not believe the server. The verifier is loaded when it is first used. */
import type { Verdict } from '../source/shapes/store.ts'

/** What the reader trusts. */
export interface Trusted {
  readonly keys?: readonly string[]
  /** A signed head of before. */
  readonly prior?: string
}

export async function verifyInPage(lines: AsyncIterable<string>, trusted: Trusted = {}): Promise<Verdict> {
  const { verifyBundle } = await import('agentstategraph/browser/verify')
  const { inventory, ...verdict } = await verifyBundle(lines, trusted)
  return inventory === undefined ? verdict : { ...verdict, inventory }
}
