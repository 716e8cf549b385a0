/** A thread that holds the write lock of a store, tells so, and lets go after an entry once another writer found it held. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './raw-database.mjs'

const { file, wasBusy } = workerData
const database = openDatabase(file)
database.exec('BEGIN IMMEDIATE')
parentPort.postMessage('held')
Atomics.wait(wasBusy, 0, 0)
database.exec("INSERT INTO entries SELECT id + 1, leaf, time, 'held', NULL, NULL, NULL, NULL FROM entries")
database.exec('COMMIT')
database.close()
