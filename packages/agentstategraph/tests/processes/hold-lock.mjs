/** A thread that holds the write lock of a store, tells so, and lets go after a write once another writer found it held. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './raw-database.mjs'

const { file, wasBusy } = workerData
const database = openDatabase(file)
database.exec('BEGIN IMMEDIATE')
parentPort.postMessage('held')
Atomics.wait(wasBusy, 0, 0)
database.exec("UPDATE entries SET text = 'held'")
database.exec('COMMIT')
database.close()
