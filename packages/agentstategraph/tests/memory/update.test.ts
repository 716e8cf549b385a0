/** `update`: a small edit of a large value encodes the edit alone, and the value sees it. */
import { describe, expect, it } from 'vitest'
import { agent, Versioned } from '../../src/memory/index.ts'
import { stores } from '../repo/support/open-stores.ts'
import { newRepository } from './support/open-memories.ts'

interface Row {
  id: number
  status: string
  note?: string
}
const keeper = agent('keeper', {
  state: { rows: [] as Row[], index: {} as Record<string, { n: number }>, rich: new Map<string, number>() },
})

class Counted {
  readonly n: number
  constructor(n: number) {
    this.n = n
  }
}

describe.each(stores)('on $name', store => {
  it('does what the same code does to a plain value, and lands as the edits that were made', async () => {
    const repo = await newRepository(store)
    const fill = await Versioned.open(repo)
    const first = await fill.of(keeper)
    first.rows = Array.from({ length: 5000 }, (_, id) => ({ id, status: 'open' }))
    first.index = { a: { n: 1 }, b: { n: 2 } }
    await fill.checkpoint('Fill')
    const model = structuredClone({ rows: first.rows, index: first.index })

    const edit = ({ rows, index }: typeof model): void => {
      rows[2500]!.status = 'done'
      rows.push({ id: 5000, status: 'new' })
      rows.splice(10, 2, { id: -1, status: 'spliced' })
      rows.shift()
      rows.unshift({ id: -2, status: 'first' })
      rows.pop()
      rows.length = 4998
      const found = rows.find(row => row.id === 77)
      found!.note = 'found'
      delete index['a']
      index['c'] = { n: 3 }
      index['b']!.n++
    }
    const memory = await Versioned.open(repo)
    await memory.update(keeper, 'rows', rows => edit({ rows, index: structuredClone(model.index) }))
    await memory.update(keeper, 'index', index => edit({ rows: structuredClone(model.rows), index }))
    edit(model)
    const written = await memory.checkpoint('Edit')
    expect(await repo.get('/keeper')).toEqual({ ...model })
    const state = await memory.of(keeper)
    expect([state.rows, state.index]).toEqual([model.rows, model.index])
    const [entry] = await repo.handle.journal.log.entries(written!.seq, written!.seq, ['part'])
    expect(entry!.part!.length).toBeLessThan(16_000)
    state.rows[0]!.status = 'in place'
    await memory.checkpoint('In place')
    expect(await repo.get('/keeper/rows/0/status')).toBe('in place')
  })

  it('reads the arguments of splice as any array does, and takes no key that is no index', async () => {
    const repo = await newRepository(store)
    const box = agent('box', { state: { list: [] as unknown[] } })
    const fill = await Versioned.open(repo)
    ;(await fill.of(box)).list = [1, 2, 3]
    await fill.checkpoint('Fill')
    const calls: readonly unknown[][] = [
      [0, undefined, 9],
      [],
      [1],
      [undefined],
      [-1, 1, 'a'],
      [-9, 0, 'b'],
      [0.9, 1.9],
      [Number.NaN, Number.NaN, 'c'],
      [1, -1, 'd'],
      [1, Number.POSITIVE_INFINITY],
      [9, 9, 'e', 'f'],
    ]
    for (const args of calls) {
      const memory = await Versioned.open(repo)
      const model = [...(await memory.of(box)).list]
      const again = await Versioned.open(repo)
      const expected: unknown[] = Reflect.apply(Array.prototype.splice, model, args)
      await again.update(box, 'list', list => {
        const removed: unknown = Reflect.apply(Reflect.get(list, 'splice') as () => unknown, list, args)
        expect([args, removed]).toEqual([args, expected])
        for (const key of ['', '01', '-1', '1.0', '99', 'extra', Symbol('s')]) {
          expect(Reflect.set(list, key, 'odd'), String(key)).toBe(false)
        }
        for (const length of [-1, 99, 1.5, 'x']) expect(Reflect.set(list, 'length', length)).toBe(false)
      })
      await again.checkpoint('Edit')
      expect([args, await repo.get('/box/list')]).toEqual([args, model])
    }
  })

  it('encodes what was put in, and nothing else', async () => {
    let encoded = 0
    const codec = {
      type: Counted,
      tag: 'counted',
      encode: ({ n }: Counted) => {
        encoded++
        return { n }
      },
      decode: ({ n }: { n: number }) => new Counted(n),
    }
    const repo = await newRepository(store, { classes: [codec] })
    const box = agent('box', { state: {} as Record<string, { items: Counted[]; name: string }> })
    const fill = await Versioned.open(repo)
    ;(await fill.of(box))['big'] = { items: Array.from({ length: 1000 }, (_, n) => new Counted(n)), name: 'big' }
    await fill.checkpoint('Fill')
    encoded = 0
    const add = box.task('add', (_: undefined, ctx) =>
      ctx.update('big', draft => void draft!.items.push(new Counted(-1))),
    )
    await add(undefined, { state: await Versioned.open(repo) })
    expect(encoded).toBe(1)
    expect(await repo.get('/box/big/items/1000')).toEqual(new Counted(-1))
  })

  it('puts in copies, so that what somebody still holds cannot change the value unseen', async () => {
    const repo = await newRepository(store)
    const memory = await Versioned.open(repo)
    ;(await memory.of(keeper)).index = { a: { n: 1 } }
    await memory.checkpoint('Fill')
    const again = await Versioned.open(repo)
    const mine = { n: 5 }
    await again.update(keeper, 'index', draft => {
      draft['mine'] = mine
    })
    mine.n = 6
    await again.checkpoint('Edit')
    expect(await repo.get('/keeper/index/mine/n')).toBe(5)
    expect((await again.of(keeper)).index['mine']!.n).toBe(5)
  })

  it('a value without paths inside, and one that somebody holds, are compared as a whole', async () => {
    const repo = await newRepository(store)
    const memory = await Versioned.open(repo)
    ;(await memory.of(keeper)).rich.set('a', 1)
    await memory.checkpoint('Fill')
    const again = await Versioned.open(repo)
    await again.update(keeper, 'rich', rich => void rich.set('b', 2))
    await again.checkpoint('Edit')
    expect(await repo.get('/keeper/rich')).toEqual(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    )
  })

  it('what an edit did before it threw is done, and a key that is not there is said', async () => {
    const repo = await newRepository(store)
    const memory = await Versioned.open(repo)
    ;(await memory.of(keeper)).index = { a: { n: 1 } }
    await memory.checkpoint('Fill')
    const again = await Versioned.open(repo)
    const failing = again.update(keeper, 'index', draft => {
      draft['b'] = { n: 2 }
      throw new Error('halfway')
    })
    await expect(failing).rejects.toThrow('halfway')
    await again.checkpoint('Half')
    expect(await repo.get('/keeper/index')).toEqual({ a: { n: 1 }, b: { n: 2 } })
    await expect(again.update(keeper, 'nothing' as never, () => {})).rejects.toMatchObject({ code: 'update-missing' })
  })
})
