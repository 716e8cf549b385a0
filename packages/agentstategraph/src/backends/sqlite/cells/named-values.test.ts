import { expect, it } from 'vitest'
import { availableSqliteDrivers, loadSqliteDriver } from '../driver.ts'
import { makeStore } from '../tables.ts'
import { type NamedValue, namedValues } from './named-values.ts'
import { namespaceIds } from './namespace-ids.ts'
import { nameBytes, spaceOf } from './row-form.ts'

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

it.each(availableSqliteDrivers())(
  'with %s names are added in any number, and those that had a row are given back',
  name => {
    const database = new (loadSqliteDriver(name).DatabaseSync)(':memory:')
    database.exec("ATTACH ':memory:' AS store")
    makeStore(database, 'state.db')
    const values = namedValues(database, 'counts', namespaceIds(database, 'state.db'))
    const space = spaceOf('space')
    const row = (n: number, value = n): NamedValue => ({ name: nameBytes(`name ${n}`), value })
    values.add(space, 1, nameBytes('name 3'), 33)
    values.add(space, 1, nameBytes('name 17'), 77)
    const rows = Array.from({ length: 20 }, (_, n) => row(n))
    // A name that is given twice is added once.
    expect(values.addNew(space, 1, [...rows.slice(0, 6), row(5, 55), ...rows.slice(6)])).toEqual([
      row(3),
      row(5, 55),
      row(17),
    ])
    for (let n = 0; n < 20; n++) {
      expect(values.findIn(space, 1, nameBytes(`name ${n}`))).toBe(n === 3 ? 33 : n === 17 ? 77 : n)
    }
    database.close()
  },
)
