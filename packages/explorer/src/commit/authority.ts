/** On whose authority a commit was made, in names. */
import { visible } from '../parts/value-text.ts'
import type { Blame, Commit } from '../source/shapes/state.ts'

/** Undefined where the store is written without keys. */
export function findAuthority({
  agent,
  principal,
  authority,
  delegation = [],
}: Commit & Pick<Blame, 'delegation'>): string | undefined {
  const [first] = delegation
  if (first !== undefined) return visible([first.from, ...delegation.map(({ to }) => to)].join(' → '))
  if (principal !== undefined) return visible(principal === agent ? principal : `${principal} → ${agent}`)
  return authority.length > 0 ? `grants ${visible(authority.join(' → '))}` : undefined
}
