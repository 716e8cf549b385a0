/** What marks promise. A backend without them passes. */
import { check, checkEqual } from './check.ts'
import { backendCase, type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples } from './samples.ts'

export const markCases: readonly ConformanceCase[] = [...casesOf('marks'), ...casesOf('tails')]

function casesOf(kind: 'marks' | 'tails'): readonly ConformanceCase[] {
  return [
    logCase(
      `${kind}: a mark is replaced only when its writer may, and each namespace has its own`,
      async (_, backend) => {
        const marks = backend[kind]
        if (marks === undefined) return
        checkEqual(await marks.read('default'), undefined, 'a mark that nobody wrote')
        const seen: (string | undefined)[] = []
        const replace = (namespace: string, text: string, may: boolean): Promise<boolean> =>
          marks.replace(namespace, text, kept => {
            seen.push(kept)
            return may
          })
        check(await replace('default', 'one\n', true), 'the first mark is written')
        check(!(await replace('default', 'two\n', false)), 'a mark that may not be replaced stays')
        check(await replace('other', 'three\n', true), 'another namespace has a mark of its own')
        check(await replace('Other', 'four\n', true), 'so has one whose name differs by case only')
        checkEqual(seen, [undefined, 'one\n', undefined, undefined], 'what the writers were shown')
        const kept = [await marks.read('default'), await marks.read('other'), await marks.read('Other')]
        checkEqual(kept, ['one\n', 'three\n', 'four\n'], 'the marks')
      },
    ),
    backendCase(`${kind}: a mark outlives the handle, and goes with its namespace`, 'durable', async open => {
      const backend = await open()
      if (backend[kind] === undefined) return
      await appendSamples(backend.namespace('main'), 1)
      await backend[kind].replace('main', 'kept\n', () => true)
      await backend.close()
      const again = await open()
      checkEqual(await again[kind]!.read('main'), 'kept\n', 'the mark after reopening')
      await again.dropNamespace('main')
      checkEqual(await again[kind]!.read('main'), undefined, 'the mark of a namespace that was dropped')
    }),
  ]
}
