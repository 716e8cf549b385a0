import { expect, it } from 'vitest'
import { availableSqliteDrivers, loadSqliteDriver } from '../driver.ts'
import type { SqliteDatabase } from '../module.ts'
import { preparedLists } from './row-form.ts'

const sql = 'SELECT ?1 AS zebra, ?2 AS apple, NULL AS none UNION ALL SELECT 2, ?2, 3'
const expected = [
  [1, 'two', null],
  [2, 'two', 3],
]

it.each(availableSqliteDrivers())('%s gives rows as lists in the order of the columns', name => {
  const database = new (loadSqliteDriver(name).DatabaseSync)(':memory:')
  expect(preparedLists(database, sql)(1, 'two')).toEqual(expected)
  database.close()
})

it('rows of a driver that gives objects only become lists too', () => {
  const database = new (loadSqliteDriver().DatabaseSync)(':memory:')
  const old: SqliteDatabase = {
    exec: text => database.exec(text),
    prepare(text) {
      const statement = database.prepare(text)
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      }
    },
    close: () => database.close(),
  }
  expect(preparedLists(old, sql)(1, 'two')).toEqual(expected)
  old.close()
})
