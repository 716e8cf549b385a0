/** A thread that holds the write lock of a store, tells so, adds an entry a little later, and lets go. */
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './raw-database.mjs'

const database = openDatabase(workerData.file)
database.exec('BEGIN IMMEDIATE')
parentPort.postMessage('held')
await setTimeout(50)
database.exec("INSERT INTO entries SELECT id + 1, leaf, time, 'held', NULL, NULL, NULL, NULL FROM entries")
database.exec('COMMIT')
database.close()
