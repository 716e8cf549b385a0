import type { Operation } from '../../../src/operations/operation.ts'
import type { Fixture } from './fixture.ts'

/** How every example of an operation ends: done, or the code that it is refused with. */
export async function endsOf(
  fixture: Fixture,
  { name, examples, input, run, stream }: Operation,
): Promise<readonly string[]> {
  const ends: string[] = []
  for (const example of examples) {
    try {
      const given = await run(fixture.context, input.parse(await fixture.filled(name, example.input)))
      if (stream !== undefined) await (given as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
      ends.push('done')
    } catch (error) {
      ends.push(String((error as { readonly code?: unknown }).code ?? error))
    }
  }
  return ends
}
