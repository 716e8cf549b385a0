/**
 * The SQLite drivers of the benchmarks, all with the calls of `node:sqlite`.
 *
 * The first choice is the one the library itself makes, so that both sides of
 * a comparison stand on the same ground.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const fromLibrary = createRequire(new URL('../packages/agentstategraph/package.json', import.meta.url))
const fromBench = createRequire(import.meta.url)

/** Loads the driver that the library uses on this Node. */
export function loadDriver() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13)
  const name = isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite'
  const { DatabaseSync } = fromLibrary(name)
  const version = isBuiltIn ? '' : ` ${versionOf(fromLibrary, name)}`
  return describe(name, `${name}${version}`, file => new DatabaseSync(file))
}

/** Loads better-sqlite3 when it was compiled here; gives undefined when it was not. */
export function findBetterSqlite() {
  try {
    const Database = fromBench('better-sqlite3')
    const version = versionOf(fromBench, 'better-sqlite3')
    return describe('better-sqlite3', `better-sqlite3 ${version}`, file => new Database(file))
  } catch {
    return undefined
  }
}

function describe(module, name, open) {
  const probe = open(':memory:')
  const { version } = probe.prepare('SELECT sqlite_version() AS version').get()
  probe.close()
  return { module, name: `${name}, SQLite ${version}`, open }
}

function versionOf(from, name) {
  const entry = from.resolve(name)
  const folder = entry.slice(0, entry.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}/`.length)
  return JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).version
}
