/**
 * Bundles `asg rpc` into one file, `asg-rpc.mjs`, for the clients in other languages, with the licences of what is in it.
 *
 * The file needs nothing beside it and knows no path of its own. It is a build product and never committed; a release puts it
 * into each client.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../tools.mjs'

/** Where the bundle and its licences are. */
export const rpcFolder = join(root, 'packages/server/lib/rpc')

/** Packages that are loaded when they are there: drivers of backends. */
const OPTIONAL = ['@photostructure/sqlite', 'better-sqlite3', 'ioredis', 'redis']

const keepNames = { function: true, class: true }

export async function bundleRpc(folder = rpcFolder) {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'))
  const inside = new Set()
  const bundled = await rolldown({
    input: 'asg-rpc',
    platform: 'node',
    external: id => OPTIONAL.includes(id),
    plugins: [entry(version)],
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  })
  const { output } = await bundled.generate({
    comments: false,
    keepNames: true,
    codeSplitting: false,
    // An error shows the line that it is from: lines have to be short.
    minify: { compress: { keepNames }, mangle: { keepNames }, codegen: { removeWhitespace: false } },
  })
  await bundled.close()
  if (output.length !== 1) throw new Error(`asg-rpc.mjs is ${output.length} files`)
  const [{ code, moduleIds }] = output
  for (const id of moduleIds) {
    const found = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))
    if (found !== null) inside.add(found[1])
  }
  mkdirSync(folder, { recursive: true })
  write(folder, 'THIRD-PARTY.txt', licences([...inside].sort()))
  write(folder, 'asg-rpc.mjs', code)
}

/** The program: its own package is not beside it, so its version is in it. */
function entry(version) {
  const main = join(root, 'packages/server/dist/rpc/main.js')
  const text = [
    `import { rpcMain } from ${JSON.stringify(main)}`,
    `process.exitCode = await rpcMain(process.argv.slice(2), ${JSON.stringify(version)})`,
  ]
  return {
    name: 'asg-rpc',
    resolveId: id => (id === 'asg-rpc' ? id : undefined),
    load: id => (id === 'asg-rpc' ? text.join('\n') : undefined),
  }
}

/** The licence of each package in the bundle. */
function licences(names) {
  const parts = names.map(name => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`
  })
  return `asg-rpc.mjs contains these packages.\n\n${parts.join('\n\n')}`
}

/** A program that starts meanwhile finds the old file or the new one. */
function write(folder, name, text) {
  writeFileSync(join(folder, `${name}.new`), text)
  renameSync(join(folder, `${name}.new`), join(folder, name))
}
