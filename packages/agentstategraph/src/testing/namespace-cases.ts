/** What a backend promises of its namespaces: created by their first entry, isolated, dropped as a whole. */
import type { Log } from '../store/contract/backend.ts'
import { checkEqual } from './check.ts'
import { backendCase, type ConformanceCase } from './conformance-case.ts'
import { appendSamples, sampleAppend, sampleCommitId, seenOf } from './samples.ts'

async function filled(log: Log, count: number): Promise<void> {
  await appendSamples(log, count)
  await log.append({
    ...sampleAppend(50, 'last', [{ name: 'main', expect: null, to: { entry: 0 } }]),
    keys: [{ key: 'once', entry: 0 }],
  })
}

async function checkEmpty(log: Log, what: string): Promise<void> {
  checkEqual(await log.head(), { seq: 0, time: 0 }, `the head of ${what}`)
  checkEqual(await log.entries(1, 9, ['text']), [], `the entries of ${what}`)
  checkEqual(await log.refs(''), [], `the refs of ${what}`)
  checkEqual(await log.ref('main'), null, `the ref of ${what}`)
  checkEqual(await log.find('', 9), [], `the commits of ${what}`)
  checkEqual(await log.parts([{ seq: 1, index: 0 }]), [undefined], `a part of ${what}`)
}

export const namespaceCases: readonly ConformanceCase[] = [
  backendCase('a namespace comes into being with its first entry, not by being asked for', undefined, async open => {
    const backend = await open()
    const log = backend.namespace('later')
    await checkEmpty(log, 'a namespace not made yet')
    const lost = await log.append(sampleAppend(1, 'a', [{ name: 'main', expect: 1, to: { entry: 0 } }]))
    checkEqual(lost, { kind: 'moved', name: 'main', actual: null }, 'a refused first append')
    checkEqual(await backend.namespaces(), [], 'the namespaces before')
    await log.append(sampleAppend(1, 'a'))
    checkEqual(await backend.namespaces(), ['later'], 'the namespaces after')
  }),

  backendCase('namespaces are listed sorted by UTF-16 code units, whatever their names', undefined, async open => {
    const backend = await open()
    const names = ['b', 'a', 'a/b', 'a~1b', 'a~b', 'B', '😀', '\uFFEE', '', ' ', 'n\u0000z', 'a%2Fb']
    for (const name of names) await backend.namespace(name).append(sampleAppend(1, name))
    checkEqual(await backend.namespaces(), [...names].sort(), 'the names')
    for (const name of names) {
      const [entry] = await backend.namespace(name).entries(1, 9, ['commit'])
      checkEqual(entry?.commit?.id, sampleCommitId(name), `the commit in "${name}"`)
    }
  }),

  backendCase('nothing of one namespace shows in another', undefined, async open => {
    const backend = await open()
    const [one, two] = [backend.namespace('one'), backend.namespace('one/two')]
    await filled(one, 300)
    await checkEmpty(two, 'the other namespace')
    const appended = await two.append({ ...sampleAppend(1, 'x'), keys: [{ key: 'once', entry: 0 }] })
    checkEqual(appended, { kind: 'done', first: 1 }, 'an earlier time and a used key in the other namespace')
    await two.dropPacks([1], await seenOf(two))
    checkEqual((await one.parts([{ seq: 1, index: 0 }]))[0]?.seq, 1, 'the pack of the first')
    checkEqual(await two.find(sampleCommitId(7), 9), [], "the first's commit, sought in the other")
    checkEqual((await one.find(sampleCommitId(7), 9)).length, 1, "the first's commit, sought in the first")
  }),

  backendCase('a dropped namespace is gone with all it held, and the others stay', undefined, async open => {
    const backend = await open()
    const [gone, kept] = [backend.namespace('gone'), backend.namespace('kept')]
    await filled(gone, 300)
    await filled(kept, 300)
    checkEqual((await gone.find(sampleCommitId(5), 9)).length, 1, 'a commit before the drop')
    await backend.dropNamespace('gone')
    await backend.dropNamespace('never there')
    checkEqual(await backend.namespaces(), ['kept'], 'the namespaces')
    await checkEmpty(gone, 'the dropped namespace')
    checkEqual(await kept.head(), { seq: 301, time: 50 }, 'the head of the kept one')
    checkEqual((await kept.find(sampleCommitId(5), 9)).length, 1, 'a commit of the kept one')
  }),

  backendCase('a dropped namespace can be made again and begins at 1', undefined, async open => {
    const backend = await open()
    const log = backend.namespace('again')
    await filled(log, 10)
    await backend.dropNamespace('again')
    const batch = { ...sampleAppend(1, 'new', [{ name: 'main', expect: null, to: { entry: 0 } }]) }
    const appended = await log.append({ ...batch, keys: [{ key: 'once', entry: 0 }] })
    checkEqual(appended, { kind: 'done', first: 1 }, 'the first append of the new life')
    checkEqual(await log.find('', 9), [{ seq: 1, id: sampleCommitId('new') }], 'its commits')
    checkEqual(await backend.namespace('again').head(), { seq: 1, time: 1 }, 'its head through another handle')
  }),
]
