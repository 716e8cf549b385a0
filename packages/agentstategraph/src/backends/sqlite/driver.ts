/**
 * Loads a SQLite driver, and refuses versions of SQLite that are known to lose data.
 *
 * A driver is a module with the interface of `node:sqlite`. This file knows nothing of files, tables or stores.
 */
import { createRequire } from 'node:module'
import { backendError } from '../errors.ts'
import type { SqliteModule } from './module.ts'

const driverNames = ['node:sqlite', '@photostructure/sqlite'] as const
/** A SQLite driver by name. */
export type SqliteDriverName = (typeof driverNames)[number]

/** Loads the given driver, or the first usable one. */
export function loadSqliteDriver(driver?: SqliteDriverName | SqliteModule): SqliteModule {
  if (typeof driver === 'object') return checked('the driver given', driver)
  if (driver !== undefined) return load(driver)
  const tried: { driver: string; reason: string }[] = []
  for (const name of driverNames) {
    const found = loaders[name](name)
    if (typeof found === 'string') tried.push({ driver: name, reason: found })
    else {
      try {
        return checked(name, found)
      } catch (e) {
        tried.push({ driver: name, reason: reasonOf(e) })
      }
    }
  }
  throw backendError('driver-missing', { tried })
}

/** The names of the drivers that this Node can load and that are safe to use. */
export function availableSqliteDrivers(): readonly SqliteDriverName[] {
  return driverNames.filter(name => {
    try {
      load(name)
      return true
    } catch {
      return false
    }
  })
}

const require = createRequire(import.meta.url)

function load(name: SqliteDriverName): SqliteModule {
  const found = loaders[name](name)
  if (typeof found === 'string') throw backendError('driver-missing', { tried: [{ driver: name, reason: found }] })
  return checked(name, found)
}

/** Each gives its module, or why there is none. */
const loaders: Readonly<Record<SqliteDriverName, (name: string) => SqliteModule | string>> = {
  'node:sqlite': name => {
    const module: unknown = process.getBuiltinModule(name)
    return isSqliteModule(module) ? module : 'not in this Node'
  },
  '@photostructure/sqlite': name => {
    try {
      const module: unknown = require(name)
      return isSqliteModule(module) ? module : 'it has no DatabaseSync'
    } catch (e) {
      return reasonOf(e)
    }
  },
}

function isSqliteModule(module: unknown): module is SqliteModule {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module
}

function checked(name: string, module: SqliteModule): SqliteModule {
  const database = new module.DatabaseSync(':memory:')
  try {
    const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string }
    assertSafeSqlite(name, version)
    return module
  } finally {
    database.close()
  }
}

/** Throws for a SQLite in which a checkpoint of one process can undo what another has just committed. */
export function assertSafeSqlite(driver: string, version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const line = `${major}.${minor}`
  const isSafe =
    major > 3 ||
    (major === 3 && minor > 51) ||
    (line === '3.51' && patch >= 3) ||
    (line === '3.50' && patch >= 7) ||
    (line === '3.44' && patch >= 6)
  if (isSafe) return
  throw backendError('driver-unsafe', {
    driver,
    version: `SQLite ${version}`,
    reason: 'this SQLite can lose commits when several processes share a file',
    remedy: 'Use SQLite 3.51.3 or later: upgrade Node or the driver, or install @photostructure/sqlite.',
  })
}

function reasonOf(e: unknown): string {
  const message = e instanceof Error ? e.message : String(e)
  return message.split('\n', 1)[0]?.replace(/\.$/, '') ?? ''
}
