/** Requests that are well-formed and ask for what cannot be. */
import { setting } from './support/open-app.ts'
import { ask, type Bad, refuses, set } from './support/refusals.ts'

const state = '/api/state/main'
const one = (more: Record<string, unknown>) => set(setting('/x', 1, more))
const at = (path: string) => set(setting(path, 1))
const branch = (name: string) => ask('POST', '/api/branches', { name })
const find = (query: string) => ask('GET', `${state}/search?text=${encodeURIComponent(query)}`)

refuses('fields', [
  ['no reason', set({ path: '/x', value: 1 }), 400, 'input-invalid', 'description'],
  ['no value', set({ path: '/x', description: 'w' }), 400, 'input-invalid', 'value'],
  ['a field too many', one({ vlaue: 2 }), 400, 'input-invalid', 'vlaue'],
  ['__proto__ as a field', set('{"__proto__":{"x":1},"path":"/x"}'), 400, 'input-invalid', '__proto__'],
  ['an agent as an argument', one({ agent: 'root' }), 400, 'input-invalid', 'agent'],
  ['an authority as an argument', one({ authority: ['a'] }), 400, 'input-invalid', 'authority'],
  ['tags that are no list', one({ tags: 'a' }), 400, 'input-invalid', 'tags'],
  ['a path that is a number', set({ ...setting('', 1), path: 1 }), 400, 'input-invalid', 'path'],
  ['a reasoning over the limit of bodies', one({ reasoning: 'r'.repeat(2 ** 17) }), 413, 'body-too-large'],
  ['a description of 2 KiB', one({ description: 'd'.repeat(2048) }), 400, 'option-invalid', 'description'],
  ...[-0.1, 1.1, '0.9', null].map(
    (confidence): Bad => [`confidence ${confidence}`, one({ confidence }), 400, 'input-invalid', 'confidence'],
  ),
  ...['-1', '0', '1e9', 'ten', '1.5', ''].map(
    (limit): Bad => [`limit ${limit}`, ask('GET', `/api/branches?limit=${limit}`), 400, 'input-invalid', 'limit'],
  ),
  ...['/api/branches', '/api/log/main', '/api/epochs', `${state}/paths`].map(
    (path): Bad => [`a cursor that ${path} never gave`, ask('GET', `${path}?cursor=forged`), 400, 'option-invalid'],
  ),
  ['100 KB to look for', find('q'.repeat(100_000)), 400, 'input-invalid', 'text'],
  ['nothing to look for', find(''), 400, 'input-invalid', 'text'],
  ['the 30th of February', ask('GET', `${state}?as_of=2026-02-30T00:00:00Z`), 400, 'input-invalid', 'as_of'],
])

refuses('paths', [
  ['a path without a slash', at('x'), 400, 'path-invalid'],
  ['a path with a bad escape', at('/a~2b'), 400, 'path-invalid'],
  ['a path of 65 segments', at('/a'.repeat(65)), 400, 'path-invalid'],
  ['a segment of 513 bytes', at(`/${'a'.repeat(513)}`), 400, 'path-invalid'],
  ['a path of the system', at('/_meta/version'), 403, 'path-reserved'],
  ['a value under a number', at('/a/five/x'), 409, 'path-blocked'],
  ...['-1', '01', '1e3', 'name'].map(
    (index): Bad => [`the index ${index}`, at(`/a/list/${index}`), 400, 'index-invalid'],
  ),
  ['an index of 2^32', at('/a/list/4294967296'), 409, 'index-out-of-range'],
  ['an index behind the end', at('/a/list/9'), 409, 'index-out-of-range'],
  ['a root that is a list', set(setting('/', [1])), 409, 'root-not-a-map'],
  ['a path that is not there', ask('GET', `${state}?path=/nothing`), 404, 'path-not-found'],
  [
    'deleting a path that is not there',
    ask('POST', `${state}/delete`, { path: '/nothing', description: 'w' }),
    404,
    'path-not-found',
  ],
])

refuses('names', [
  ['a ref that is not there', ask('GET', '/api/state/feature/nothing'), 404, 'ref-not-found'],
  ['a ref of 300 characters', ask('GET', `/api/state/${'x'.repeat(300)}`), 400, 'input-invalid', 'ref'],
  ['a commit id that is not there', ask('GET', `/api/state/${'0'.repeat(64)}`), 404, 'ref-not-found'],
  ['a branch that is there', branch('feature/net'), 409, 'ref-exists'],
  ...['0', 'zz', 'sha1:abcd', 'g'.repeat(64), '0'.repeat(63)].map(
    (id): Bad => [`the commit ${id}`, ask('GET', `/api/commits/${id}`), 404, 'ref-not-found'],
  ),
  ['a branch of nothing', ask('POST', '/api/branches', { name: 'new', from: '0'.repeat(64) }), 404, 'ref-not-found'],
  ['a branch of 258 bytes', branch('é'.repeat(129)), 400, 'ref-name-invalid', '256 bytes'],
  ['a branch of 256 characters', branch('x'.repeat(256)), 400, 'input-invalid', 'name'],
  ...['a..b', '-x', 'HEAD', 'a.lock', 'refs/', 'a b', ...'~^:?*[\\'].map(
    (name): Bad => [`the branch ${JSON.stringify(name)}`, branch(name), 400, 'ref-name-invalid'],
  ),
  ['a branch called like a commit', asked => branch(asked.head)(asked), 400, 'ref-name-invalid', 'id of a commit'],
  ['a tag called HEAD', ask('POST', '/api/tags', { name: 'HEAD' }), 400, 'ref-name-invalid'],
  ['a branch renamed to -x', ask('POST', '/api/branches/feature/net/rename', { to: '-x' }), 400, 'ref-name-invalid'],
  ...['../main', '/x', 'x/', 'a//b', 'a/./b', 'a\nb', ''].map(
    (name): Bad => [
      `the branch ${JSON.stringify(name)}`,
      branch(name),
      400,
      name === '' ? 'input-invalid' : 'ref-name-invalid',
    ],
  ),
  ['deleting main', ask('DELETE', '/api/branches/main'), 403, 'ref-protected'],
  [
    'merging two truths',
    ask('POST', '/api/merge', { source: 'feature/net', description: 'w' }),
    409,
    'merge-conflict',
    '/a/five',
  ],
  ['a namespace that is not there', ask('GET', `${state}?namespace=nobody`), 404, 'namespace-not-found'],
  ['an epoch that is not there', ask('GET', '/api/epochs/none/export'), 404, 'epoch-not-found'],
  ['sealing what is not there', ask('POST', '/api/epochs/seal', { id: 'none', summary: 's' }), 404, 'epoch-not-found'],
  ['the export of an open epoch', ask('GET', '/api/epochs/open/export'), 409, 'epoch-open'],
  ['sealing twice', ask('POST', '/api/epochs/seal', { id: 'sealed', summary: 's' }), 409, 'epoch-sealed'],
  [
    'a second epoch of one name',
    ask('POST', '/api/epochs', { id: 'open', description: 'd', root_intents: [] }),
    409,
    'epoch-exists',
  ],
  [
    'an epoch called ../../x',
    ask('POST', '/api/epochs', { id: '../../x', description: 'd', root_intents: [] }),
    400,
    'epoch-id-invalid',
  ],
])
