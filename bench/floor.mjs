/**
 * The floor under every commit: by hand, one row of the same bytes and one
 * compare-and-swap of a ref in one transaction, with the settings of our store.
 *
 * Nothing is encoded, hashed or read: what stores more than this can only be slower.
 */
import { join } from 'node:path'
import { bytesOf } from './files.mjs'

const settings = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 1048576;
  PRAGMA wal_autocheckpoint = 8192;
  CREATE TABLE entries (seq INTEGER PRIMARY KEY, pack BLOB NOT NULL);
  CREATE TABLE refs (name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
  INSERT INTO refs VALUES ('main', 0);
`

/** Opens a floor that writes rows of `rowBytes`. */
export function openFloor({ driver, folder, rowBytes }) {
  const file = join(folder, 'floor.db')
  const database = driver.open(file)
  database.exec(settings)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?)')
  const move = database.prepare("UPDATE refs SET seq = ? WHERE name = 'main' AND seq = ?")
  const row = new Uint8Array(rowBytes).fill(120)
  let head = 0

  return {
    driver: driver.name,
    run(_from, count) {
      for (let step = 0; step < count; step++) {
        begin.run()
        insert.run(head + 1, row)
        if (move.run(head + 1, head).changes !== 1) throw new Error(`The ref was not at ${head}.`)
        commit.run()
        head++
      }
    },
    bytesPerStep: () => bytesOf(database, file) / head,
    close: () => database.close(),
  }
}
