/**
 * The S3 server that tests run: versitygw, compiled once by Go into a cache folder of this account, outside the repository.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const version = 'v1.8.0'
const source = `github.com/versity/versitygw/cmd/versitygw@${version}`

/** Where the program is, or will be. */
export function versitygwFile(env = process.env) {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'agentstategraph', `versitygw-${version}`, 'versitygw')
}

/** Compiles it unless it is there. Gives its file, or undefined where there is no Go or it cannot be fetched. */
export function installVersitygw({
  run = spawnSync,
  say = text => process.stdout.write(text),
  isThere = existsSync,
} = {}) {
  const file = versitygwFile()
  if (isThere(file)) return file
  const without = 'the tests of the object storage backend are skipped'
  if (run('go', ['version']).status !== 0) {
    say(`Go is not installed: ${without}. Install it to run them.\n`)
    return undefined
  }
  say('Compiling versitygw (once, about two minutes of CPU)…\n')
  const folder = join(file, '..')
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = run('go', ['install', source], {
    encoding: 'utf8',
    env: { ...process.env, GOBIN: folder },
  })
  if (status === 0) return file
  say(`versitygw could not be compiled: ${without}.\n${stderr}\n`)
  return undefined
}
