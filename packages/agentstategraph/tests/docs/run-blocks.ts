/**
 * Compiles and runs code blocks as a reader would who copies them into a file.
 *
 * All blocks are compiled in one go under the rules of the workspace, against
 * the built package; each then runs in its own process and folder. It knows
 * nothing about Markdown.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
const together = 2

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
    const outcomes: Outcome[] = []
    for (let at = 0; at < programs.length; at += together) {
      const batch = faults.slice(at, at + together).map((fault, k) => execute(folder, at + k, fault))
      outcomes.push(...(await Promise.all(batch)))
    }
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

async function execute(folder: string, index: number, fault: string): Promise<Outcome> {
  if (fault !== '') return { printed: '', failure: fault }
  return run(process.execPath, ['main.js'], { cwd: join(folder, `${index}`), timeout: 10_000 }).then(
    ({ stdout }) => ({ printed: stdout, failure: undefined }),
    (failed: { stdout: string; stderr: string }) => ({ printed: failed.stdout, failure: failed.stderr || 'timed out' }),
  )
}
