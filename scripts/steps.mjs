/** Steps that a change has to pass, run one after another: the first that fails ends it, with what to do about it. */
import { runNode, runTool } from './tools.mjs'

export const formatAndLint = {
  name: 'format and lint',
  run: () => runTool('biome', ['check', '--error-on-warnings', '.']),
  remedy: 'npm run format writes what can be written; the rest is yours.',
}

export const typesAndLayers = {
  name: 'types and layers',
  run: () => runNode(['scripts/build.mjs']),
  remedy: 'npm run build shows the same again.',
}

/** Runs the steps and ends the process at the first that fails. Those that stand in one list run side by side. */
export async function runSteps(steps) {
  for (const group of steps.map(step => [step].flat())) {
    if (!(await Promise.all(group.map(runStep))).every(Boolean)) process.exit(1)
  }
}

async function runStep({ name, run, remedy }) {
  process.stdout.write(`\n— ${name}\n`)
  const start = performance.now()
  const passed = await run()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (passed) process.stdout.write(`${name}: passed in ${seconds} s\n`)
  else process.stderr.write(`\nFailed at: ${name}, after ${seconds} s. ${remedy}\n`)
  return passed
}
