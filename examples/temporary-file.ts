/** A file for an example, in a temporary folder that is removed when the example ends. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFile extends AsyncDisposable {
  readonly path: string
}

export async function temporaryFile(): Promise<TemporaryFile> {
  const folder = await mkdtemp(join(tmpdir(), 'agentstategraph-'))
  return { path: join(folder, 'state.db'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
