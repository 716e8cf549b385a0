/**
 * Compiles the workspace, and bundles each package into a few files below `lib/`, which its `exports` and programs name.
 *
 * Loading some hundred small modules is most of what a short process costs. `dist/` keeps the declarations that the workspace compiles
 * against, and the modules for tests that look inside.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleBrowser } from './build/browser-bundle.mjs'
import { BUNDLED, writeChunks } from './build/chunks.mjs'
import { writeDeclarations } from './build/declarations.mjs'
import { explorerStyle, styleFiles } from './build/explorer-style.mjs'
import { writeProgram } from './build/program-bundle.mjs'
import { bundleRpc } from './build/rpc-bundle.mjs'
import { bundleViewer } from './build/viewer-bundle.mjs'
import { root, runTool } from './tools.mjs'

const library = join(root, 'packages/agentstategraph')
const server = join(root, 'packages/server')
const explorer = join(root, 'packages/explorer')
const PAGES = ['src/index.html', 'src/playground/playground.html']

/** Modules of the packages that are loaded together, each group with what it loads at once: one file is faster than many. */
const LIBRARY_GROUPS = {
  agentstategraph: ['repository/index.js', 'backends/kv/kv-backend.js'],
  backends: ['backends/index.js'],
}
const SERVER_GROUPS = {
  table: ['operations/table.js'],
  serve: ['index.js', 'cli/worker.js'],
  mcp: ['mcp/http-endpoint.js'],
}

/** Bundles the packages whose modules are newer than their bundles. */
export async function bundlePackages() {
  if (isStale(library)) {
    const { exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
    const entries = Object.values(exports)
      .filter(({ types }) => types !== undefined)
      .map(entry => ({ ...entry, module: entry.types.replace('./lib/types/', './dist/').replace('.d.ts', '.js') }))
    const forBrowsers = entries.filter(({ default: file }) => file.startsWith('./lib/browser/'))
    const others = entries.filter(entry => !forBrowsers.includes(entry))
    const named = others.map(({ module, default: file }) => [basename(file, '.js'), module])
    await bundle(library, Object.fromEntries(named), LIBRARY_GROUPS, 'neutral', async fresh => {
      await bundleBrowser(library, join(fresh, 'browser'), forBrowsers)
      const declared = entries.map(({ types }) => types.replace('./lib/types/', ''))
      writeDeclarations(join(library, 'dist/'), join(fresh, 'types'), declared)
    })
  }
  // The program contains the library.
  if (isStale(server, undefined, ['../agentstategraph/lib/internal.js'])) {
    const entries = { launch: 'dist/cli/launch/launch.js', worker: 'dist/cli/worker.js', index: 'dist/index.js' }
    await bundle(server, entries, SERVER_GROUPS, 'node', fresh => writeProgram(server, library, join(fresh, 'program')))
    for (const name of BUNDLED) {
      copyFileSync(
        join(root, 'node_modules', name, 'LICENSE'),
        join(server, 'lib', `${name.replace('@', '').replace('/', '-')}.LICENSE`),
      )
    }
    await bundleRpc()
    writeManual()
  }
  copyVerifiers()
  // The viewer and the playground contain the library.
  const pageFiles = [...PAGES, ...styleFiles, 'src/viewer/viewer.css', '../agentstategraph/lib/browser/index.js']
  if (isStale(explorer, join(server, 'explorer'), pageFiles)) {
    await bundleExplorer()
    await bundleViewer(explorer, join(server, 'verifiers/viewer.html'))
  }
}

/** Auditors get the verifiers with the package of the server. */
function copyVerifiers() {
  mkdirSync(join(server, 'verifiers'), { recursive: true })
  for (const name of ['verify.mjs', 'verify.py', 'witness.mjs'])
    copyFileSync(join(root, 'verifiers', name), join(server, 'verifiers', name))
}

/** The manual pages of the commands, which npm installs with the package. */
function writeManual() {
  rmSync(join(server, 'man'), { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, [join(server, 'bin/asg.mjs'), 'man', join(server, 'man')])
  if (status !== 0) throw new Error('asg man wrote no pages')
}

/** Bundles the web pages into the package of the server, which sends them. The playground shares no file: the Explorer stays small. */
async function bundleExplorer() {
  const fresh = join(server, 'explorer.new')
  await bundlePage('dist/main.js', fresh, { chunkFileNames: '[name]-[hash].js' })
  const names = { entryFileNames: 'playground.js', chunkFileNames: 'playground-[name]-[hash].js' }
  await bundlePage('dist/playground/main.js', fresh, names)
  for (const name of PAGES) copyFileSync(join(explorer, name), join(fresh, basename(name)))
  writeFileSync(join(fresh, 'style.css'), explorerStyle(explorer))
  rmSync(join(server, 'explorer'), { recursive: true, force: true })
  renameSync(fresh, join(server, 'explorer'))
}

async function bundlePage(input, dir, names) {
  const bundled = await rolldown({ input: join(explorer, input), platform: 'browser', logLevel: 'warn' })
  await bundled.write({ dir, comments: false, minify: true, ...names })
  await bundled.close()
}

/** tsc writes its build information anew when it has written modules. */
function isStale(folder, output = join(folder, 'lib'), files = []) {
  const built = readdirSync(join(folder, 'dist'), { recursive: true }).filter(name => name.endsWith('.tsbuildinfo'))
  const ofPackage = ['package.json', ...files, ...built.map(name => join('dist', name))].map(name => join(folder, name))
  const scripts = readdirSync(join(root, 'scripts/build')).map(name => join(root, 'scripts/build', name))
  const inputs = [fileURLToPath(import.meta.url), ...scripts, ...ofPackage]
  const bundled = statSync(output, { throwIfNoEntry: false })
  return bundled === undefined || inputs.some(file => statSync(file).mtimeMs > bundled.mtimeMs)
}

/** Bundles entries of a package into its `lib/`. `addTo` adds other files to the new folder before it takes the place of the old one. */
async function bundle(folder, entries, groups, platform, addTo = async () => {}) {
  const fresh = join(folder, 'lib.new')
  await writeChunks({ dir: fresh, folder, entries, groups, platform })
  await addTo(fresh)
  rmSync(join(folder, 'lib'), { recursive: true, force: true })
  renameSync(fresh, join(folder, 'lib'))
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!runTool('tsc', ['-b', ...process.argv.slice(2)])) process.exit(1)
  await bundlePackages()
}
