/**
 * Everything that must hold before a change is in: format and lint, types and
 * import arrows, tests. Cheap questions come first, and the first "no" ends it.
 */
import { fetchSchemaSuite } from './schema-suite.mjs'
import { installServers } from './servers.mjs'
import { runTool } from './tools.mjs'

const steps = [
  {
    name: 'format and lint',
    run: () => runTool('biome', ['check', '--error-on-warnings', '.']),
    remedy: 'npm run format writes what can be written; the rest is yours.',
  },
  { name: 'types and layers', run: () => runTool('tsc', ['-b']), remedy: 'npm run build shows the same again.' },
  {
    name: 'tests',
    run() {
      installServers()
      fetchSchemaSuite()
      return runTool('vitest', ['run'])
    },
    remedy: 'npx vitest run <file> runs one file alone.',
  },
]

for (const { name, run, remedy } of steps) {
  process.stdout.write(`\n— ${name}\n`)
  const start = performance.now()
  const passed = run()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (!passed) {
    process.stderr.write(`\nFailed at: ${name}, after ${seconds} s. ${remedy}\n`)
    process.exit(1)
  }
  process.stdout.write(`${name}: passed in ${seconds} s\n`)
}
