/** What a browser loads when it loads an entry: everything that is imported statically, and what that imports. */
import { type Fault, findTarget, listImports, type SourceFile } from './source-file.ts'

/** Finds the built-in modules and packages that an entry pulls in by static imports. */
export function findUnloadable(files: readonly SourceFile[], entry: string): Fault[] {
  const byPath = new Map(files.map(file => [file.path, file]))
  const faults: Fault[] = []
  const loaded = new Set([entry])
  // A set's iteration goes on to what is added meanwhile.
  for (const path of loaded) {
    const file = byPath.get(path)
    for (const { specifier, isStatic } of file === undefined ? [] : listImports(file)) {
      if (!isStatic) continue
      const target = findTarget(file!, specifier)
      if (target !== undefined) loaded.add(target)
      else {
        const remedy = `${entry} loads it, and a browser cannot. Import it when it is needed: await import(…).`
        faults.push({ path, fault: `imports ${specifier}`, remedy })
      }
    }
  }
  return faults
}
