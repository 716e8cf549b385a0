/**
 * Everything that must hold before a change is in: format and lint, types and import arrows, tests, the tests of what depends on
 * Node on a current one, the clients that generators make, and those in other languages. Cheap questions come first, and the
 * first "no" ends it.
 */
import { readdirSync } from 'node:fs'
import { formatAndLint, runSteps, typesAndLayers } from './steps.mjs'
import { findCurrentNode } from './toolchain/current-node.mjs'
import { fetchSchemaSuite } from './toolchain/schema-suite.mjs'
import { installServers } from './toolchain/servers.mjs'
import { installVersitygw } from './toolchain/versitygw.mjs'
import { root, runNodeBeside, runTool, runToolBeside } from './tools.mjs'

const library = 'packages/agentstategraph'

/** The tests of backends, repositories and graphs, as beginnings of their paths. */
const nodeDependent = [
  ...['backends/', 'store/damage-sqlite', 'store/kills', 'repo/', 'graph/'].map(name => `tests/${name}`),
  ...['backends', 'repo', 'graph'].map(name => `src/${name}/`),
]

/**
 * Those among them that run once, as beginnings of their paths. The rule: a file is here only if it is slow, and keeps its data on a
 * server that is no part of Node, or opens no store but one in memory, starts no process, and is about random graphs or histories, the
 * compiler or a picture. Each part that it uses is run on both Nodes by the other files of its kind.
 */
const sameOnEveryNode = [
  'src/graph/app/mermaid.test.ts',
  'tests/backends/postgres/',
  'tests/backends/redis',
  'tests/backends/s3/',
  'tests/graph/cache-laws.test.ts',
  'tests/graph/crashes.test.ts',
  'tests/graph/engine-laws.test.ts',
  'tests/graph/join-laws.test.ts',
  'tests/graph/pauses-laws.test.ts',
  'tests/graph/types-messages.test.ts',
  'tests/repo/speculation-laws.test.ts',
]

function listNodeDependent() {
  const files = ['src', 'tests'].flatMap(folder =>
    readdirSync(`${root}${library}/${folder}`, { recursive: true }).map(
      name => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  )
  const absent = sameOnEveryNode.filter(name => !files.some(file => file.startsWith(name)))
  if (absent.length > 0) throw new Error(`scripts/test.mjs names files that are not there: ${absent.join(', ')}`)
  return files
    .filter(file => file.endsWith('.test.ts') && nodeDependent.some(beginning => file.startsWith(beginning)))
    .filter(file => !sameOnEveryNode.some(name => file.startsWith(name)))
    .map(file => `${library}/${file}`)
}

const steps = [
  formatAndLint,
  typesAndLayers,
  {
    name: 'tests',
    run() {
      installServers()
      installVersitygw()
      fetchSchemaSuite()
      return runTool('vitest', ['run'])
    },
    remedy: 'npx vitest run <file> runs one file alone.',
  },
  // Each of these waits now and then, for a compiler, a browser or a server, and leaves a processor to the others.
  [
    {
      name: 'tests on a current Node',
      run() {
        const { path, reason, isCovered } = findCurrentNode()
        if (path !== undefined) return runToolBeside('vitest', ['run', ...listNodeDependent()], path)
        process.stdout.write(`${isCovered ? 'Not needed' : 'SKIPPED'}: ${reason}.\n`)
        return isCovered || !process.env.CI
      },
      remedy:
        'scripts/toolchain/current-node/node_modules/<package>/bin/node node_modules/vitest/vitest.mjs run <file> runs one file.',
    },
    {
      name: 'clients that generators make',
      run: () => runNodeBeside(['scripts/generated-clients.mjs']),
      remedy: 'node scripts/generated-clients.mjs runs them alone.',
    },
    {
      name: 'clients in other languages',
      run: () => runNodeBeside(['scripts/clients.mjs']),
      remedy: 'node scripts/clients.mjs <client> checks one alone.',
    },
  ],
]

await runSteps(steps)
