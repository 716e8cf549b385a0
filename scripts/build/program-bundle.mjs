/**
 * Bundles `asg` with the library in it, as CommonJS: for that alone can Node 20 use what V8 compiled in an earlier process.
 *
 * What the library loads from its own dependencies, such as a driver, it finds where it is installed and not from the bundle.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeChunks } from './chunks.mjs'

/** Modules of the server that are loaded together, each group with what it loads at once. */
const GROUPS = {
  main: ['cli/main.js'],
  command: ['cli/run-operation.js', 'cli/client/local-client.js', 'operations/state/state.js', 'host/store-host.js'],
  printers: ['cli/print/printers.js'],
  table: ['operations/table.js'],
  serve: ['cli/commands/serve.js', 'http/serve.js', 'mcp/http-mount.js', 'mcp/tool-set.js'],
  rpc: ['rpc/main.js'],
  mcp: ['mcp/command.js', 'mcp/http-endpoint.js'],
}

export async function writeProgram(server, library, dir) {
  const entries = { main: 'dist/cli/main.js' }
  const { name, exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const plugins = [importing, withLibrary(library, name, exports)]
  const form = { platform: 'node', format: 'cjs', also: [name], plugins }
  await writeChunks({ dir, folder: server, entries, groups: GROUPS, ...form })
  writeFileSync(join(dir, '../import-module.cjs'), 'exports.importModule = url => import(url)\n')
}

/** A script with kept code cannot `import()`: the module that does is loaded as it is. */
const importing = {
  name: 'importing',
  resolveId: id => (basename(id) === 'import-module.js' ? { id: '../import-module.cjs', external: true } : null),
}

const ITS_URL = '\0url-of-the-library'

function withLibrary(library, name, exports) {
  const moduleOf = ({ types }) => join(library, types.replace('./lib/types/', 'dist/').replace('.d.ts', '.js'))
  const dist = join(library, 'dist/')
  return {
    name: 'with-library',
    resolveId(id) {
      if (id === ITS_URL) return id
      return id === name || id.startsWith(`${name}/`) ? moduleOf(exports[`.${id.slice(name.length)}`]) : null
    },
    load(id) {
      if (id !== ITS_URL) return null
      return `import { createRequire } from 'node:module'
        import { pathToFileURL } from 'node:url'
        export const url = pathToFileURL(createRequire(import.meta.url).resolve(${JSON.stringify(name)})).href`
    },
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null
      return `import { url } from ${JSON.stringify(ITS_URL)}\n${code.replaceAll('import.meta.url', 'url')}`
    },
  }
}
