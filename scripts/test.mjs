/**
 * Everything that must hold before a change is in: format and lint, types and import arrows, tests, and the tests of
 * what depends on Node on a current one. Cheap questions come first, and the first "no" ends it.
 */
import { findCurrentNode } from './current-node.mjs'
import { fetchSchemaSuite } from './schema-suite.mjs'
import { installServers } from './servers.mjs'
import { formatAndLint, runSteps, typesAndLayers } from './steps.mjs'
import { runTool } from './tools.mjs'

/** The tests of backends, repositories and graphs, as beginnings of their paths. */
const nodeDependent = [
  ...['backends/', 'store/damage-sqlite', 'store/kills', 'repo/', 'graph/'].map(name => `tests/${name}`),
  ...['backends', 'repo', 'graph'].map(name => `src/${name}/`),
].map(path => `packages/agentstategraph/${path}`)

const steps = [
  formatAndLint,
  typesAndLayers,
  {
    name: 'tests',
    run() {
      installServers()
      fetchSchemaSuite()
      return runTool('vitest', ['run'])
    },
    remedy: 'npx vitest run <file> runs one file alone.',
  },
  {
    name: 'tests on a current Node',
    run() {
      const { path, reason, isCovered } = findCurrentNode()
      if (path !== undefined) return runTool('vitest', ['run', ...nodeDependent], path)
      process.stdout.write(`${isCovered ? 'Not needed' : 'SKIPPED'}: ${reason}.\n`)
      return isCovered || !process.env.CI
    },
    remedy:
      'scripts/current-node/node_modules/<package>/bin/node node_modules/vitest/vitest.mjs run <file> runs one file.',
  },
]

runSteps(steps)
