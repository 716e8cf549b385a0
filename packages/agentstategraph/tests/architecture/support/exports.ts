/**
 * What the package promises to those who install it.
 *
 * It knows where the compiler puts its output, and nothing about what is exported.
 */
import type { Fault, SourceFile } from './source-file.ts'

/** The part of a package.json that tells what can be imported. */
export interface PackageExports {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Finds exports that lead to no source file. */
export function findMissingExports(folder: string, manifest: PackageExports, files: readonly SourceFile[]): Fault[] {
  const sources = new Set(files.map(file => file.path))
  return Object.entries(manifest.exports).flatMap(([name, target]) =>
    (typeof target === 'string' ? [target] : Object.values(target))
      .filter(output => output.startsWith('./dist/'))
      .filter(output => !sources.has(sourceOf(folder, output)))
      .map(output => ({
        path: `${folder}/package.json`,
        fault: `exports "${name}" as ${output}, for which there is no ${sourceOf(folder, output)}`,
        remedy: 'Write that file, or take the export out.',
      })),
  )
}

function sourceOf(folder: string, output: string): string {
  return `${folder}/src/${output.slice('./dist/'.length).replace(/(\.d\.ts|\.js)$/, '.ts')}`
}
