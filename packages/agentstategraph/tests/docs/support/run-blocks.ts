/**
 * Compiles and runs code blocks as a reader would who copies them into a file.
 *
 * All blocks are compiled in one go under the rules of the workspace, against
 * the built package; each then runs in its own folder. It knows nothing about
 * Markdown.
 */
import { execFile, fork } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A program as it stands on a page; `ts` is compiled first, `js` runs as it is. */
export interface Program {
  readonly language: string
  readonly code: string
}

/** What a program printed, or why it could not be compiled or failed. */
export interface Outcome {
  readonly printed: string
  readonly failure: string | undefined
}

const run = promisify(execFile)
const runner = fileURLToPath(new URL('./run-programs.mjs', import.meta.url))
const processes = 2
/** Ends a program that does not end by itself, long after any other has. */
const patience = 300_000

/** Tells whether a block in this language is a program. */
export function isRunnable(language: string): boolean {
  return language === 'ts' || language === 'js'
}

/** Runs each program and gives the outcomes in order; `root` is a folder from which the package can be imported. */
export async function runBlocks(root: string, programs: readonly Program[]): Promise<Outcome[]> {
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist', 'docs-'))
  try {
    const faults = await compile(root, folder, programs)
    const outcomes: Outcome[] = faults.map(failure => ({ printed: '', failure }))
    const sound = faults.flatMap((fault, index) => (fault === '' ? [index] : []))
    const shares = Array.from({ length: processes }, (_, at) => sound.filter((_, k) => k % processes === at))
    const execute = async (share: readonly number[]): Promise<void> => {
      const found = await executeAll(share.map(index => join(folder, `${index}`)))
      for (const [k, index] of share.entries()) outcomes[index] = found[k]!
    }
    await Promise.all(shares.map(execute))
    return outcomes
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compile(root: string, folder: string, programs: readonly Program[]): Promise<string[]> {
  for (const [index, { language, code }] of programs.entries()) {
    await mkdir(join(folder, `${index}`))
    await writeFile(join(folder, `${index}`, `main.${language}`), code)
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const said = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }).then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  )
  return programs.map((_, index) =>
    said
      .split('\n')
      .filter(line => line.startsWith(`${index}/`))
      .join('\n'),
  )
}

const settings = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    noEmitOnError: false,
    noUnusedLocals: false,
    sourceMap: false,
    types: ['node'],
  },
  include: ['**/*.ts'],
}

/** Runs the programs in these folders in one process. One that ends the process, or never ends, fails with those after it. */
function executeAll(folders: readonly string[]): Promise<Outcome[]> {
  const child = fork(runner, folders, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], timeout: patience })
  const outcomes: Outcome[] = []
  const complaints: string[] = []
  child.on('message', message => outcomes.push(message as Outcome))
  child.stderr?.setEncoding('utf8').on('data', text => complaints.push(text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      const failure = complaints.join('') || 'ended its process, or did not end'
      const last = outcomes.at(-1)
      if (code !== 0 && outcomes.length === folders.length && last !== undefined) {
        outcomes.splice(-1, 1, { ...last, failure: 'one of the programs leaves something open' })
      }
      resolve(folders.map((_, k) => outcomes[k] ?? { printed: '', failure }))
    })
  })
}
