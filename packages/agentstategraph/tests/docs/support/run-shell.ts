/**
 * Runs the shell blocks of a page as a reader would: in an empty folder, with the tools of the workspace at hand.
 *
 * What a command says on its standard output counts. It knows nothing about Markdown.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the commands printed. A command that ends with a difference or an error does not end the block. */
export async function runShell(root: string, code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'asg-page-'))
  // The tool itself in place of npx, which takes half a second to find it.
  const commands = code.replaceAll(/^npx asg\b/gm, 'asg')
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  try {
    const env = { ...process.env, PATH: path, HOME: folder, NO_COLOR: '1', ASG_STORE: '', ASG_OUTPUT: '' }
    return (await run('bash', ['-c', `${commands}\ntrue`], { cwd: folder, env })).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
