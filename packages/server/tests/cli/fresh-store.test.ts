/** A store before its first write. */
import { afterEach, describe, expect, it } from 'vitest'
import { cliStore } from './support/cli-folder.ts'

const scratch: { remove(): void }[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

describe('a store in which nothing is written', () => {
  it('is read as empty, and each answer says what to write', async () => {
    const made = await cliStore()
    scratch.push(made)
    const here = made.asg
    const next = "try: asg set /hello world -m 'Say hello'\n"
    for (const [words, out] of [
      [['stats'], expect.stringMatching(/^ref +main\ncommits +0\n(?!.*hint)/)],
      [['log'], 'nothing\n'],
      [['get'], '{}\n'],
      [['paths'], 'nothing\n'],
      [['tree'], '/\n'],
      [['search', 'x'], 'nothing\n'],
      [['blame-tree'], 'nothing\n'],
    ] as const) {
      const ended = await here(words)
      expect(ended, words.join(' ')).toMatchObject({ code: 0, out })
      expect(ended.err, words.join(' ')).toMatch(/^Nothing is written yet/)
      expect(ended.err).toContain(next)
      expect((await here([...words, '--json'])).err).toBe('')
    }
    for (const words of [
      ['get', '/a'],
      ['blame', '/a'],
      ['history', '/a'],
    ]) {
      expect(await here(words), words.join(' ')).toMatchObject({ code: 5 })
      expect((await here(words)).err).toContain('in main, which has no commit yet')
    }
    for (const words of [
      ['show', 'main'],
      ['branch', 'create', 'x'],
      ['log', 'other'],
    ]) {
      const ended = await here(words)
      expect([ended.code, ended.err], words.join(' ')).toEqual([5, expect.stringContaining(next)])
    }
  })
})
