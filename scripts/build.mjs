/**
 * Compiles the workspace, and bundles each package into a few files below `lib/`, which its `exports` and programs name.
 *
 * Loading some hundred small modules is most of what a short process costs. `dist/` keeps the declarations, and the
 * modules for tests that look inside.
 */
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root, runTool } from './tools.mjs'

const library = join(root, 'packages/agentstategraph')
const server = join(root, 'packages/server')

/** Loaded on nearly every call of `asg`, from a hundred modules: the one dependency that is bundled. */
const BUNDLED = 'zod'

/** Bundles the packages whose modules are newer than their bundles. */
export async function bundlePackages() {
  if (isStale(library)) {
    const { exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
    const entries = Object.values(exports).filter(({ types }) => types !== undefined)
    const named = entries.map(({ types, default: file }) => [basename(file, '.js'), types.replace('.d.ts', '.js')])
    await bundle(library, Object.fromEntries(named), 'agentstategraph')
  }
  if (isStale(server)) {
    const programs = { main: 'dist/cli/main.js', worker: 'dist/http/worker-main.js', index: 'dist/index.js' }
    await bundle(server, programs, 'main')
    copyFileSync(join(root, 'node_modules', BUNDLED, 'LICENSE'), join(server, 'lib', `${BUNDLED}.LICENSE`))
  }
}

/** tsc writes its build information anew when it has written modules. */
function isStale(folder) {
  const built = readdirSync(join(folder, 'dist'), { recursive: true }).filter(name => name.endsWith('.tsbuildinfo'))
  const ofPackage = ['package.json', ...built.map(name => join('dist', name))].map(name => join(folder, name))
  const inputs = [fileURLToPath(import.meta.url), ...ofPackage]
  const bundled = statSync(join(folder, 'lib'), { throwIfNoEntry: false })
  return bundled === undefined || inputs.some(file => statSync(file).mtimeMs > bundled.mtimeMs)
}

/** Bundles the entries of a package. What the main entry loads at once is one file. */
async function bundle(folder, entries, main) {
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(folder, file)]))
  const loaded = await loadedBy(input[main])
  const bundled = await rolldown(optionsFor(input))
  const fresh = join(folder, 'lib.new')
  await bundled.write({
    dir: fresh,
    comments: false,
    keepNames: true,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: main, test: id => loaded.has(id) }] },
  })
  await bundled.close()
  rmSync(join(folder, 'lib'), { recursive: true, force: true })
  renameSync(fresh, join(folder, 'lib'))
}

/** The modules that an entry loads without being asked to. */
async function loadedBy(entry) {
  const bundled = await rolldown(optionsFor(entry))
  const { output } = await bundled.generate({})
  await bundled.close()
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const seen = new Set([output[0].fileName])
  for (const name of seen) for (const imported of chunks.get(name).imports) if (chunks.has(imported)) seen.add(imported)
  return new Set([...seen].flatMap(name => chunks.get(name).moduleIds))
}

function optionsFor(input) {
  const external = id => !/^[./]/.test(id) && !/^[A-Z]:/i.test(id) && id !== BUNDLED
  return { input, platform: 'node', external, logLevel: 'warn' }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!runTool('tsc', ['-b', ...process.argv.slice(2)])) process.exit(1)
  await bundlePackages()
}
