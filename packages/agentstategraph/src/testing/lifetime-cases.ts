/** What a backend promises over time: reopening, closing, several handles, and change notifications. */
import type { Backend, Log } from '../store/contract/backend.ts'
import { check, checkEqual, checkRefuses } from './check.ts'
import { backendCase, type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleAppend, sampleCommitId, sampleEntry, samplePart, seenOf } from './samples.ts'

/** Everything that can be read of a log, for comparison. */
async function contentOf(log: Log): Promise<unknown> {
  return {
    head: await log.head(),
    entries: await log.entries(1, 9999, ['text', 'commit', 'part']),
    parts: await log.parts([1, 2, 3].flatMap(seq => [0, 5, 9].map(index => ({ seq, index })))),
    refs: await log.refs(''),
    commits: await log.find('', 9999),
  }
}

async function filled(log: Log): Promise<void> {
  const entries = [sampleEntry('a'), sampleEntry('b', [samplePart(0, 'b'), samplePart(5, 'c')])]
  const moves = [{ name: 'main', expect: null, to: { entry: 1 } }]
  await log.append({ time: 7, entries, moves, keys: [{ key: 'once', entry: 1 }] })
  await log.dropPacks([1], await seenOf(log))
}

/** Whether a listener is called after `act`, within a limited wait. */
async function hears(log: Log, act: () => Promise<unknown>): Promise<boolean> {
  let wake: (heard: boolean) => void = () => {}
  const heard = new Promise<boolean>(resolve => {
    wake = resolve
  })
  const stop = log.onChange(() => wake(true))
  const timer = setTimeout(() => wake(false), 60_000)
  try {
    await act()
    return await heard
  } finally {
    clearTimeout(timer)
    stop()
  }
}

export const lifetimeCases: readonly ConformanceCase[] = [
  backendCase('what was written is there after closing and reopening', 'durable', async open => {
    const first = await open()
    await filled(first.namespace('main'))
    const before = await contentOf(first.namespace('main'))
    await first.close()
    const second = await open()
    checkEqual(await second.namespaces(), ['main'], 'the namespaces')
    const log = second.namespace('main')
    checkEqual(await contentOf(log), before, 'the content')
    const again = await log.append({ ...sampleAppend(7, 'x'), keys: [{ key: 'once', entry: 0 }] })
    checkEqual(again, { kind: 'repeated', key: 'once', seq: 2 }, 'a key used before the closing')
    checkEqual(await log.append(sampleAppend(6, 'x')), { kind: 'late', time: 7 }, 'a time before the closing')
  }),

  backendCase('every durability keeps the contract', undefined, async open => {
    const backend = await open()
    for (const durability of ['normal', 'full', 'group'] as const) {
      const log = backend.namespace(durability, { durability })
      const moves = [{ name: 'main', expect: null, to: { entry: 0 } }]
      const appended = await Promise.all(['a', 'b', 'c'].map(label => log.append(sampleAppend(1, label, moves))))
      checkEqual(appended.map(one => one.kind).sort(), ['done', 'moved', 'moved'], `a race under ${durability}`)
      const more = await Promise.all([1, 2, 3, 4].map(label => log.append(sampleAppend(2, label))))
      const firsts = more.map(one => (one.kind === 'done' ? one.first : 0)).sort()
      checkEqual(firsts, [2, 3, 4, 5], `four at once under ${durability}`)
      checkEqual(await log.head(), { seq: 5, time: 2 }, `the head under ${durability}`)
    }
  }),

  logCase(
    'after closing, every call is refused with "closed", and closing again does nothing',
    async (log, backend) => {
      await filled(log)
      const seen = await seenOf(log)
      await backend.close()
      const calls: Record<string, () => unknown> = {
        append: () => log.append(sampleAppend(9, 'x')),
        entries: () => log.entries(1, 1, ['text']),
        parts: () => log.parts([{ seq: 1, index: 0 }]),
        find: () => log.find('', 1),
        ref: () => log.ref('main'),
        refs: () => log.refs(''),
        head: () => log.head(),
        check: () => log.check(undefined),
        dropPacks: () => log.dropPacks([1], seen),
        ...(log.packBytes && { packBytes: () => log.packBytes!(1, 1) }),
        onChange: () => log.onChange(() => {}),
        namespaces: () => backend.namespaces(),
        namespace: () => backend.namespace('main'),
        dropNamespace: () => backend.dropNamespace('main'),
      }
      for (const [name, call] of Object.entries(calls)) await checkRefuses(call, 'closed', `${name} after close`)
      await backend.close()
      await backend[Symbol.asyncDispose]()
    },
  ),

  logCase(
    'a listener is called after an append, through whichever handle, until it is removed',
    async (log, backend) => {
      check(await hears(log, () => log.append(sampleAppend(1, 'a'))), 'an append through the same handle is not heard')
      const other = backend.namespace('main')
      check(await hears(log, () => other.append(sampleAppend(1, 'b'))), 'an append through another handle is not heard')
      let calls = 0
      const stop = log.onChange(() => calls++)
      stop()
      stop()
      await log.append(sampleAppend(1, 'c'))
      await log.head()
      checkEqual(calls, 0, 'the calls to a removed listener')
    },
  ),

  backendCase('a listener hears what another handle on the place adds', 'shared', async open => {
    const [one, two] = [(await open()).namespace('main'), (await open()).namespace('main')]
    await one.append(sampleAppend(1, 'a'))
    check(await hears(one, () => two.append(sampleAppend(1, 'b'))), 'the append of the other is not heard')
  }),

  backendCase('two handles see one journal, and of two that race exactly one wins', 'shared', async open => {
    const [one, two] = [(await open()).namespace('main'), (await open()).namespace('main')]
    let expect: number | null = null
    for (let round = 1; round <= 20; round++) {
      const moves = [{ name: 'main', expect, to: { entry: 0 } }]
      const both = await Promise.all([one, two].map((log, i) => log.append(sampleAppend(1, `${round}.${i}`, moves))))
      checkEqual(both.map(({ kind }) => kind).sort(), ['done', 'moved'], `round ${round}`)
      checkEqual([await one.ref('main'), await two.ref('main')], [round, round], `the ref after round ${round}`)
      expect = round
    }
    checkEqual(await contentOf(one), await contentOf(two), 'the content through both')
  }),

  backendCase(
    'a namespace dropped through one handle is gone in the other and can begin again',
    'shared',
    async open => {
      const [one, two]: Backend[] = [await open(), await open()]
      check(one !== undefined && two !== undefined, 'two handles')
      const [here, there] = [one.namespace('x'), two.namespace('x')]
      await appendSamples(here, 300)
      checkEqual((await there.find(sampleCommitId(9), 9)).length, 1, 'a commit found through the other handle')
      await two.dropNamespace('x')
      await two.namespace('y').append(sampleAppend(3, 'y'))
      checkEqual(await here.head(), { seq: 0, time: 0 }, 'the head of the dropped one')
      checkEqual(await here.append(sampleAppend(1, 'new')), { kind: 'done', first: 1 }, 'its new beginning')
      checkEqual(await there.find('', 9), [{ seq: 1, id: sampleCommitId('new') }], 'its commits')
      checkEqual(await two.namespace('y').head(), { seq: 1, time: 3 }, 'the head of the one made meanwhile')
    },
  ),

  backendCase('the synchronous calls answer as the others do', 'sync', async open => {
    const backend = await open()
    const log = backend.namespace('main')
    check(log.sync !== undefined, 'a backend that declares sync has logs without it')
    await filled(log)
    const { sync } = log
    checkEqual(sync.append(sampleAppend(7, 'c')), { kind: 'done', first: 3 }, 'append')
    checkEqual(sync.append(sampleAppend(6, 'd')), { kind: 'late', time: 7 }, 'a late append')
    checkEqual(sync.head(), await log.head(), 'head')
    checkEqual(sync.check(undefined), await log.check(undefined), 'check')
    checkEqual(
      sync.entries(1, 9, ['text', 'commit', 'part']),
      await log.entries(1, 9, ['text', 'commit', 'part']),
      'entries',
    )
    const pointers = [1, 2, 3].map(seq => ({ seq, index: 5 }))
    checkEqual(sync.parts(pointers), await log.parts(pointers), 'parts')
    checkEqual(sync.find('', 9), await log.find('', 9), 'find')
    checkEqual(sync.refs(''), await log.refs(''), 'refs')
    checkEqual(sync.ref('main'), await log.ref('main'), 'ref')
    checkEqual(sync.dropPacks([2], await seenOf(log)), true, 'dropPacks')
    checkEqual(await log.parts([{ seq: 2, index: 5 }]), [undefined], 'a pack dropped synchronously')
    await backend.close()
    await checkRefuses(() => sync.head(), 'closed', 'a synchronous call after close')
  }),
]
