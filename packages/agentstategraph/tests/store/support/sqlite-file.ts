/** A SQLite file in a folder of its own, and the file seen past the backend. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadSqliteDriver } from '../../../src/backends/sqlite/driver.ts'
import type { SqliteDatabase } from '../../../src/backends/sqlite/module.ts'

/** The path of a new file, which goes when the test has finished. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'asg-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'state.db')
}

/** Opens a file as it is. */
export function openRaw(file: string): SqliteDatabase {
  return new (loadSqliteDriver().DatabaseSync)(file)
}

/** What SQLite finds wrong with a file; "ok" when nothing. */
export function integrityOf(file: string): string {
  const database = openRaw(file)
  const row = database.prepare('PRAGMA integrity_check').get() as { integrity_check: string }
  database.close()
  return row.integrity_check
}
