import { expect, it } from 'vitest'
import { isInstalled } from './install.mjs'

const locked = {
  '': { name: 'workspace' },
  'packages/library': { version: '0.1.0' },
  'node_modules/library': { link: true },
  'node_modules/tool': { version: '2.0.0' },
  'node_modules/tool-for-elsewhere': { version: '2.0.0', optional: true },
}
const installed = { 'node_modules/library': { link: true }, 'node_modules/tool': { version: '2.0.0' } }

it('is installed when all but other platforms’ packages are there', () => {
  expect(isInstalled(locked, installed)).toBe(true)
})

it('is not installed when a package is missing', () => {
  expect(isInstalled(locked, { 'node_modules/library': { link: true } })).toBe(false)
})

it('is not installed when a package of a workspace is missing', () => {
  const more = { ...locked, 'packages/library/node_modules/tool': { version: '3.0.0' } }
  expect(isInstalled(more, installed)).toBe(false)
  expect(isInstalled(more, { ...installed, 'packages/library/node_modules/tool': { version: '3.0.0' } })).toBe(true)
})

it('is not installed when a package has another version than the lock file says', () => {
  expect(isInstalled(locked, { ...installed, 'node_modules/tool': { version: '1.9.0' } })).toBe(false)
})

it('is not installed when a package is there that the lock file no longer names', () => {
  expect(isInstalled(locked, { ...installed, 'node_modules/old': { version: '1.0.0' } })).toBe(false)
})

it('is installed when there are more binaries for this platform than the lock file names', () => {
  expect(
    isInstalled(locked, { ...installed, 'node_modules/tool-for-here': { version: '2.0.0', optional: true } }),
  ).toBe(true)
})
