/**
 * Whether the grants that a decision about access adds were its maker's to give, and whether it keeps all others.
 *
 * Nothing else of a decision is judged. Without this, a forged decision could give a right that later commits stand on.
 */

import { canonicalText, type Stored } from '../../../core/index.ts'
import { operator } from '../../../repo/index.ts'
import { fieldsOf } from '../format.ts'
import type { Child } from './access-nodes.ts'
import type { CarriedAccess } from './carried-access.ts'
import type { JudgedEntry } from './judge-commit.ts'

/** What is wrong with a decision; undefined when nothing is. `before` is undefined for the first one. */
export function decisionFault(
  before: CarriedAccess | undefined,
  after: CarriedAccess,
  { time, commit }: Pick<JudgedEntry, 'time' | 'commit'>,
): string | undefined {
  const { principal: maker, session } = commit
  if (maker !== undefined && before === undefined) return `${maker} decided about access where there was none`
  if (maker !== undefined && before!.isFrozen('principals', maker))
    return `${maker} decided about access and was frozen`
  if (before !== undefined && before.grants !== after.grants) {
    for (const [id, child] of before.grants) {
      if (!isKept(after, child, after.grants.get(id))) return `it changed or removed the grant ${id}`
    }
  }
  const own = session === undefined ? undefined : before?.findSession(session)?.grant
  for (const id of after.grants.keys()) {
    if (before?.grants.has(id) === true) continue
    const terms = after.findGrant(id)
    const isOwn = terms?.from === (maker ?? operator) && (terms.parent === undefined) === (maker === undefined)
    if (!isOwn) return `the grant ${id} was not its maker's to give`
    if (terms.parent === undefined) continue
    const chain = before!.chainTo(terms.parent)
    const last = chain.at(-1)
    const isHeld = last?.to === maker && (session === undefined ? last?.session === undefined : last?.id === own)
    if (!isHeld || !before!.isInForce(chain, time) || !chain.every(link => link.capabilities.includes('grant')))
      return `${maker} had no right to give the grant ${id}`
  }
  return undefined
}

/** A grant keeps its terms, and stays revoked once it is. */
function isKept(access: CarriedAccess, old: Child, next: Child | undefined): boolean {
  if (next === undefined) return false
  if ('link' in old && 'link' in next && old.link === next.link) return true
  const [one, other] = [access.valueOf(old), access.valueOf(next)]
  const [was, is] = [fieldsOf(one), fieldsOf(other)]
  if (was === undefined || is === undefined) return textOf(one) === textOf(other)
  const { revoked: before, ...terms } = was
  const { revoked: now, ...rest } = is
  return textOf(terms) === textOf(rest) && (before === undefined || now !== undefined)
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalText(value as Stored)
}
