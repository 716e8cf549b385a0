/**
 * The files of the workspace as text, and what a regular expression can tell about them.
 *
 * It knows how imports are written, and nothing about which imports are allowed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One file: its path from the root of the workspace, with slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One import of a file: as it is written, and whether it is loaded with the file or on demand. */
export interface Import {
  readonly specifier: string
  readonly isStatic: boolean
}

/** What a rule found: where, what, and what to do about it. */
export interface Fault {
  readonly path: string
  readonly fault: string
  readonly remedy: string
}

/** The folder of the workspace. */
export const root: string = fileURLToPath(new URL('../../../../../', import.meta.url))

/** The folder that holds the layers, from the root of the workspace. */
export const layersFolder = 'packages/agentstategraph/src'

const skipped = new Set(['node_modules', 'dist', 'coverage', 'results'])

/** Reads every TypeScript and JavaScript file under the given folders of the workspace. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders.flatMap(folder => listFiles(join(root, folder))).map(readSource)
}

function readSource(file: string): SourceFile {
  return { path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path)
    return /\.(ts|mts|js|mjs)$/.test(entry.name) ? [path] : []
  })
}

/** Tells the layer of a folder a path belongs to, or undefined when it is in none. */
export function findLayer(path: string, folder: string = layersFolder): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined
}

/** Tells whether a file is a test beside its source. */
export function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts')
}

/** Lists what a file imports, types included. */
export function listImports(file: SourceFile): Import[] {
  const code = withoutComments(file.text)
  const from = [...code.matchAll(/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(?<specifier>[^'"]+)\1/gm)]
  const bare = [...code.matchAll(/^\s*import\s*(['"])(?<specifier>[^'"]+)\1/gm)]
  const onDemand = [...code.matchAll(/\bimport\s*\(\s*(['"`])(?<specifier>[^'"`]+)\1/g)]
  const specifierOf = (match: RegExpMatchArray): string => match.groups?.['specifier'] ?? ''
  return [
    ...[...from, ...bare].map(match => ({ specifier: specifierOf(match), isStatic: true })),
    ...onDemand.map(match => ({ specifier: specifierOf(match), isStatic: false })),
  ]
}

/** Gives the path a relative import leads to, or undefined when it names a package. */
export function findTarget(file: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return normalize(join(dirname(file.path), specifier))
    .split(sep)
    .join('/')
}

/** Blanks out comments, keeping line numbers; strings stay, because import specifiers are strings. */
export function withoutComments(text: string): string {
  return text.replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g, found =>
    found.startsWith('/') ? found.replaceAll(/[^\n]/g, ' ') : found,
  )
}
