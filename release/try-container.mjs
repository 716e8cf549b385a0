/**
 * Takes the steps of the Dockerfile of docs/guides/service.md in their order, without an engine: the installation from the packed
 * tarballs into a prefix of its own, the command as a process, and its health check.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { listBlocks } from '../scripts/pages/page-blocks.mjs'
import { root } from '../scripts/tools.mjs'

const page = 'docs/guides/service.md'

/** Throws when a step fails. */
export async function tryContainer(work, tarballs) {
  const text = readFileSync(join(root, page), 'utf8')
  const lines = listBlocks(page, text)
    .find(({ language }) => language === 'dockerfile')
    .code.trimEnd()
    .split('\n')
  const of = instruction => lines.find(line => line.startsWith(`${instruction} `)).slice(instruction.length + 1)
  const folder = mkdtempSync(join(work, 'container-'))
  const [prefix, data] = ['prefix', 'data'].map(name => join(folder, name))
  mkdirSync(data)
  const path = `${join(prefix, 'bin')}${delimiter}${process.env.PATH}`
  // Which registry is asked, and how, is that of this account.
  const env = { ...process.env, PATH: path, npm_config_prefix: prefix }
  const installing = of('RUN').replace('@agentstategraph/server', tarballs.join(' '))
  const installed = spawnSync('sh', ['-c', installing], { cwd: folder, env, encoding: 'utf8' })
  if (installed.status !== 0) throw new Error(`RUN ${installing} failed:\n${installed.stderr}`)
  const [command, ...args] = JSON.parse(of('CMD')).map(word => word.replace('/data', data))
  const server = spawn(command, [...args, '--port', '0', '--json'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data')
  const port = new URL(JSON.parse(line.split('\n')[0]).url).port
  const check = of('HEALTHCHECK').replace(/^CMD /, '').replace('3001', port)
  const checked = spawnSync('sh', ['-c', check], { cwd: folder, env })
  const ended = once(server, 'close')
  server.kill('SIGTERM')
  const [code] = await ended
  if (checked.status !== 0 || code !== 0)
    throw new Error(`The health check ended with ${checked.status}, the command with ${code}`)
  process.stdout.write(`${lines.length} instructions: installed, healthy, ended with 0\n`)
}
