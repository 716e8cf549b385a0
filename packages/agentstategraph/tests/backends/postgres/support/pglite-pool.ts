/**
 * PGlite, a PostgreSQL inside this process, as a pool: it has one connection, which its users take in turns.
 */
import type { PGlite } from '@electric-sql/pglite'
import type { PostgresPool } from '../../../../src/backends/postgres/index.ts'

export function pglitePool(database: PGlite): PostgresPool {
  let turn: Promise<void> = Promise.resolve()
  return {
    async connect() {
      const before = turn
      let release = (): void => {}
      turn = new Promise(resolve => {
        release = resolve
      })
      await before
      return {
        query({ text, values, rowMode }) {
          if (values === undefined) return database.exec(text, { rowMode })
          return database.query(text, [...values], { rowMode })
        },
        release,
      }
    },
  }
}
