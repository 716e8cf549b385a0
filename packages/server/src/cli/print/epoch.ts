/** An epoch: what it spans, who worked in it, and who signed it. */
import type { epochSchema } from '../../wire/epoch.ts'
import type { Wire } from '../../wire/wired.ts'
import { localTime } from '../terminal/local-time.ts'
import { factLines } from './facts.ts'
import type { Printer } from './show.ts'

/** The names of those who signed a head: its lines that begin with a dash. */
function signersOf(signature: string): string {
  return [...signature.matchAll(/^— (\S+) /gm)].map(([, name]) => name).join(', ')
}

export const printEpoch: Printer = (result, show) => {
  const epoch = result as Wire<typeof epochSchema>
  const isSealed = epoch.status !== 'open'
  const range = `from ${epoch.from_seq}${isSealed ? ` to ${epoch.to_seq}` : ''}`
  return factLines(
    [
      ['epoch', `${epoch.id}: ${epoch.description}`],
      ['status', isSealed ? `${epoch.status}, ${localTime(epoch.sealed_at)}: ${epoch.summary}` : epoch.status],
      ['entries', range],
      ['commits', `${epoch.commits} landed, by ${epoch.agents.length === 0 ? 'nobody' : epoch.agents.join(', ')}`],
      ['signed by', isSealed ? (epoch.signature === undefined ? 'nobody' : signersOf(epoch.signature)) : undefined],
    ],
    show,
  ).join('\n')
}
