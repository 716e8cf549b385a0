/** What a key-value store promises: any bytes under any key, batches that are all or nothing, listings by prefix. */
import type { KVStore } from '../../store/contract/backend.ts'
import { check, checkEqual } from '../check.ts'
import { type KVCase, kvCase } from './case.ts'

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

async function listed(store: KVStore, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const key of store.list(prefix)) found.push(key)
  return found.sort()
}

export const kvStoreCases: readonly KVCase[] = [
  kvCase('any bytes are kept as they are, and none at all', async store => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    const put = new Map([
      ['e/a/1', all],
      ['e/a/2', bytes()],
    ])
    check(await store.batch({ put }), 'a batch without comparisons is written')
    checkEqual(await store.get('e/a/1'), all, 'all bytes')
    checkEqual(
      await store.getMany(['e/a/2', 'e/a/3', 'e/b/1', 'e/a/1', 'e/a/2']),
      [bytes(), undefined, undefined, all, bytes()],
      'many',
    )
    checkEqual(await store.getMany([]), [], 'none')
  }),

  kvCase('a batch is all or nothing, and compares what was there before it', async store => {
    const cell = (expect: Uint8Array | undefined, value: Uint8Array) => [{ key: 'n/a', expect, value }]
    check(
      await store.batch({ compareAndSet: cell(undefined, bytes(1, 2)) }),
      'a batch that expects a cell to be absent has to return true where it is absent',
    )
    for (const expect of [undefined, bytes(), bytes(1), bytes(1, 2, 3), bytes(2, 1)]) {
      const put = new Map([['r/a/x', bytes(9)]])
      check(
        !(await store.batch({ put, delete: ['n/a'], compareAndSet: cell(expect, bytes(3)) })),
        'a batch whose comparison does not hold has to return false and change nothing',
      )
    }
    checkEqual(await store.getMany(['n/a', 'r/a/x']), [bytes(1, 2), undefined], 'what there is after refusals')
    const two = [...cell(bytes(1, 2), bytes(4)), { key: 'n/b', expect: bytes(1), value: bytes(5) }]
    check(
      !(await store.batch({ compareAndSet: two })),
      'a batch has to return false and change nothing when one of two comparisons does not hold',
    )
    checkEqual(await store.getMany(['n/a', 'n/b']), [bytes(1, 2), undefined], 'what there is after half a comparison')
    const put = new Map([['r/a/x', bytes(9)]])
    check(
      await store.batch({ put, delete: ['r/a/y'], compareAndSet: cell(bytes(1, 2), bytes(3)) }),
      'a batch whose comparison holds has to return true',
    )
    checkEqual(await store.getMany(['n/a', 'r/a/x']), [bytes(3), bytes(9)], 'what there is after it')
    check(
      await store.batch({ delete: ['r/a/x', 'r/a/x', 'r/a/never'] }),
      'a batch without comparisons has to return true',
    )
    checkEqual(await store.get('r/a/x'), undefined, 'what was deleted')
  }),

  kvCase('of batches that expect the same cell at once, exactly one is written', async store => {
    const batch = (n: number) => ({
      put: new Map([[`r/a/${n}`, bytes(n)]]),
      compareAndSet: [{ key: 'n/a', expect: undefined, value: bytes(n) }],
    })
    const written = await Promise.all([1, 2, 3, 4, 5].map(n => store.batch(batch(n))))
    checkEqual(written.filter(Boolean).length, 1, 'the number of winners')
    checkEqual(await listed(store, 'r/a/'), [`r/a/${written.indexOf(true) + 1}`], 'what was put')
  }),

  kvCase('a listing gives each key that begins with the prefix once, and a prefix is no pattern', async store => {
    const names = ['*', '?', 'ab', '[a]', 'a/b', 'é', '😀', '\uFFEE', 'zero\u0000', 'x'.repeat(500), '']
    const keys = [...names.map(name => `r/a/${name}`), 'r/ab/c', 'r/b/ab', 'n/a', 'n/b']
    await store.batch({ put: new Map(keys.map(key => [key, bytes(1)])) })
    for (const prefix of ['r/a/', 'r/a/a', 'r/a/*', 'r/a/[a', 'r/a/\uFFEE', 'r/a/nothing', 'r/ab/', 'n/']) {
      checkEqual(await listed(store, prefix), keys.filter(key => key.startsWith(prefix)).sort(), `keys below ${prefix}`)
    }
    await store.batch({ delete: ['r/a/ab'] })
    checkEqual(await listed(store, 'r/a/a'), ['r/a/a/b'], 'keys after a deletion')
  }),

  kvCase('a batch clears all keys below a prefix before it puts others', async store => {
    const keys = ['r/a/x', 'r/a/y/z', 'r/ab/x', 'c/a/x', 't/a/x', 'r/b/x']
    await store.batch({ put: new Map(keys.map(key => [key, bytes(1)])) })
    const compareAndSet = [{ key: 'n/a', expect: bytes(7), value: bytes(8) }]
    check(
      !(await store.batch({ clear: ['r/a/'], compareAndSet })),
      'a batch whose comparison does not hold has to return false and change nothing',
    )
    check(
      await store.batch({ clear: ['r/a/', 't/a/', 'k/a/'], put: new Map([['r/a/new', bytes(2)]]) }),
      'a batch without comparisons has to return true',
    )
    checkEqual(await listed(store, 'r/a/'), ['r/a/new'], 'what is listed below the prefix')
    const left = await store.getMany([...keys, 'r/a/new'])
    checkEqual(
      left.map(value => value?.[0] ?? 0),
      [0, 0, 1, 1, 0, 1, 2],
      'what is left',
    )
  }),

  kvCase('thousands of keys are written, read and listed at once', async store => {
    const keys = Array.from({ length: 5000 }, (_, i) => `r/a/${i}`)
    check(await store.batch({ put: new Map(keys.map((key, i) => [key, bytes(i & 255, i >> 8)])) }), 'they are written')
    const found = await store.getMany(keys)
    check(
      found.every((value, i) => value?.[0] === (i & 255) && value[1] === i >> 8),
      'each is read at its place',
    )
    checkEqual((await listed(store, 'r/a/')).length, 5000, 'the number listed')
    check(await store.batch({ delete: keys.slice(1) }), 'they are deleted')
    checkEqual(await listed(store, 'r/a/'), ['r/a/0'], 'what is left')
  }),
]
