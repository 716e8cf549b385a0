/**
 * The floor under commits to a PostgreSQL that processes share: by hand, the same lock, the same batches and rows of the same bytes.
 *
 * What waits in a process is one group. The row of the namespace is locked first; the queue is drained, the ref read and the rows
 * are written under the lock. Nothing is encoded, hashed or read back.
 */
import pg from 'pg'

const tables = `
  CREATE TABLE heads (namespace text PRIMARY KEY, seq bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE refs (namespace text, name text, seq bigint NOT NULL, PRIMARY KEY (namespace, name)) WITH (fillfactor = 70);
  CREATE TABLE entries (namespace text, seq bigint, row bytea NOT NULL, PRIMARY KEY (namespace, seq))`

/** Makes the tables, and a row for each namespace. */
export async function makeFloor(address, namespaces) {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(tables)
  for (const name of namespaces) {
    await client.query('INSERT INTO heads VALUES ($1, 0)', [name])
    await client.query("INSERT INTO refs VALUES ($1, 'main', 0)", [name])
  }
  await client.end()
}

/** Opens a namespace. `set` adds one row and settles when it is on disk. */
export async function openFloor(address, namespace, rowBytes) {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const row = Buffer.alloc(rowBytes)
  for (let i = 0; i < rowBytes; i++) row[i] = (i * 7919) & 255
  const ask = (name, text, values) => client.query({ name, text, values, rowMode: 'array' })
  const queue = []
  let isRunning = false

  async function runAll() {
    isRunning = true
    while (queue.length > 0) {
      await client.query(`BEGIN; SELECT seq FROM heads WHERE namespace = '${namespace}' FOR NO KEY UPDATE`)
      const group = queue.splice(0, 256)
      const { rows } = await ask('refs', "SELECT seq FROM refs WHERE namespace = $1 AND name = 'main'", [namespace])
      const seq = Number(rows[0][0])
      await ask(
        'write',
        `WITH added AS (
          INSERT INTO entries SELECT $1, $2::bigint + n, substring($4::bytea FROM (n * $5::int - $5::int + 1)::int FOR $5::int)
          FROM generate_series(1, $3::int) AS n
        ), moved AS (UPDATE refs SET seq = $2::bigint + $3::int WHERE namespace = $1 AND name = 'main')
        UPDATE heads SET seq = $2::bigint + $3::int WHERE namespace = $1`,
        [namespace, seq, group.length, Buffer.concat(group.map(() => row)), rowBytes],
      )
      await client.query('COMMIT')
      for (const resolve of group) resolve()
    }
    isRunning = false
  }

  return {
    set: () =>
      new Promise(resolve => {
        queue.push(resolve)
        if (!isRunning) void runAll()
      }),
    close: () => client.end(),
  }
}
