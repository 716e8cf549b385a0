import { describe, expect, it } from 'vitest'
import { isStateError } from '../../core/errors.ts'
import { assertSafeSqlite, availableSqliteDrivers, loadSqliteDriver } from './driver.ts'

/** A driver whose SQLite has this version, and nothing else. */
function driverWith(version: string) {
  class DatabaseSync {
    exec() {}
    prepare = () => ({ run() {}, get: () => ({ version }), all: () => [] })
    close() {}
  }
  return { DatabaseSync }
}

describe('a SQLite that can lose commits is refused', () => {
  it.each(['3.51.3', '3.51.10', '3.52.0', '3.53.4', '4.0.0', '3.50.7', '3.50.9', '3.44.6'])('%s is safe', version => {
    expect(() => assertSafeSqlite('a driver', version)).not.toThrow()
  })

  it.each(['3.51.2', '3.51.0', '3.50.6', '3.49.2', '3.45.1', '3.44.5', '3.43.9', '3.7.17', '2.8.17'])(
    '%s is not',
    version => {
      expect(() => assertSafeSqlite('a driver', version)).toThrow(`SQLite ${version}`)
    },
  )

  it('the error names the driver and a remedy', () => {
    try {
      loadSqliteDriver(driverWith('3.45.1'))
      expect.unreachable()
    } catch (e) {
      expect(isStateError(e, 'driver-unsafe') && e.data).toMatchObject({
        driver: 'the driver given',
        version: 'SQLite 3.45.1',
      })
      expect(isStateError(e) && e.hint).toContain('3.51.3')
    }
  })

  it('a safe driver that is handed in is used as it is', () => {
    const driver = driverWith('3.53.0')
    expect(loadSqliteDriver(driver)).toBe(driver)
  })
})

describe('drivers by name', () => {
  it('every available driver loads, and offers DatabaseSync', () => {
    const drivers = availableSqliteDrivers()
    expect(drivers.length).toBeGreaterThan(0)
    for (const driver of drivers) expect(loadSqliteDriver(driver)).toHaveProperty('DatabaseSync')
  })

  it('without a name it is the one of Node, where Node has one that is safe', () => {
    const own = process.getBuiltinModule('node:sqlite') as unknown
    expect(loadSqliteDriver() === own).toBe(availableSqliteDrivers().includes('node:sqlite'))
  })

  it('without a name one is found', () => {
    const database = new (loadSqliteDriver().DatabaseSync)(':memory:')
    expect(database.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 })
    database.close()
  })

  it('a driver that is not there is missing by its name', () => {
    const absent = (['node:sqlite', '@photostructure/sqlite'] as const).filter(
      name => !availableSqliteDrivers().includes(name),
    )
    for (const name of absent) expect(() => loadSqliteDriver(name)).toThrow(name)
  })
})
