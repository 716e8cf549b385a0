/**
 * Loads the program of this package, a bundle in files of CommonJS.
 *
 * A third of what a short process costs is V8 reading code. Node 22.8 and later keep what V8 compiled; before, it is done here, which
 * V8 offers for scripts and not for modules. A script cannot `import()`: what is not beside it is loaded as Node does.
 */
import { readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { type CodeCache, codeCacheIn, type KeptCode } from './code-cache.ts'
import { findPrivateFolder } from './private-folder.ts'

/** What the file exports. `NODE_DISABLE_COMPILE_CACHE` keeps nothing, as in Node. */
export function load(program: URL, env: NodeJS.ProcessEnv = process.env): unknown {
  const file = fileURLToPath(program)
  const folder = env['NODE_DISABLE_COMPILE_CACHE'] === undefined ? findPrivateFolder(env) : undefined
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown }
  if (folder !== undefined && enableCompileCache === undefined) return cachedRequire(codeCacheIn(folder))(file)
  if (folder !== undefined) enableCompileCache?.(folder)
  return createRequire(file)(file)
}

interface Loaded {
  readonly keep: KeptCode['keep']
  readonly script: Script
  /** Whether V8 did not have to read the text. */
  readonly isKnown: boolean
  readonly module: { exports: unknown }
}

type Wrapper = (
  exports: unknown,
  require: (name: string) => unknown,
  module: Loaded['module'],
  file: string,
  folder: string,
) => void

/** Loads files as `require` does. At the end of the process what V8 compiled is kept, functions that were first called late too. */
function cachedRequire(cache: CodeCache): (file: string) => unknown {
  const files = new Map<string, Loaded>()
  process.once('exit', () => {
    // Each process calls others of the functions: when something has to be kept, all is kept again, so the kept code grows.
    if ([...files.values()].every(({ isKnown }) => isKnown)) return
    for (const { keep, script } of files.values()) keep(script.createCachedData())
  })
  return function load(file): unknown {
    const known = files.get(file)
    if (known !== undefined) return known.module.exports
    const loaded = compiled(file, cache)
    files.set(file, loaded)
    const others = createRequire(file)
    const require = (name: string): unknown => (name.startsWith('./') ? load(join(dirname(file), name)) : others(name))
    const run = loaded.script.runInThisContext() as Wrapper
    run(loaded.module.exports, require, loaded.module, file, dirname(file))
    return loaded.module.exports
  }
}

function compiled(file: string, cache: CodeCache): Loaded {
  const text = readFileSync(file)
  const { data: cachedData, keep } = cache(file, text)
  // A bundle is ASCII, which V8 keeps in half the memory.
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${text.toString('latin1')}\n})`,
    {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    },
  )
  const isKnown = script.cachedDataRejected === false
  return { keep, script, isKnown, module: { exports: {} } }
}
