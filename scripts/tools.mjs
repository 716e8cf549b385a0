/**
 * Runs the tools of the workspace, with the Node that runs us unless another one is given.
 *
 * It calls the tools' own entry files instead of `npx` or shell shims: that
 * is half a second faster and the same on every platform. It knows nothing
 * about what the tools are run for.
 */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of the workspace, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url))

const entries = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}

/** Runs a tool at the root of the workspace, showing what it prints, and tells whether it was content. */
export function runTool(name, args, node) {
  return runNode([root + entries[name], ...args], node)
}

/** Runs a script at the root of the workspace, showing what it prints, and tells whether it ended well. */
export function runNode(args, node = process.execPath) {
  return spawnSync(node, args, { cwd: root, stdio: 'inherit' }).status === 0
}

/** The same for a tool beside others: what it prints is shown once it has ended, so that lines do not mix. */
export function runToolBeside(name, args, node) {
  return runNodeBeside([root + entries[name], ...args], node)
}

/** The same for a script beside others. */
export function runNodeBeside(args, node = process.execPath) {
  return new Promise(resolve => {
    const printed = []
    const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => printed.push(chunk))
    child.on('error', error => printed.push(`${error.message}\n`))
    child.on('close', code => {
      process.stdout.write(Buffer.concat(printed.map(chunk => Buffer.from(chunk))))
      resolve(code === 0)
    })
  })
}
