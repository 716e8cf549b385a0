/**
 * A temporary store for commits that are checked before they are imported.
 *
 * It is a file when the target of the import is durable, so that memory does not bound its size. It is in memory when the
 * target is, and on runtimes without files.
 */

import { type Backend, memoryBackend } from '../store/index.ts'

/** Makes a temporary store for an import into a backend. Closing it deletes it. */
export async function stagingBackend({ capabilities }: Backend): Promise<Backend> {
  if (!capabilities.durable) return memoryBackend()
  // Loaded when it is needed, because a browser cannot load it.
  const files = await import('../backends/temporary.ts').catch(() => undefined)
  return files?.temporary() ?? memoryBackend()
}
