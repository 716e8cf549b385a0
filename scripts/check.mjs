/**
 * What can be checked in under a minute while a change is being made: format and lint, types and import arrows, the shape
 * of the code base, and the tests that sit beside their sources. `npm test` is what decides.
 */
import { formatAndLint, runSteps, typesAndLayers } from './steps.mjs'
import { runTool } from './tools.mjs'

const unitTests = {
  name: 'unit tests',
  run: () => runTool('vitest', ['run', '/src/', 'scripts/', 'tests/architecture/architecture.test.ts']),
  remedy: 'npx vitest run <file> runs one file alone.',
}

await runSteps([formatAndLint, typesAndLayers, unitTests])
