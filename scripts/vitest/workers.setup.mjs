/**
 * Bundles the packages, when modules are newer, and the scripts that tests start as processes, once for a run: loading some hundred small modules is most of what
 * a short process costs.
 *
 * vitest calls it once for each project; the first call makes the bundles, in a folder that ends with the run. Without
 * them, as before the first build, a script is started as it is. An import that leads nowhere ends the run.
 */
import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { bundlePackages } from '../build.mjs'
import { root } from '../tools.mjs'

const tests = `${root}packages/agentstategraph/tests`

export async function setup() {
  if (process.env.ASG_WORKERS !== undefined || !existsSync(`${root}packages/agentstategraph/dist`)) return
  await bundlePackages()
  const scripts = readdirSync(tests, { recursive: true }).filter(name => name.endsWith('-worker.mjs'))
  const folder = mkdtempSync(join(tmpdir(), 'workers-'))
  // What is not bundled, such as a driver of SQLite, is found as it is from the sources.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const input = Object.fromEntries(scripts.map(name => [basename(name, '.mjs'), join(tests, name)]))
  const bundle = await rolldown({ input, platform: 'node', external: /node_modules/, logLevel: 'silent' })
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  process.env.ASG_WORKERS = folder
}
