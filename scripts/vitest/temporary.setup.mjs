/**
 * Puts the temporary files of a run of the tests, and of all processes that it starts, into one folder, and removes it.
 *
 * vitest calls it once for each project; the first call makes the folder. Its name is short, because the path of a
 * socket may have about a hundred characters.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder

export function setup() {
  if (process.env.ASG_TEMPORARY !== undefined) return
  folder = mkdtempSync(join(tmpdir(), 'asg-'))
  for (const name of ['ASG_TEMPORARY', 'TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
}

export function teardown() {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
