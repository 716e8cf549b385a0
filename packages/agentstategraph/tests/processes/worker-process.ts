/**
 * Real processes for tests: started together, heard line by line.
 *
 * A worker script takes its orders as JSON in its argument, says "ready", waits for a line, and answers with lines of JSON.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface WorkerProcess {
  readonly child: ChildProcess
  /** What it has said so far, parsed. */
  readonly lines: readonly unknown[]
  /** Lets it begin. */
  begin(): void
  /** Settles when it has ended and all it said was heard; rejects when it failed by itself. */
  readonly ended: Promise<void>
}

/** The bundles that `scripts/vitest/workers.setup.mjs` makes of the scripts of this folder, or the scripts themselves. */
const folder = process.env['ASG_WORKERS'] ?? fileURLToPath(new URL('.', import.meta.url))

export interface WorkerLimits {
  /** How many files a worker may have open, where there is a POSIX shell. */
  readonly maxDescriptors?: number
}

function started(args: readonly string[], { maxDescriptors }: WorkerLimits): ChildProcess {
  if (maxDescriptors === undefined) return spawn(process.execPath, args, { stdio: 'pipe' })
  const limited = `ulimit -n ${maxDescriptors} && exec "$0" "$@"`
  return spawn('sh', ['-c', limited, process.execPath, ...args], { stdio: 'pipe' })
}

/** Starts a worker script of this folder and waits until it is ready. */
export async function startWorker(script: string, orders: object, limits: WorkerLimits = {}): Promise<WorkerProcess> {
  const path = join(folder, script)
  const child = started(['--no-warnings', path, JSON.stringify(orders)], limits)
  const lines: unknown[] = []
  let complaints = ''
  child.stderr!.on('data', chunk => {
    complaints += chunk
  })
  const reader = createInterface({ input: child.stdout! })
  reader.on('line', line => lines.push(JSON.parse(line)))
  const heard = once(reader, 'close')
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    await heard
    if (code !== 0 && signal === null) throw new Error(`${script} failed: ${complaints}`)
  })
  await Promise.race([once(reader, 'line'), ended])
  return { child, lines, ended, begin: () => child.stdin!.write('begin\n') }
}

/** Waits until a worker has said so many lines, the "ready" among them, or has ended, and tells whether it said them. */
export async function untilSaid({ lines, child, ended }: WorkerProcess, count: number): Promise<boolean> {
  let isOver = false
  const over = ended.then(() => {
    isOver = true
  })
  while (!isOver && lines.length < count) await Promise.race([once(child.stdout!, 'data'), over])
  return lines.length >= count
}

/** Starts one worker for each order, lets all begin at once, and gives what each said after "ready". */
export async function runWorkers(
  script: string,
  orders: readonly object[],
  limits?: WorkerLimits,
): Promise<readonly (readonly unknown[])[]> {
  const workers = await Promise.all(orders.map(order => startWorker(script, order, limits)))
  for (const worker of workers) worker.begin()
  await Promise.all(workers.map(worker => worker.ended))
  return workers.map(({ lines }) => lines.slice(1))
}
