/** Getting around the paths of a grant: by names that look alike, by parents, by encodings, by lists. */
import { type Attempt, other, work } from './bypass.ts'

const denied = 'access-denied'

function write(name: string, path: string | readonly string[], value: unknown = 'x', code = denied): Attempt {
  return { name, code, attempt: ({ mallory }) => mallory.set(path as string, value, 'Try') }
}

/** Somebody with a grant at these places tries to write. */
function placed(name: string, paths: readonly string[], path: string, value: unknown = 'x', code = denied): Attempt {
  return {
    name,
    code,
    prepare: scene => other(scene, 'eve', { capabilities: work, paths }),
    attempt: (_, eve: never) =>
      (eve as { set(path: string, value: unknown, why: string): unknown }).set(path, value, 'Try'),
  }
}

export const pathAttempts: readonly Attempt[] = [
  write('a write elsewhere', '/secret/k'),
  write('a write to a parent', '/', { team: { a: 9 } }),
  write('the root replaced by nothing', '/', {}),
  write('a root with one more key', ['new'], 1),
  write('a sibling that begins alike', '/team-x'),
  write('a sibling that begins alike, below', '/team-y/a'),
  write('a prefix of the name', '/tea'),
  write('another case', '/Team'),
  write('upper case', '/TEAM/a'),
  write('percent encoding', '/%74eam/a'),
  write('an encoded slash', '/team%2fa'),
  write('an escaped slash in the key', '/team~1a'),
  write('an escaped tilde in the key', '/~0team'),
  write('dots before the name', '/../team/a'),
  write('dots alone', '/..'),
  write('one dot', '/./team/a'),
  write('an empty segment before', '//team/a'),
  write('one segment with slashes in it', ['team/a']),
  write('one segment that climbs', ['team/../secret']),
  write('segments that name the secret', ['secret', 'k']),
  write('a blank before', '/ team/a'),
  write('a blank after', '/team /a'),
  write('a zero-width joiner', '/te\u200dam/a'),
  write('a letter that looks alike', '/tе\u0061m/a'),
  write('full-width letters', '/ｔｅａｍ/a'),
  write('a null character', '/team\u0000/a'),
  write('a prototype', '/__proto__/team', 1),
  write('a constructor', '/constructor/prototype/team', 1),
  write('what the system keeps', '/_meta/version', 9, 'path-reserved'),
  write('plans by hand', '/_plans/p', {}, 'path-reserved'),
  placed('a name decomposed', ['/caf\u00e9'], '/cafe\u0301'),
  placed('the place that a pattern is about', ['/team/*'], '/team', 2),
  placed('the parent of a pattern', ['/team/*/x'], '/team/deep', { x: 1, z: 1 }),
  placed('a pattern that stops one short', ['/team/deep/*/y'], '/team/deep/x', { y: 2, z: 2 }),
  placed('a star as a key', ['/star'], '/*'),
  placed('everything, but not what the system keeps', ['/**'], '/_plans/p', {}, 'path-reserved'),
  placed('a number written otherwise', ['/nums/1'], '/nums/01'),
  placed('another number', ['/nums/1'], '/nums/10'),
  placed('the element after', ['/list/0'], '/list/1'),
  placed('an element more', ['/list/0'], '/list/-'),
  placed('the list around the element', ['/list/0'], '/list', ['x', 'y', 'z']),
  placed('no places at all', [], '/team/a'),
  {
    name: 'an element deleted, so that the others move',
    code: denied,
    prepare: scene => other(scene, 'eve', { capabilities: work, paths: ['/list/0'] }),
    attempt: (_, eve: never) => (eve as { delete(path: string, why: string): unknown }).delete('/list/0', 'Try'),
  },
  write('a guess of what is there, which would change nothing', '/secret/k', 't'),
  write('a guess of the whole', '/', {
    team: { a: 1, b: 1, list: [1, 2, 3], deep: { x: { y: 1 } } },
    'team-x': 1,
    Team: 1,
    secret: { k: 't' },
    list: ['a', 'b', 'c'],
    nums: { '1': 'one' },
  }),
  write('a write through what has no parts', '/secret/k/deep', 1),
  write('a write beyond the end of a list', '/list/9', 'x'),
  {
    name: 'a delete of what is not there',
    code: denied,
    attempt: ({ mallory }) => mallory.delete('/secret/none', 'Try'),
  },
  {
    name: 'a guess as a condition',
    code: denied,
    attempt: ({ mallory }) => mallory.set('/secret/k', 'u', { description: 'Try', onlyIf: { value: 't' } }),
  },
  {
    name: 'a guess in a transaction',
    code: denied,
    attempt: ({ mallory }) => mallory.commit('Try', tx => tx.set('/secret/k', 't')),
  },
  {
    name: 'a change that cannot be made, in a transaction that reads on',
    code: denied,
    attempt: ({ mallory }) =>
      mallory.commit('Try', async tx => {
        tx.set('/secret/k/deep', 1)
        await tx.get('/team')
      }),
  },
  { name: 'a delete elsewhere', code: denied, attempt: ({ mallory }) => mallory.delete('/secret', 'Try') },
  {
    name: 'one of many changes elsewhere',
    code: denied,
    attempt: ({ mallory }) => mallory.commit('Try', tx => tx.set('/team/a', 9).set('/team/b', 9).set('/secret/k', 9)),
  },
  {
    name: 'a delete among the changes',
    code: denied,
    attempt: ({ mallory }) => mallory.commit('Try', tx => tx.set('/team/a', 9).delete('/secret/k')),
  },
  {
    name: 'a change with an idempotency key',
    code: denied,
    attempt: ({ mallory }) => mallory.set('/secret/k', 9, { description: 'Try', idempotencyKey: 'once' }),
  },
  {
    name: 'rights of two grants mixed',
    code: denied,
    prepare: scene =>
      other(
        scene,
        'eve',
        { capabilities: work, paths: ['/team'], branches: ['main'] },
        { capabilities: work, branches: ['feature/*'] },
      ),
    attempt: (_, eve: never) =>
      (eve as { set(path: string, value: unknown, why: string): unknown }).set('/secret/k', 1, 'Try'),
  },
  {
    name: 'a capability of one grant at the places of another',
    code: denied,
    prepare: scene =>
      other(
        scene,
        'eve',
        { capabilities: ['read', 'commit'], paths: ['/other'] },
        { capabilities: ['read', 'merge'], paths: ['/team'] },
      ),
    attempt: (_, eve: never) =>
      (eve as { set(path: string, value: unknown, why: string): unknown }).set('/team/a', 9, 'Try'),
  },
]
