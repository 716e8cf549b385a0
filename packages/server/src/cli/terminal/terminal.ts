/** The streams, environment and folder that the command line uses: those of its process, or of a test. */
import { spawnSync } from 'node:child_process'
import { styleText } from 'node:util'
import { type Page, pageText } from './pager.ts'

export type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  /** Writes the result; with `--json`, one document and nothing else. */
  out(text: string): void
  /** Writes a result that may be long: on a terminal, through the pager. */
  page(text: string): void
  /** Writes messages for a person. */
  err(text: string): void
  readonly stdin: () => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** The id of the user, on systems that have one. */
  readonly user: number | undefined
  /** Whether `out` and `err` are terminals. */
  readonly seen: { readonly out: boolean; readonly err: boolean }
  /** The width of the terminal. */
  readonly columns: number
  /** From now on, the first interrupt only aborts this signal, so that the command can end cleanly. */
  untilStopped(): AbortSignal
}

/** Colours text, or leaves it. */
export type Paint = (style: Style, text: string) => string

export function painter({ seen, env }: Terminal): Paint {
  const colours = seen.out && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return (style, text) => (colours ? styleText(style, text) : text)
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const processPage: Page = {
  isTerminal: process.stdout.isTTY === true,
  // Some terminals do not know their height.
  rows: process.stdout.rows || 24,
  env: process.env,
  write: text => void process.stdout.write(text),
  run: (command, input, env) =>
    spawnSync(command, { shell: true, input, env, stdio: ['pipe', 'inherit', 'inherit'] }).status !== 127,
}

export function processTerminal(): Terminal {
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    out: text => void process.stdout.write(text),
    page: text => pageText(text, processPage),
    err: text => void process.stderr.write(text),
    stdin: () => readAll(process.stdin),
    env: process.env,
    folder: process.cwd(),
    user: process.getuid?.(),
    seen: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
    columns: Number(process.env['COLUMNS']) || process.stdout.columns || process.stderr.columns || 100,
    untilStopped() {
      const stop = new AbortController()
      // The second interrupt ends the process as usual.
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
      return stop.signal
    },
  }
}
