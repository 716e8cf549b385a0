/** The processor time of one thread, where the system tells it. */
import { existsSync, readFileSync } from 'node:fs'

/** The processor time of the calling thread so far, in milliseconds; that of the process where the system tells no more. */
export function ownThreadMs(): number {
  return threadMs('/proc/thread-self') ?? processMs()
}

/** The processor time of the main thread of another process so far; undefined where the system does not tell it. */
export function mainThreadMs(pid: number): number | undefined {
  return threadMs(`/proc/${pid}/task/${pid}`)
}

function threadMs(folder: string): number | undefined {
  const file = `${folder}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : undefined
}

function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
