import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('one warm set passes at most 35 files, and has at most 3 frames before work begins', () => {
  const script = fileURLToPath(new URL('trace-set.mjs', import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  const numbers = [...stdout.matchAll(/^(\d+) (files passed|frames before)/gm)].map(([, number]) => Number(number))
  expect(numbers).toHaveLength(2)
  expect(numbers[0], stdout).toBeLessThanOrEqual(35)
  expect(numbers[1], stdout).toBeLessThanOrEqual(3)
})
