/** What taints say of a request: a change that they forbid or that needs an approval, a read that they hide. */

import {
  type AccessRequest,
  type AccessState,
  isHiding,
  isOnBranch,
  mayRelease,
  operator,
  type TaintRecord,
  taintsInForce,
  touchesPlace,
} from '../../repo/index.ts'
import type { Work } from '../../store/index.ts'

interface Said {
  readonly allowed: boolean
  readonly reason: string
}

export interface TaintLink extends Said {
  readonly taint: string
}

/** One link for each taint that applies. Without a path, also for taints that may apply. */
export function* taintLinks(
  state: AccessState,
  principal: string,
  { capability, branch, paths }: AccessRequest,
): Work<TaintLink[]> {
  const links: TaintLink[] = []
  const isRead = capability === 'read'
  if (!isRead && !['propose', 'commit', 'merge', 'migrate'].includes(capability)) return links
  for (const taint of yield* taintsInForce(state)) {
    const isMet =
      (branch === undefined || isOnBranch(taint, branch)) &&
      (paths === undefined || paths.some(path => touchesPlace(taint.path, path)))
    if (!isMet || (isRead && !isHiding(taint))) continue
    const identity = principal === operator ? undefined : { principal }
    const isFree = yield* mayRelease(state, identity, taint)
    // Without a path or a branch the taint may not apply.
    const isSure = paths !== undefined && (branch !== undefined || taint.branches === undefined)
    links.push({ taint: taint.id, ...(isRead ? readLink(taint, isFree, isSure) : changeLink(taint, isFree, isSure)) })
  }
  return links
}

function readLink({ path, reason }: TaintRecord, isFree: boolean, isSure: boolean): Said {
  const what = isFree ? 'is hidden from others' : 'is hidden'
  return { allowed: isFree || !isSure, reason: `What is at ${path} ${what}: ${reason}.` }
}

function changeLink({ path, effect, reason }: TaintRecord, isFree: boolean, isSure: boolean): Said {
  switch (effect) {
    case 'block':
      return { allowed: !isSure, reason: `A taint stops changes at ${path}: ${reason}.` }
    case 'isolate':
      return { allowed: isFree || !isSure, reason: `Only a principal with release may change ${path}: ${reason}.` }
    case 'review':
      return { allowed: !isSure, reason: `A change at ${path} needs the approval of another principal: ${reason}.` }
    case 'warn':
      return { allowed: true, reason: `A change at ${path} carries a warning: ${reason}.` }
  }
}
