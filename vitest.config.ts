import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Everything random in the tests comes from this number. `npm run soak` gives a new one to each run. */
const seed = Number(process.env['ASG_SEED'] ?? 15)
if (!Number.isInteger(seed)) throw new Error('ASG_SEED has to be a whole number.')

/** Ends a test that hangs. It says nothing about speed, so a loaded machine does not reach it. */
const patience = process.env['ASG_SOAK'] === '1' ? 3_600_000 : 600_000

/** Files that change what belongs to the whole process: the working directory, globals. Each gets a process of its own. */
const isolated = [
  'packages/agentstategraph/src/backends/poll.test.ts',
  'packages/agentstategraph/src/graph/app/mermaid.test.ts',
  'packages/agentstategraph/tests/backends/s3/bad-input.test.ts',
  'packages/agentstategraph/tests/backends/s3/watch.test.ts',
  'packages/agentstategraph/tests/backends/sqlite-open.test.ts',
  'packages/agentstategraph/tests/graph/events.test.ts',
  'packages/agentstategraph/tests/growth/caches.test.ts',
  'packages/agentstategraph/tests/repo/index-close.test.ts',
  'packages/agentstategraph/tests/repo/chains.test.ts',
  'packages/agentstategraph/tests/repository/budget.test.ts',
  'packages/agentstategraph/tests/repository/slices.test.ts',
]

/** Where suites that ask for memory keep their repositories instead: `postgres`, `pglite` or `s3`. */
const store = process.env['ASG_TEST_STORE']
const kind = store === 's3' ? 's3' : 'postgres'
const inPlaceOfMemory = fileURLToPath(
  new URL(`packages/agentstategraph/tests/backends/${kind}/support/memory-on-${kind}.ts`, import.meta.url),
)

export default defineConfig({
  plugins: [
    {
      name: 'store',
      enforce: 'pre',
      resolveId: source => (store !== undefined && source.endsWith('/memory-backend.ts') ? inPlaceOfMemory : undefined),
    },
  ],
  test: {
    pool: 'forks',
    // Left to itself, vitest keeps one core for itself, which is half of two.
    maxWorkers: '100%',
    testTimeout: patience,
    hookTimeout: patience,
    env: { ASG_SEED: `${seed}` },
    globalSetup: ['scripts/vitest/temporary.setup.mjs', 'scripts/vitest/workers.setup.mjs'],
    setupFiles: ['scripts/vitest/laws.setup.mjs'],
    // The order of the files changes with the seed, so that a file that needs or disturbs another is found.
    sequence: { seed, shuffle: { files: true, tests: false } },
    projects: [
      { extends: true, test: { name: 'isolated', include: isolated, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/tests/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'bench/*.test.mjs',
            'release/*.test.mjs',
          ],
          exclude: ['**/node_modules/**', ...isolated],
          // Importing the sources anew for each file is almost half of the time of a run.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
