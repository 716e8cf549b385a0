/**
 * Bundles the entries of the library for browsers, below `lib/browser`. Modules that need Node are replaced by those of
 * `browser/in-place`, so that a bundler finds nothing in them that a browser does not have.
 */
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

/** Modules below `dist/`, and what takes their place. */
const inPlace = {
  'backends/backend-at.js': 'backend-at.js',
  'backends/sqlite/spill.js': 'spill.js',
  'backends/temporary.js': 'temporary.js',
  'core/crypto/native-crypto.js': 'native-crypto.js',
  'node/ed25519.js': 'ed25519.js',
}

/** The plugin that replaces them in a bundle of modules below a folder. */
function withoutNode(dist) {
  const replaced = new Map(
    Object.entries(inPlace).map(([from, to]) => [join(dist, from), join(dist, 'browser/in-place', to)]),
  )
  return {
    name: 'without-node',
    async resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return null
      return replaced.get(join(importer, '..', id)) ?? null
    },
  }
}

/**
 * `entries` are the files of `exports` below `lib/browser`, each with its declarations. Each is bundled by itself: files that they
 * share would hold what only one of them needs.
 */
export async function bundleBrowser(folder, output, entries) {
  for (const { types, default: file } of entries) {
    const input = { [basename(file, '.js')]: join(folder, types.replace('.d.ts', '.js')) }
    const plugins = [withoutNode(join(folder, 'dist'))]
    const bundled = await rolldown({ input, platform: 'browser', plugins, logLevel: 'warn' })
    await bundled.write({ dir: output, comments: false, minify: true, chunkFileNames: '[name]-[hash].js' })
    await bundled.close()
  }
}
