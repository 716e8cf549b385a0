/** The backends on which queries are checked: three that keep an index, and one that has none. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kvBackend, memory, sqlite } from '../../../src/backends/index.ts'
import type { Backend } from '../../../src/store/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'
import { wrapped } from '../../store/support/wrapped-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-query-'))
let files = 0

export const queryStores: readonly [string, () => Backend][] = [
  ['memory', memory],
  ['SQLite', () => sqlite(join(folder, `${files++}.db`))],
  ['a key-value store', () => kvBackend(memoryKV(new Map()))],
  ['a store without an index', () => wrapped(memory(), log => ({ ...log, sync: undefined, index: undefined }))],
]
