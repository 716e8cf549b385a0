/** Where the command line reads and writes: the streams, the environment and the folder of its process, or of a test. */
import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  /** What was asked for; with `--json`, one document and nothing else. */
  out(text: string): void
  /** What is said to a person about it. */
  err(text: string): void
  readonly stdin: () => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** Whether a person sees what goes to `out`, and to `err`. */
  readonly seen: { readonly out: boolean; readonly err: boolean }
  /** How many columns a person sees. */
  readonly columns: number
  /** From now on, the first request to stop only aborts this: for what ends well when it is told to. */
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

export function processTerminal(): Terminal {
  // A reader such as `head` may leave before everything is said.
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    stdin: () => readAll(process.stdin),
    env: process.env,
    folder: process.cwd(),
    seen: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
    columns: process.stdout.columns ?? 100,
    untilStopped() {
      const stop = new AbortController()
      // The second one ends the process as it would without us.
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
      return stop.signal
    },
  }
}
