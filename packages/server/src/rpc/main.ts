/**
 * `asg rpc`: the core as a process, for clients in other languages.
 *
 * Standard output carries messages only. The process ends when its parent's pipe closes or its parent is gone, after it has
 * finished what it accepted. An interrupt is meant for the parent, which shares the terminal, and not for this process.
 */
import { parseArgs } from 'node:util'
import { operations } from '../operations/table.ts'
import { serveRpc } from './connection.ts'
import { defaultRpcLimits } from './limits.ts'
import { whenOrphaned } from './parent.ts'

const USAGE = 'Usage: asg rpc [--parent <pid>]'
const usageExitCode = 2

/** Serves the client on standard input and output, and gives the exit code. `version` is that of this program. */
export async function rpcMain(argv: readonly string[], version: string): Promise<number> {
  let parent: number | undefined
  try {
    parent = parentIn(argv)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`)
    return usageExitCode
  }
  const connection = serveRpc({
    input: process.stdin,
    output: process.stdout,
    operations,
    limits: defaultRpcLimits,
    version,
    onNote(text, error) {
      process.stderr.write(`asg rpc: ${text}${error instanceof Error ? `\n${error.stack ?? error.message}` : ''}\n`)
    },
  })
  process.on('SIGINT', () => {})
  process.once('SIGTERM', connection.end)
  const leave = whenOrphaned(parent, connection.end)
  await connection.closed
  leave()
  // A pipe that a process forked from the parent still holds would keep this one alive.
  process.stdin.destroy()
  return 0
}

function parentIn(argv: readonly string[]): number | undefined {
  const { parent } = parseArgs({ args: [...argv], options: { parent: { type: 'string' } } }).values
  if (parent === undefined) return undefined
  if (!/^[1-9]\d{0,9}$/.test(parent)) throw new Error('--parent takes the id of a process.')
  return Number(parent)
}
