import { lchownSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findStore } from './find-store.ts'

function lookedUp(
  named: string | undefined,
  user: (owner: number) => number | undefined,
  make: (asg: string) => void = mkdirSync,
): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'asg-find-'))
  make(join(folder, '.asg'))
  const below = join(folder, 'below')
  mkdirSync(below)
  const terminal = {
    out: () => {},
    page: () => {},
    err: () => {},
    stdin: async () => '',
    env: {},
    folder: below,
    user: user(statSync(join(folder, '.asg')).uid),
    seen: { out: false, err: false },
    columns: 100,
    untilStopped: () => new AbortController().signal,
  }
  try {
    const place = findStore(named?.replace('HERE', folder), terminal)
    return place.kind === 'local' ? place.address.slice(folder.length) : place.url
  } catch (error) {
    return (error as { fault: { code: string } }).fault.code
  }
}

it('a .asg folder above is used when it is of the same user, and when the system has no users', () => {
  expect(lookedUp(undefined, owner => owner)).toBe('/.asg/state.db')
  expect(lookedUp(undefined, () => undefined)).toBe('/.asg/state.db')
})

it('a .asg folder of another user is not used, unless it is named', () => {
  expect(lookedUp(undefined, owner => owner + 1)).toBe('store-foreign')
  expect(lookedUp('HERE/.asg/state.db', owner => owner + 1)).toBe('/.asg/state.db')
})

it.skipIf(process.getuid === undefined)('nor is a link of another user, wherever it leads', () => {
  const isRoot = process.getuid!() === 0
  // Only the superuser can give a link away; others have one to what is not theirs.
  const linked = (asg: string): void => {
    symlinkSync(isRoot ? tmpdir() : '/', asg)
    if (isRoot) lchownSync(asg, 1, 1)
  }
  expect(lookedUp(undefined, owner => owner, linked)).toBe('store-foreign')
})
