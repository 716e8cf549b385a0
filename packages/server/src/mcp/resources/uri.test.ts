import { expect, test } from 'vitest'
import { findTarget, stateUri } from './uri.ts'

test.each([
  ['state://main', { kind: 'state', ref: 'main', path: '/' }],
  ['state://main/', { kind: 'state', ref: 'main', path: '/' }],
  ['state://main/a/b', { kind: 'state', ref: 'main', path: '/a/b' }],
  ['state://feature%2Fnet/a%2Fb/~x', { kind: 'state', ref: 'feature/net', path: '/a~1b/~0x' }],
  ['state://main/caf%C3%A9', { kind: 'state', ref: 'main', path: '/café' }],
  ['commit://abc', { kind: 'commit', id: 'abc' }],
  ['epoch://2026-04', { kind: 'epoch', id: '2026-04' }],
])('%s is understood', (uri, target) => {
  expect(findTarget(uri)).toEqual(target)
})

test.each(['file:///etc/passwd', 'state://', 'commit://a/b', 'state://main/%ff', 'nothing', 'http://main/a'])(
  '%s names nothing of ours',
  uri => {
    expect(findTarget(uri)).toBeUndefined()
  },
)

test('the address of a branch leads back to it', () => {
  for (const ref of ['main', 'feature/net', 'a b', 'ü%2F'])
    expect(findTarget(stateUri(ref))).toEqual({ kind: 'state', ref, path: '/' })
})
