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
import { ascii, inLines } from './build/bundle-text.mjs'
import { writeDeclarations } from './build/declarations.mjs'
import { explorerStyle, styleFiles } from './build/explorer-style.mjs'
import { bundleRpc } from './build/rpc-bundle.mjs'
import { bundleViewer } from './build/viewer-bundle.mjs'
import { root, runTool } from './tools.mjs'

const library = join(root, 'packages/agentstategraph')
const server = join(root, 'packages/server')
const explorer = join(root, 'packages/explorer')
const PAGES = ['src/index.html', 'src/playground/playground.html']

/** Loaded on nearly every call of `asg`, from a hundred modules: the dependencies that are bundled. */
const BUNDLED = ['zod', 'commander', '@modelcontextprotocol/server', '@modelcontextprotocol/core']

/** The SDK of MCP takes ajv with it to check answers that it asked for by itself, which this server never does. */
const WITHOUT_AJV = { '@modelcontextprotocol/server/_shims': '@modelcontextprotocol/server/dist/shimsBrowser.mjs' }

/** Modules of the packages that are loaded together, each group with what it loads at once: one file is faster than many. */
const LIBRARY_GROUPS = {
  agentstategraph: ['repository/index.js', 'backends/kv/kv-backend.js'],
  backends: ['backends/index.js'],
}
const SERVER_GROUPS = {
  main: ['cli/main.js'],
  command: ['cli/run-operation.js', 'cli/client/local-client.js', 'operations/state/state.js', 'host/store-host.js'],
  printers: ['cli/print/printers.js'],
  table: ['operations/table.js'],
  rpc: ['rpc/main.js'],
  mcp: ['mcp/command.js', 'mcp/http-endpoint.js'],
}

const keepNames = { function: true, class: true }

/** Shorter files load faster. Stacks keep the names of functions; `inLines` keeps their lines short. */
const MINIFIED = { compress: { keepNames }, mangle: { keepNames }, codegen: { removeWhitespace: true } }

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
  if (isStale(server)) {
    const programs = { main: 'dist/cli/main.js', worker: 'dist/cli/worker.js', index: 'dist/index.js' }
    await bundle(server, programs, SERVER_GROUPS, 'node')
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
  const inputs = [fileURLToPath(import.meta.url), ...ofPackage]
  const bundled = statSync(output, { throwIfNoEntry: false })
  return bundled === undefined || inputs.some(file => statSync(file).mtimeMs > bundled.mtimeMs)
}

/**
 * Bundles the entries of a package. What the modules of a group load at once, and no group before it, is one file.
 *
 * `neutral` files load in a browser too: those of the platform `node` begin with an import of `node:module`. `addTo` adds other
 * files to the new folder before it takes the place of the old one.
 */
async function bundle(folder, entries, groups, platform, addTo = async () => {}) {
  const fileOf = name => join(folder, name)
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, fileOf(file)]))
  const loaded = await Promise.all(
    Object.values(groups).map(files =>
      loadedBy(
        files.map(file => fileOf(`dist/${file}`)),
        platform,
      ),
    ),
  )
  const bundled = await rolldown(optionsFor(input, platform))
  const fresh = join(folder, 'lib.new')
  await bundled.write({
    dir: fresh,
    comments: false,
    keepNames: true,
    minify: MINIFIED,
    plugins: [inLines, ascii],
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: Object.keys(groups).map((name, at) => ({
        name,
        test: id => loaded[at].has(id),
        priority: loaded.length - at,
      })),
    },
  })
  await bundled.close()
  await addTo(fresh)
  rmSync(join(folder, 'lib'), { recursive: true, force: true })
  renameSync(fresh, join(folder, 'lib'))
}

/** The modules that entries load without being asked to. */
async function loadedBy(entries, platform) {
  const input = Object.fromEntries(entries.map((file, at) => [`entry${at}`, file]))
  const bundled = await rolldown(optionsFor(input, platform))
  const { output } = await bundled.generate({})
  await bundled.close()
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const seen = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of seen) for (const imported of chunks.get(name).imports) if (chunks.has(imported)) seen.add(imported)
  return new Set([...seen].flatMap(name => chunks.get(name).moduleIds))
}

function optionsFor(input, platform) {
  const external = id =>
    !/^[./]/.test(id) && !/^[A-Z]:/i.test(id) && !BUNDLED.some(name => id === name || id.startsWith(`${name}/`))
  // What one command loads late, another loads at once.
  const checks = { ineffectiveDynamicImport: false, bundlerTimings: false }
  const alias = Object.fromEntries(
    Object.entries(WITHOUT_AJV).map(([id, file]) => [id, join(root, 'node_modules', file)]),
  )
  return { input, platform, external, resolve: { alias }, checks, logLevel: 'warn' }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!runTool('tsc', ['-b', ...process.argv.slice(2)])) process.exit(1)
  await bundlePackages()
}
