/**
 * Follows a page as a reader would: its commands and programs run one after the other, in one folder.
 *
 * A program whose first line is a comment with a file name is saved under that name and not run. The server of the pages
 * listens on 3001; here it gets a free port. It knows nothing about what the pages are about.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const PORT_ON_PAGES = '3001'
const shells = ['sh', 'bash']
const programs = { js: { suffix: 'mjs', run: process.execPath }, python: { suffix: 'py', run: 'python3' } }

/**
 * What goes wrong on the way, each in words with its line; nothing when all is as the page says.
 *
 * `blocks` are those of the page, `folder` is where the reader works, `env` what is around. After a block that fails the
 * rest is not tried.
 */
export async function walkPage(blocks, { folder, env, rewrite = code => code }) {
  const port = await freePort()
  const started = []
  const faults = []
  try {
    for (const { language, code, line, printed } of blocks) {
      const ownPort = text => text.replaceAll(PORT_ON_PAGES, port)
      const command = commandFor(language, rewrite(ownPort(code)), line, folder)
      if (command === undefined) continue
      const { status, said, complained } = await run(command, { folder, env, started })
      if (status !== 0) {
        faults.push(`line ${line} ends with ${status}:\n${said}${complained}`)
        break
      }
      if (printed !== undefined && said.trimEnd() !== ownPort(printed).trimEnd())
        faults.push(`line ${line} prints:\n${said}${complained}`)
    }
  } finally {
    for (const pid of started) endGroup(pid)
  }
  return faults
}

/** The command that runs a block; undefined for what is only shown, and for a file that is only saved. */
function commandFor(language, code, line, folder) {
  if (shells.includes(language)) return ['bash', '-c', `set -euo pipefail\n${code}`]
  const program = programs[language]
  if (program === undefined) return undefined
  const name = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1]
  const file = name ?? `line-${line}.${program.suffix}`
  writeFileSync(join(folder, file), code)
  return name === undefined ? [program.run, file] : undefined
}

/** Runs a command in a group of its own, so that a server it leaves behind can be ended. */
async function run([command, ...args], { folder, env, started }) {
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child.pid)
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', text => (said += text))
  child.stderr.setEncoding('utf8').on('data', text => (complained += text))
  const [status] = await once(child, 'close')
  return { status, said, complained }
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return String(port)
}
