import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { routes } from './routes.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

it('says of each operation what the table of the server says', () => {
  const commands: readonly { name: string; route: string; effect: string }[] = JSON.parse(
    read('../../../server/commands.json'),
  )
  const sections = read('../../../../docs/operations.md').split(/^### /m)
  const inTable = Object.keys(routes).map(name => {
    const { route, effect } = commands.find(command => command.name === name)!
    const section = sections.find(text => text.startsWith(`${name}\n`))!
    return [name, [route, effect === 'read' ? 'read' : 'write', /needs `([\w-]+)`/.exec(section)?.[1]]]
  })
  expect(routes).toEqual(Object.fromEntries(inTable))
})
