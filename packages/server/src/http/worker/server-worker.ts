/**
 * The worker thread of a server, as the server uses it: it answers requests with a connection of its own to the store.
 *
 * The thread starts with the first request. When it fails, the requests in it fail, and the next one starts another.
 */
import { setMaxListeners } from 'node:events'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../host/package-file.ts'
import { letYoungSpaceGrow } from '../../host/small-heap.ts'
import type { Answer } from '../exchange/answer.ts'
import type { Log } from '../log-line.ts'
import type { ForwardedRequest, FromWorker, ToWorker, WorkerOrders } from './messages.ts'

export interface WorkerAnswer {
  readonly answer: Answer
  /** Aborts when the thread ends, and with it every body that streams from it. */
  readonly gone: AbortSignal
}

export interface ServerWorker {
  answer(request: ForwardedRequest): Promise<WorkerAnswer>
  /** Lets the thread close its store; one that is busy is ended when the signal aborts. */
  close(late: AbortSignal): Promise<void>
}

interface Running {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

interface Waiting {
  readonly resolve: (answer: WorkerAnswer) => void
  readonly reject: (reason: unknown) => void
}

// A worker thread begins with a file of JavaScript, whether this file is compiled or not.
const script = packageFile('bin/worker.mjs')

export function serverWorker(orders: WorkerOrders, log: Log): ServerWorker {
  let running: Running | undefined
  let lastId = 0

  function start(): Running {
    letYoungSpaceGrow()
    const worker = new Worker(script, { workerData: orders })
    const started: Running = { worker, waiting: new Map() }
    const gone = new AbortController()
    setMaxListeners(0, gone.signal)
    let failure: unknown = new Error('The worker thread ended.')
    // A request keeps its connection, and so the process; an idle thread does not.
    worker.unref()
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'log') return log(message.entry)
      const { id, status, headers, body } = message
      const answer = { status, headers, body: body instanceof ArrayBuffer ? new Uint8Array(body) : body }
      started.waiting.get(id)?.resolve({ answer, gone: gone.signal })
      started.waiting.delete(id)
    })
    worker.on('error', error => {
      failure = error
    })
    worker.on('exit', () => {
      if (running === started) running = undefined
      for (const { reject } of started.waiting.values()) reject(failure)
      gone.abort()
    })
    return started
  }

  return {
    answer: request =>
      new Promise((resolve, reject) => {
        running ??= start()
        const id = ++lastId
        running.waiting.set(id, { resolve, reject })
        const message: ToWorker = { kind: 'request', id, request }
        running.worker.postMessage(
          message,
          request.body?.map(({ buffer }) => buffer),
        )
      }),
    async close(late) {
      if (running === undefined) return
      const { worker } = running
      const ended = new Promise(resolve => worker.once('exit', resolve))
      // Without a connection nothing else keeps the process until the thread has closed its store.
      worker.ref()
      worker.postMessage({ kind: 'close' } satisfies ToWorker)
      const end = (): void => void worker.terminate()
      if (late.aborted) end()
      else late.addEventListener('abort', end)
      await ended
    },
  }
}
