/** The backends on which queries are checked: two that keep an index, and one that has none. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kvBackend, memory, sqlite } from '../../../src/backends/index.ts'
import type { Backend } from '../../../src/store/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-query-'))
let files = 0

export const queryStores: readonly [string, () => Backend][] = [
  ['memory', memory],
  ['SQLite', () => sqlite(join(folder, `${files++}.db`))],
  ['a key-value store, which has no index', () => kvBackend(memoryKV(new Map()))],
]
