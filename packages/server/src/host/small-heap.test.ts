import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const built = fileURLToPath(new URL('../../dist/host/small-heap.js', import.meta.url))

/** The space for young objects before and after a process made many of them, and what it complained of. */
function grownBy(calls: string): { readonly before: number; readonly after: number; readonly complaints: string } {
  const code = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { keepHeapSmall, letYoungSpaceGrow } from ${JSON.stringify(built)}
    const size = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space').space_size
    ${calls}
    const before = size()
    const kept = []
    for (let i = 0; i < 600_000; i++) kept[i % 100_000] = { i, list: [i] }
    console.log(JSON.stringify({ before, after: size() }))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  return { ...JSON.parse(stdout), complaints: stderr }
}

it('holds the space for young objects as large as it is, until another thread begins', () => {
  // Half of the space is taken from the system only when it is first used.
  const held = grownBy('keepHeapSmall()')
  expect(held.after).toBeLessThanOrEqual(2 * held.before)
  for (const calls of ['letYoungSpaceGrow()', 'keepHeapSmall(); letYoungSpaceGrow()']) {
    const free = grownBy(calls)
    expect(free.after).toBeGreaterThan(2 * free.before)
    expect(free.complaints).toBe('')
  }
  expect(held.complaints).toBe('')
})
