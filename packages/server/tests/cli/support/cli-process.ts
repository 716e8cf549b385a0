/** `asg` as a user has it: the real program in a process of its own, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from '../../../src/cli/main.ts'

export const program = fileURLToPath(new URL('../../../bin/asg.mjs', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** Both, in the order in which they were written; only of calls in this process. */
  readonly said?: string
}

export interface RunOptions {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Whether messages go to a person. */
  readonly onTerminal?: boolean
  /** The width of the terminal that results go to; a pipe when left out. */
  readonly columns?: number
}

/** Without what the developer's own shell says. */
function cleanEnv(env: RunOptions['env']): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ASG_|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|VITEST)/.test(name),
  )
  return { ...Object.fromEntries(kept), ...env }
}

export function start(args: readonly string[], { folder, env }: RunOptions): ChildProcess {
  return spawn(process.execPath, [program, ...args], { cwd: folder, env: cleanEnv(env), stdio: 'pipe' })
}

export function ended(child: ChildProcess): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout?.setEncoding('utf8').on('data', text => out.push(text))
  child.stderr?.setEncoding('utf8').on('data', text => err.push(text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, out: out.join(''), err: err.join('') }))
  })
}

export function run(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = start(args, options)
  const end = ended(child)
  child.stdin?.end(options.stdin ?? '')
  return end
}

/** A folder that is gone when the test is over. */
export function scratchFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'asg-test-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The same in this process: for what is around the thing that a test is about. */
export async function call(
  args: readonly string[],
  { folder, env = {}, stdin = '', onTerminal = false, columns }: RunOptions,
): Promise<Ended> {
  const [out, err, said]: [string[], string[], string[]] = [[], [], []]
  const into = (list: string[]) => (text: string) => {
    list.push(text)
    said.push(text)
  }
  const code = await main(args, {
    out: into(out),
    page: into(out),
    err: into(err),
    stdin: async () => stdin,
    env,
    folder,
    seen: { out: columns !== undefined, err: onTerminal },
    columns: columns ?? 100,
    user: process.getuid?.(),
    untilStopped: () => new AbortController().signal,
  })
  return { code, out: out.join(''), err: err.join(''), said: said.join('') }
}
