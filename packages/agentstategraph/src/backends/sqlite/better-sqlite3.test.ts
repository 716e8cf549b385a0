import { expect, it } from 'vitest'
import { betterSqlite3 } from './better-sqlite3.ts'

/** Stands for `better-sqlite3`, which is not installed here: keeps what is bound, and fails on request. */
class Database {
  static failure: string | undefined
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  exec(): void {
    if (Database.failure !== undefined) throw Object.assign(new Error('failed'), { code: Database.failure })
  }
  prepare() {
    const echo = (...values: unknown[]) => values
    return { run: echo, get: echo, all: echo }
  }
  close(): void {}
}

const open = () => new (betterSqlite3(Database).DatabaseSync)('a.db')

it('numbered parameters are bound by name, others in order', () => {
  expect(open().prepare('SELECT ?1, ?2').get('a', 7)).toEqual([{ 1: 'a', 2: 7 }])
  expect(open().prepare('SELECT ?, ?').get('a', 7)).toEqual(['a', 7])
  expect(open().prepare('COMMIT').run()).toEqual([])
})

it.each([
  ['SQLITE_BUSY', 5],
  ['SQLITE_BUSY_RECOVERY', 5],
  ['SQLITE_CORRUPT_VTAB', 11],
  ['SQLITE_NOTADB', 26],
  ['SQLITE_CONSTRAINT_UNIQUE', 1],
])('an error named %s is numbered %i', (code, errcode) => {
  Database.failure = code
  expect(() => open().exec('x')).toThrow(expect.objectContaining({ errcode }))
})

it('an error that is not of SQLite is left as it is', () => {
  Database.failure = 'ERR_INVALID_ARG_TYPE'
  expect(() => open().exec('x')).toThrow(expect.not.objectContaining({ errcode: expect.anything() }))
})
