/**
 * Bundles the entries of the library for browsers, below `lib/browser`. Modules that need Node are replaced by those of
 * `browser/in-place`, so that a bundler finds nothing in them that a browser does not have.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Modules below `dist/`, and what takes their place. */
const inPlace = {
  'backends/backend-at.js': 'backend-at.js',
  'backends/temporary.js': 'temporary.js',
  'core/crypto/native-crypto.js': 'native-crypto.js',
  'core/text/native-buffer.js': 'native-buffer.js',
  'repository/scratch.js': 'scratch.js',
  'trust/verify-ed25519.js': 'verify-ed25519.js',
}

/**
 * Parts of the library that `index` loads when work first needs them: modules below `dist/repo`, most of whose functions are work.
 * A page that writes and reads values of a store without rules and schemas needs none.
 */
const lateParts = {
  access: [
    ...below('access', 'active actors admit assert-may assert-may-edit authority change-details effective-grants gate'),
    ...below('access', 'landing-requests list-places nearest-landed owned-intent proposal rate refusals rule-match'),
    ...below('access', 'rule-record rules taints'),
    ...below('outcomes', 'fact-requests'),
    ...below('visibility', 'made-read-scope redact-conflicts redact-refusal redact-violation'),
    ...below('write', 'move-requests'),
  ],
  history: [
    ...below('history', 'bisect blame blame-chain commit-graph deletions describe-commit ref-heads'),
    ...below('query', 'log revision touches'),
    ...below('visibility', 'named-chain'),
    ...below('watch', 'journal-event'),
  ],
  merge: [
    ...below('merge', 'merge merge-bases plan-merge plan-waits policies revert-and-cherry-pick'),
    ...below('speculation', 'compare edit land'),
    ...below('watch', 'undo'),
    ...below('write', 'speculation'),
  ],
  outcomes: below('outcomes', 'calibration intent-lookup intent-steps intent-tree observe'),
  query: [
    ...below('gc', 'collect-garbage reach'),
    ...below('query', 'index-build intent-facts landed-counts query reindex stats'),
  ],
  schema: below('schema', 'check descent places'),
  signing: [
    ...below('log', 'epoch-entry high-water-mark merkle-log signed-head signing signing-keys tail-mark'),
    ...below('write', 'accept-fault sealed-refs'),
  ],
}

function below(folder, names) {
  return names.split(' ').map(name => `${folder}/${name}`)
}

/** The plugin that replaces them in a bundle of modules below a folder. */
export function withoutNode(dist) {
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
 * The plugin that loads parts late. Outside of its part, a generator function of a module is one that loads the part first, and so is an asynchronous one. What else
 * the module exports comes from a copy of it, of which a bundler keeps only that; so a module of a part keeps no state.
 */
export function withLateParts(dist, parts = lateParts) {
  const partOf = new Map(
    Object.entries(parts).flatMap(([part, names]) => names.map(name => [join(dist, 'repo', `${name}.js`), part])),
  )
  const late = JSON.stringify(join(dist, 'browser/in-place/late.js'))
  const filesOf = part => [...partOf.keys()].filter(file => partOf.get(file) === part)
  const sources = {
    part: part => filesOf(part).map(file => `export * from ${JSON.stringify(file)}\n`),
    loader: part => [
      `import { latePart } from ${late}\n`,
      `export const part = /* @__PURE__ */ latePart(() => import('\0part:${part}'))\n`,
    ],
    stub: async file => {
      const exported = Object.entries(await import(pathToFileURL(file)))
      const lines = exported.map(([name, value]) => {
        const kind = lateKinds.get(value.constructor)
        if (kind === undefined) return `export { ${name} } from ${JSON.stringify(`${file}?copy`)}\n`
        return `export const ${name} = /* @__PURE__ */ part.${kind}('${name}')\n`
      })
      return [`import { part } from '\0loader:${partOf.get(file)}'\n`, ...lines]
    },
  }
  return {
    name: 'late-parts',
    async resolveId(id, importer = '') {
      if (id.startsWith('\0') || id.endsWith('?copy')) return id
      if (!id.startsWith('.')) return null
      const [from, copy] = importer.split('?')
      const file = join(dirname(from), id)
      const part = partOf.get(file)
      if (part !== undefined && (copy !== undefined || part !== partOf.get(from))) return `\0stub:${file}`
      return copy === undefined ? null : file
    },
    async load(id) {
      if (id.endsWith('?copy')) return statelessOf(id.slice(0, -'?copy'.length))
      const [kind, name] = id.slice(1).split(':')
      return id.startsWith('\0') && kind in sources ? (await sources[kind](name)).join('') : null
    },
  }
}

/** By their constructors, the functions that can wait for their part. */
const lateKinds = new Map([
  [function* () {}.constructor, 'work'],
  [(async () => {}).constructor, 'call'],
])

/** The source of a module. Throws when it keeps state, of which its copy would have one of its own. */
function statelessOf(file) {
  const source = readFileSync(file, 'utf8')
  if (/^(let |(export )?const \w+ = new (Map|Set|WeakSet)\b)/m.test(source)) throw new Error(`${file} keeps state`)
  return source
}

/**
 * `entries` are the files of `exports` below `lib/browser`, each with its module. Each is bundled by itself, because files that they
 * share would hold what only one of them needs; but `internal` is `bundle` and two names more.
 */
export async function bundleBrowser(folder, output, entries) {
  const dist = join(folder, 'dist')
  const named = entries.map(({ module, default: file }) => [basename(file, '.js'), join(folder, module)])
  const only = (...names) => Object.fromEntries(named.filter(([name]) => names.includes(name)))
  const plain = { platform: 'browser', plugins: [withoutNode(dist)], logLevel: 'warn' }
  const inParts = { ...plain, plugins: [...plain.plugins, withLateParts(dist)] }
  const index = only('index')
  await write(index, inParts, { codeSplitting: await groupsOf(index['index'], inParts) })
  await write(only('verify'), plain)
  await write(only('bundle', 'internal'), plain)

  async function write(input, options, more = {}) {
    const bundled = await rolldown({ input, ...options, preserveEntrySignatures: 'allow-extension' })
    const chunkFileNames = chunk => `${chunk.name.replace('_part_', '')}-[hash].js`
    await bundled.write({ dir: output, comments: false, minify: true, chunkFileNames, ...more })
    await bundled.close()
  }
}

/** What `open` needs, what stores in IndexedDB need besides, and what else the entry exports: few files pack better than many. */
async function groupsOf(entry, options) {
  const grouped = new Map()
  for (const [name, imported] of Object.entries({ library: '{ open }', indexeddb: '{ indexeddb }', rest: '*' })) {
    const loaded = await loadedAtOnce(`export ${imported} from ${JSON.stringify(entry)}`, options)
    for (const id of loaded) if (!grouped.has(id)) grouped.set(id, name)
  }
  const groups = ['library', 'indexeddb', 'rest'].map(name => ({ name, test: id => grouped.get(id) === name }))
  return { includeDependenciesRecursively: false, groups }
}

/** The modules that a program loads before it runs. */
async function loadedAtOnce(source, options) {
  const program = {
    name: 'program',
    resolveId: id => (id === 'program' ? id : null),
    load: id => (id === 'program' ? source : null),
  }
  const bundled = await rolldown({ input: 'program', ...options, plugins: [program, ...options.plugins] })
  const { output } = await bundled.generate({})
  await bundled.close()
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const loaded = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of loaded) for (const imported of chunks.get(name).imports) loaded.add(imported)
  return new Set([...loaded].flatMap(name => Object.keys(chunks.get(name).modules)))
}
