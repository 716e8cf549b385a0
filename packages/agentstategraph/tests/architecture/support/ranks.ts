/**
 * The order of the folders inside each layer: the one table, and the check of it.
 *
 * A folder or file may import its own rank and those before it in the list. The compiler does not see this order, because
 * a layer is one project.
 */
import { type Fault, findTarget, isTest, layersFolder, listImports, type SourceFile } from './source-file.ts'

/** For each layer with folders, its ranks from the lowest to the highest; a name that ends in a slash is a folder. */
export const libraryRanks: Readonly<Record<string, readonly string[]>> = {
  core: [
    'nearest-name',
    'errors',
    'limits',
    'long-lists',
    'objects/',
    'text/',
    'paths/',
    'crypto/',
    'values/',
    'patterns/',
    'json-schema/',
    'options',
  ],
  tree: ['errors', 'nodes/', 'alignment/', 'diff/', 'edit/', 'merge/', 'writers/'],
  store: ['errors', 'contract/', 'packs/', 'memory/', 'journal/'],
  repo: [
    'records/',
    'errors',
    'landing',
    'landing-queue',
    'handle',
    'state/',
    'schema/',
    'access/',
    'visibility/',
    'log/',
    'write/',
    'query/',
    'merge/',
    'gc/',
    'outcomes/',
    'history/',
    'speculation/',
    'watch/',
  ],
  backends: [
    'errors',
    'lru',
    'index-places',
    'search-steps',
    'append-queue',
    'poll',
    'sqlite/',
    'kv/',
    'redis/',
    'postgres/',
    's3/',
    'indexeddb/',
    'backend-at',
    'disk',
    'temporary',
    'restore-store',
    'cache',
  ],
  maintenance: ['seq-numbers', 'repository', 'scan-handle', 'checks/', 'exchange/', ''],
  trust: ['', 'bundle/', 'epochs'],
  graph: ['model/', 'errors', 'state/', 'define/', 'engine/', 'thread/', 'app/'],
  'graph/engine': ['flow/', 'facts/', 'joins/', 'task/', 'run/'],
  'graph/thread': ['records/', 'state/', 'run/', ''],
  memory: ['errors', 'values/', 'state/', 'events/', 'branch/', 'task/'],
  access: ['errors', 'run', 'records', 'change-access', 'grants/', 'principals/', 'sessions/', 'review/', 'access'],
}

export const serverRanks: Readonly<Record<string, readonly string[]>> = {
  wire: ['errors', 'json-value', 'pace/', 'faults/', ''],
  operations: ['apps', 'run-once', 'operation', 'state/', 'access/', 'plans/', 'store/', 'agents/', ''],
  http: [
    'limits',
    'routes/',
    'exchange/http-request',
    'exchange/answer',
    'problem',
    'exchange/',
    'log-line',
    'body/',
    'stream/',
    'worker/',
    '',
  ],
  cli: ['launch/', 'terminal/', 'print/', 'parse/', 'client/', 'commands/', ''],
}

/** The rank of a file below a folder; the empty rank is that of the files that lie in the folder itself. */
function rankOf(below: string, ranks: readonly string[]): number {
  const named = ranks.findIndex(rank => (rank.endsWith('/') ? below.startsWith(rank) : below === `${rank}.ts`))
  return named >= 0 || below.includes('/') ? named : ranks.indexOf('')
}

/** Finds imports that go up the ranks, and files that have none. The index of a layer may import all of it. */
export function findWrongRanks(
  files: readonly SourceFile[],
  table: Readonly<Record<string, readonly string[]>> = libraryRanks,
  root: string = layersFolder,
): Fault[] {
  return Object.entries(table).flatMap(([layer, ranks]) => {
    const folder = `${root}/${layer}/`
    const inside = files.filter(
      file => file.path.startsWith(folder) && !isTest(file) && file.path !== `${folder}index.ts`,
    )
    return inside.flatMap(file => wrongRanksOf(file, folder, ranks))
  })
}

function wrongRanksOf(file: SourceFile, folder: string, ranks: readonly string[]): Fault[] {
  const own = rankOf(file.path.slice(folder.length), ranks)
  if (own < 0) {
    const remedy = 'Put it into a folder, or add its rank to the table in tests/architecture/support/ranks.ts.'
    return [{ path: file.path, fault: 'has no rank in its layer', remedy }]
  }
  return listImports(file).flatMap(({ specifier }) => {
    const target = findTarget(file, specifier)
    if (target === undefined || !target.startsWith(folder) || target === `${folder}index.ts`) return []
    if (rankOf(target.slice(folder.length), ranks) <= own) return []
    const remedy = `In this layer the order is ${ranks.filter(rank => rank !== '').join(' ← ')}. Move the code down.`
    return [{ path: file.path, fault: `imports ${specifier}`, remedy }]
  })
}

const MAX_FILES = 25

/** Finds folders that hold more files than a reader can take in; tests do not count. */
export function findWideFolders(files: readonly SourceFile[]): Fault[] {
  const counts = new Map<string, number>()
  for (const file of files.filter(file => !isTest(file))) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([path, count]) => ({
      path,
      fault: `holds ${count} files`,
      remedy: `${MAX_FILES} is the limit. Files with one prefix are a folder.`,
    }))
}
