/** The two verifiers that stand alone, each run many times in one process: the file itself, or a helper around it. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../../../', import.meta.url)
export const verifierFiles: Readonly<Record<'node' | 'python', string>> = {
  node: fileURLToPath(new URL('verifiers/verify.mjs', root)),
  python: fileURLToPath(new URL('verifiers/verify.py', root)),
}
export const bundleFolder: string = fileURLToPath(new URL('fixtures/bundles/', root))

interface NodeVerifier {
  main(args: readonly string[], write: (text: string) => void, complain: (text: string) => void): Promise<number>
  verifyChunks(chunks: Iterable<Uint8Array>, options: object): Promise<{ exit: number }>
  readArguments(args: readonly string[]): object
  isSignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
}

const helper = fileURLToPath(new URL('in-process.py', import.meta.url))

export async function nodeVerifier(): Promise<NodeVerifier> {
  return (await import(verifierFiles.node)) as NodeVerifier
}

/** What a run gave: its exit code and all that it wrote. */
export type Ran = readonly [exit: number, written: string]

export async function runInNode(args: readonly string[]): Promise<Ran> {
  let written = ''
  const write = (text: string): void => {
    written += text
  }
  const exit = await (await nodeVerifier()).main(args, write, write)
  return [exit, written]
}

/** Asks the helper in Python; one line of JSON for each question. */
export function inPython(what: 'runs' | 'signatures' | 'flips', questions: readonly unknown[]): unknown[] {
  const input = questions.map(question => JSON.stringify(question)).join('\n')
  const options = { input, encoding: 'utf8', maxBuffer: 1 << 28 } as const
  const { stdout, stderr, status, error } = spawnSync('python3', [helper, verifierFiles.python, what], options)
  if (error !== undefined) throw new Error('These tests need python3, 3.9 or newer, on the path.', { cause: error })
  if (status !== 0) throw new Error(`The helper in Python ended with ${status}: ${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
}
