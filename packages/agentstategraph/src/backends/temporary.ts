/** A SQLite store in a temporary folder, deleted when it is closed. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backend } from '../store/contract/backend.ts'
import { sqlite } from './sqlite/sqlite-backend.ts'

export function temporary(parent: string = tmpdir()): Backend {
  const folder = mkdtempSync(join(parent, 'agentstategraph-'))
  const backend = sqlite(join(folder, 'staged.db'))
  const close = async (): Promise<void> => {
    await backend.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...backend, close, [Symbol.asyncDispose]: close }
}
