/** Bundles entries of a package into chunks: what is loaded together is one file, because one file loads faster than many. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../tools.mjs'
import { ascii, inLines } from './bundle-text.mjs'

/** Loaded on nearly every call of `asg`, from a hundred modules: the dependencies that are bundled. */
export const BUNDLED = ['zod', 'commander', '@modelcontextprotocol/server', '@modelcontextprotocol/core']

/** The SDK of MCP takes ajv with it to check answers that it asked for by itself, which this server never does. */
const WITHOUT_AJV = { '@modelcontextprotocol/server/_shims': '@modelcontextprotocol/server/dist/shimsBrowser.mjs' }

const keepNames = { function: true, class: true }

/** Shorter files load faster. Stacks keep the names of functions; `inLines` keeps their lines short. */
const MINIFIED = { compress: { keepNames }, mangle: { keepNames }, codegen: { removeWhitespace: true } }

/**
 * Writes the entries, modules of a package by their names. What the modules of a group load at once, and no group before it, is one file.
 *
 * `also` names packages that are bundled beside those that always are. `neutral` files load in a browser too: those of the platform `node` begin with an import of `node:module`.
 */
export async function writeChunks({ dir, folder, entries, groups, platform, format = 'esm', also = [], plugins = [] }) {
  const fileOf = name => join(folder, name)
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, fileOf(file)]))
  const options = optionsFor(platform, [...BUNDLED, ...also], plugins)
  const loaded = await Promise.all(
    Object.values(groups).map(files =>
      loadedBy(
        files.map(file => fileOf(`dist/${file}`)),
        options,
      ),
    ),
  )
  const bundled = await rolldown({ ...options, input })
  const extension = format === 'cjs' ? 'cjs' : 'js'
  await bundled.write({
    dir,
    format,
    comments: false,
    keepNames: true,
    minify: MINIFIED,
    plugins: [inLines, ascii],
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    codeSplitting: {
      groups: Object.keys(groups).map((name, at) => ({
        name,
        test: id => loaded[at].has(id),
        priority: loaded.length - at,
      })),
    },
  })
  await bundled.close()
}

/** The modules that entries load without being asked to. */
async function loadedBy(entries, options) {
  const input = Object.fromEntries(entries.map((file, at) => [`entry${at}`, file]))
  const bundled = await rolldown({ ...options, input })
  const { output } = await bundled.generate({})
  await bundled.close()
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const seen = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of seen) for (const imported of chunks.get(name).imports) if (chunks.has(imported)) seen.add(imported)
  return new Set([...seen].flatMap(name => chunks.get(name).moduleIds))
}

function optionsFor(platform, inside, plugins) {
  const external = id =>
    !/^[./\0]/.test(id) && !/^[A-Z]:/i.test(id) && !inside.some(name => id === name || id.startsWith(`${name}/`))
  // What one command loads late, another loads at once.
  const checks = { ineffectiveDynamicImport: false, bundlerTimings: false }
  const alias = Object.fromEntries(
    Object.entries(WITHOUT_AJV).map(([id, file]) => [id, join(root, 'node_modules', file)]),
  )
  return { platform, external, plugins, resolve: { alias }, checks, logLevel: 'warn' }
}
