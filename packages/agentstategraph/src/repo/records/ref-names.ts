/**
 * The names of refs: the one table of what lies under which name, and what follows from a name alone.
 *
 * docs/format.md has the same table. Only the journal's own `system/genesis` is named elsewhere, in the store layer. Who may
 * move a ref is not known here.
 */

import { ask, type RefCell, type RefPart, type Work } from '../../store/index.ts'

/** `branch/<name>`: the newest commit of a branch. */
export const branchPrefix = 'branch/'
/** `tag/<name>`: a commit. */
export const tagPrefix = 'tag/'
/** `thread/<graph>/<id>`: the newest commit of a thread. It is read, compared and merged like a branch, and listed apart. */
export const threadPrefix = 'thread/'
/** `run/<graph>/<id>`: the newest `task` entry of a thread since its last step; absent when there is none. */
export const runPrefix = 'run/'
/** `beside/<graph>/<id>/<name>`: the newest commit of a run beside a thread, hidden until it is merged. */
export const besidePrefix = 'beside/'
/** `draft/<id>`: the newest entry of a speculation. */
export const draftPrefix = 'draft/'
/** `proposal/<id>`: the proposed commit while the proposal is open, then the entry that decided it. */
export const proposalPrefix = 'proposal/'
/** `erased/<key>`: the `erase` entry of a subject's key. */
export const erasedPrefix = 'erased/'
/** The newest commit of the access state, a tree of its own. */
export const accessRef = 'system/access'
/** `system/rate/<grant>`: the first entry of the newest append under a grant with a limit per minute. */
export const ratePrefix = 'system/rate/'
/** The newest `refusal` entry; each move names the one before. */
export const refusalsRef = 'system/refusals'
/** The newest `key` entry. */
export const keysRef = 'system/keys'
/** `system/epoch/<id>`: the newest entry of an epoch. */
export const epochPrefix = 'system/epoch/'
/** `system/plan/<plan>`: the newest entry that reserved numbers for tasks of a plan. */
export const taskNumbersPrefix = 'system/plan/'
/** The newest commit of the cache of node results of graphs. */
export const nodeCacheRef = 'system/graph-cache'

/** The branch that every repository has. */
export const mainBranch = 'main'

/** The refs of access control. They stay in their store: imports and syncs do not move them. */
export const accessRefs: readonly string[] = [accessRef, proposalPrefix, ratePrefix]

export function branchRef(name: string): string {
  return name.startsWith(threadPrefix) ? name : branchPrefix + name
}

export function tagRef(name: string): string {
  return tagPrefix + name
}

/** Whether commits are landed by coming to this ref. */
export function isLandingRef(ref: string): boolean {
  return ref.startsWith(branchPrefix) || ref.startsWith(threadPrefix)
}

/** Whether users find commits by this ref. Speculations and refs of the system are not such. */
export function leadsToLanded(ref: string): boolean {
  return isLandingRef(ref) || ref.startsWith(tagPrefix)
}

/** The name that grants, rules and freezes know a ref by; undefined for refs of the system. */
export function grantNameOf(ref: string): string | undefined {
  if (ref.startsWith(branchPrefix)) return ref.slice(branchPrefix.length)
  if (ref.startsWith(besidePrefix)) return threadPrefix + ref.slice(besidePrefix.length, ref.lastIndexOf('/'))
  return ref.startsWith(threadPrefix) ? ref : undefined
}

/** The entry that a ref points to. */
export function* findRef(name: string): Work<number | null> {
  return yield* ask(log => log.ref(name))
}

/** All refs whose names begin with a prefix, or a part of them, by name. */
export function* listRefs(prefix: string, part?: RefPart): Work<readonly RefCell[]> {
  return yield* ask(log => log.refs(prefix, part))
}
