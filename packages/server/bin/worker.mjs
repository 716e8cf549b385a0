import { runWorker } from '../dist/http/worker-main.js'

await runWorker()
