/**
 * Follows the first steps of each role in an empty folder, with nothing but the packed tarballs and what the page says to
 * install beside them.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { listBlocks } from '../scripts/pages/page-blocks.mjs'
import { walkPage } from '../scripts/pages/walk-page.mjs'
import { npm } from '../scripts/toolchain/install.mjs'
import { root } from '../scripts/tools.mjs'

/** By page, what the reader installs beside the tarballs. */
const roles = {
  library: [],
  'agent-developer': ['@modelcontextprotocol/client@2.4.0'],
  http: [],
  operator: [],
  auditor: [],
  author: [],
}

/** Throws with everything that is not as the pages say. */
export async function tryRoles(work, tarballs) {
  const faults = []
  for (const [name, beside] of Object.entries(roles)) {
    const page = `docs/guides/${name}.md`
    const folder = newProject(work, [...tarballs, ...beside])
    const env = { ...withoutOurs(process.env), HOME: folder, NO_COLOR: '1' }
    const blocks = listBlocks(page, readFileSync(join(root, page), 'utf8'))
    const found = await walkPage(blocks, { folder, env })
    faults.push(...found.map(fault => `${page}: ${fault}`))
    process.stdout.write(`${name}: ${found.length === 0 ? 'every block does what the page says' : 'failed'}\n`)
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** An empty folder as a reader's, with packages installed. */
export function newProject(work, packages) {
  const folder = mkdtempSync(join(work, 'project-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const done = npm(['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder)
  if (done.status !== 0) throw new Error(`npm could not install ${packages.join(', ')}:\n${done.stderr}`)
  return folder
}

/** Neither settings of this tool nor the programs of the workspace, which npm puts on the path. */
function withoutOurs(env) {
  const kept = Object.entries(env).filter(([name]) => !/^(ASG_|npm_)/.test(name))
  const path = env.PATH.split(delimiter).filter(entry => !entry.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}
