/** Puts the temporary files of a run of the tests, and of all processes that it starts, into one folder, and removes it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder

export function setup() {
  folder = mkdtempSync(join(tmpdir(), 'asg-tests-'))
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
}

export function teardown() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
