/** The examples run from beginning to end, and what they check holds. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'

const run = promisify(execFile)
/** What the programs use. */
const parts = ['temporary-file.ts']
const programs = readdirSync(`${root}examples`)
  .filter(name => name.endsWith('.ts') && !parts.includes(name))
  .map(name => name.slice(0, -3))

it('there are programs to run', () => {
  expect(programs).toContain('repository-tour')
})

it.each(programs)('%s runs, says something and complains about nothing', async name => {
  const { stdout, stderr } = await run(process.execPath, ['--no-warnings', `${root}examples/dist/${name}.js`])
  expect(stdout).not.toBe('')
  expect(stderr).toBe('')
})
