/** What `entries` and `head` promise: ranges, order, columns, and texts exactly as they were given. */
import { checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleEntry, sampleNote, samplePart } from './samples.ts'

export const entryCases: readonly ConformanceCase[] = [
  logCase('an empty journal has head 0 and answers every read with nothing', async log => {
    checkEqual(await log.head(), { seq: 0, time: 0 }, 'the head')
    checkEqual(await log.entries(1, 10, ['text', 'commit', 'part']), [], 'the entries')
    checkEqual(await log.parts([{ seq: 1, index: 0 }]), [undefined], 'a part')
    checkEqual(await log.find('', 10), [], 'the commits')
    checkEqual(await log.refs(''), [], 'the refs')
    checkEqual(await log.ref('main'), null, 'a ref')
    checkEqual(await log.dropPacks([1], { first: '', seq: 0, leaf: '' }), false, 'dropping a pack')
  }),

  logCase('a range includes both ends, is in order, and may reach beyond the journal', async log => {
    await appendSamples(log, 120)
    const seqs = async (from: number, to: number): Promise<number[]> =>
      (await log.entries(from, to, ['text'])).map(entry => entry.seq)
    checkEqual(await seqs(3, 5), [3, 4, 5], 'a range inside')
    checkEqual(await seqs(7, 7), [7], 'a range of one')
    checkEqual(await seqs(119, 500), [119, 120], 'a range beyond the end')
    checkEqual(await seqs(-5, 2), [1, 2], 'a range before the beginning')
    checkEqual(await seqs(5, 4), [], 'an empty range')
    checkEqual((await seqs(1, Number.MAX_SAFE_INTEGER)).length, 120, 'the whole journal')
  }),

  logCase('the columns asked for are read, and no others', async log => {
    const entry = sampleEntry('a', [samplePart(0, 'a'), samplePart(7, 'b')])
    await log.append({ time: 5, entries: [entry], moves: [] })
    const { text, leaf, commit, parts } = entry
    const row = { seq: 1, leaf, time: 5 }
    checkEqual(await log.entries(1, 1, ['text']), [{ ...row, text }], 'text alone')
    checkEqual(await log.entries(1, 1, ['commit']), [{ ...row, text: '', commit }], 'commit alone')
    checkEqual(await log.entries(1, 1, ['part']), [{ ...row, text: '', part: parts[0]?.bytes }], 'part alone')
    const all = [{ ...row, text, commit, part: parts[0]?.bytes }]
    checkEqual(await log.entries(1, 1, ['part', 'text', 'commit']), all, 'all columns')
  }),

  logCase('an entry without commit and pack has neither', async log => {
    const note = sampleNote('a')
    await log.append({ time: 5, entries: [note], moves: [] })
    const row = { seq: 1, leaf: note.leaf, time: 5, text: note.text }
    checkEqual(await log.entries(1, 1, ['text', 'commit', 'part']), [row], 'the entry')
  }),

  logCase('texts, times and bytes come back exactly', async log => {
    const text = JSON.stringify({ a: 'é\u0000\u001f"\\😀\uFFFD', b: 'x'.repeat(60_000) })
    const bytes = new Uint8Array(64 * 1024).map((_, i) => (i * 31 + (i >> 8)) & 255)
    const entry = { ...sampleEntry('a', [{ first: 0, bytes }]), text }
    const time = Date.parse('2199-12-31T23:59:59.999Z')
    await log.append({ time, entries: [entry], moves: [] })
    const [found] = await log.entries(1, 1, ['text', 'part'])
    checkEqual(found?.text, text, 'the text')
    checkEqual(found?.time, time, 'the time')
    checkEqual(found?.part, bytes, 'the bytes')
  }),

  logCase('what was given may be changed afterwards without changing what is kept', async log => {
    const bytes = new Uint8Array([1, 2, 3])
    await log.append({ time: 1, entries: [sampleEntry('a', [{ first: 0, bytes }])], moves: [] })
    bytes.fill(0)
    const [found] = await log.entries(1, 1, ['part'])
    checkEqual(found?.part, new Uint8Array([1, 2, 3]), 'the bytes kept')
  }),

  logCase('the head tells the newest entry and its time', async log => {
    await log.append({ time: 7, entries: [sampleEntry('a'), sampleEntry('b')], moves: [] })
    await log.append({ time: 8, entries: [sampleNote('c')], moves: [] })
    checkEqual(await log.head(), { seq: 3, time: 8 }, 'the head')
  }),
]
