import { runWorker } from '../lib/worker.js'

await runWorker()
