import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('no statement compares a column with an array, which would be parsed again for each row', () => {
  const sources = readdirSync(import.meta.dirname).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const comparing = sources.filter(name => {
    const code = readFileSync(`${import.meta.dirname}/${name}`, 'utf8').replaceAll(/^ *(\/?\*|\/\/).*$/gm, '')
    return /= (ANY|ALL) ?\(|IN \(SELECT unnest/i.test(code)
  })
  expect(sources).toContain('group-state.ts')
  expect(comparing).toEqual([])
})
