/**
 * LangGraph's own SqliteSaver, saving the state after each step as its engine does.
 *
 * It is given a driver with the calls of `node:sqlite` through a thin adapter
 * with the calls of better-sqlite3, so that no compiler is needed and both
 * sides use one driver. The adapter adds no work that counts: its methods
 * pass on what they are given.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { bytesOf } from './files.mjs'
import { changeLeaf, makeState } from './state.mjs'

/** Opens a saver on a new file. */
export function openLangGraph({ driver, folder }) {
  const file = join(folder, 'langgraph.db')
  const database = driver.open(file)
  const saver = saverOn(database)
  const state = makeState()
  let config = { configurable: { thread_id: 'bench', checkpoint_ns: '' } }
  let steps = 0

  return {
    driver: driver.name,
    async run(from, count) {
      for (let index = from; index < from + count; index++) {
        const checkpoint = checkpointOf(changeLeaf(state, index), steps)
        config = await saver.put(config, checkpoint, { source: 'loop', step: steps, parents: {} })
        steps++
      }
    },
    /** Reads the newest checkpoint back, so that a saver which lost something is not compared. */
    async verify() {
      const newest = await saver.getTuple(config)
      if (!isDeepStrictEqual(newest?.checkpoint.channel_values, state)) throw new Error('SqliteSaver lost the state.')
    },
    bytesPerStep: () => bytesOf(database, file) / steps,
    close: () => database.close(),
  }
}

/** Gives a saver on an open database, with the durability that we have by default. */
export function saverOn(database) {
  const saver = new SqliteSaver('pragma' in database ? database : likeBetterSqlite(database))
  saver.setup()
  database.exec('PRAGMA synchronous = NORMAL')
  return saver
}

function checkpointOf(state, step) {
  const channels = Object.keys(state)
  return {
    ...emptyCheckpoint(),
    id: uuid6(step),
    channel_values: state,
    channel_versions: Object.fromEntries(channels.map(channel => [channel, step + 1])),
    versions_seen: { keeper: Object.fromEntries(channels.map(channel => [channel, step])) },
  }
}

function likeBetterSqlite(database) {
  return {
    exec: sql => database.exec(sql),
    pragma: text => database.prepare(`PRAGMA ${text}`).all(),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        run: (...values) => statement.run(...values.map(orNull)),
        get: (...values) => statement.get(...values.map(orNull)),
        all: (...values) => statement.all(...values.map(orNull)),
      }
    },
    transaction: work => argument => {
      database.exec('BEGIN')
      try {
        const result = work(argument)
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

/** better-sqlite3 binds undefined as NULL; `node:sqlite` refuses it. */
function orNull(value) {
  return value === undefined ? null : value
}
