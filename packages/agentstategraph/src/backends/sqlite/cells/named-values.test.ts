import { expect, it } from 'vitest'
import { availableSqliteDrivers, loadSqliteDriver } from '../driver.ts'
import { makeStore } from '../tables.ts'
import { namedValues } from './named-values.ts'
import { namespaceIds } from './namespace-ids.ts'

it.each(availableSqliteDrivers())('with %s a list is counted once, not once for each of its rows', name => {
  const database = new (loadSqliteDriver(name).DatabaseSync)(':memory:')
  database.exec("ATTACH ':memory:' AS store")
  makeStore(database, 'state.db')
  const texts: string[] = []
  const recording = {
    exec: (text: string) => database.exec(text),
    close: () => database.close(),
    prepare(text: string) {
      texts.push(text)
      return database.prepare(text)
    },
  }
  for (const table of ['refs', 'keys'] as const) namedValues(recording, table, namespaceIds(recording, 'state.db'))
  const counting = texts.filter(text => text.includes('count('))
  expect(counting).toHaveLength(4)
  for (const text of counting) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { readonly detail: string }[]
    // Made once for a statement with a join; a part of its own in a union.
    expect(plan.some(({ detail }) => detail === 'MATERIALIZE n' || detail === 'COMPOUND QUERY')).toBe(true)
  }
  database.close()
})
