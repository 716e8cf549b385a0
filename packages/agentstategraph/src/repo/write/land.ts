/**
 * The one function that ends every way of writing.
 *
 * Every new state (of an edit, a merge, a speculation, a step) comes here. Checks may refuse it by throwing, the gate
 * authorizes it, and it must keep the schemas of its own system root; then it is appended, and the ref moves. Nothing else
 * appends commits. A landing that needs an approval is appended as a proposal, and the branch stays.
 */

import {
  appendCommit,
  type CommitInfo,
  type CommitOutcome,
  isUnappended,
  type Journal,
  type Move,
  type NewCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { encryptedRoot, findPlainChanges, type Link, withWriters } from '../../tree/index.ts'
import { lastAccess } from '../access/access-state.ts'
import { findActors } from '../access/actors.ts'
import { type Admission, admit, forgetAccess, openAdmission } from '../access/admit.ts'
import { landingToAuthorize } from '../access/landing-requests.ts'
import { approvalRequired, proposalBody, proposedMoves } from '../access/proposal.ts'
import { addedBy, movedRefs, ratedBy } from '../access/rate.ts'
import { noteRefusal, writeRefusals } from '../access/refusals.ts'
import type { Check, Landing, SettledLanding } from '../landing.ts'
import type { Accessor } from '../records/accessor.ts'

import { accessRef, findRef, grantNameOf, ratePrefix } from '../records/ref-names.ts'
import { judgeState, type Judged as StateJudgement, withoutSchemas, withWarnings } from '../schema/check.ts'
import { assertMeta, assertOwnKeys } from '../state/meta.ts'
import { emptyRootId } from '../state/roots.ts'
import { isSystemPath } from '../state/state.ts'
import { redactRefusal } from '../visibility/redact-refusal.ts'
import { redactViolation } from '../visibility/redact-violation.ts'
import { noteCarried, requestToCarry } from './carry-request.ts'

/** Who lands: every handle is one. */
export interface Lander extends Accessor {
  readonly shared: Accessor['shared'] & { readonly checks: readonly Check[] }
}

/** How a landing is appended: by itself, or together with others. */
export type AppendCommit = (journal: Journal, commit: NewCommit) => Work<CommitOutcome>

export function* land(lander: Lander, given: Landing, append: AppendCommit = appendCommit): Work<CommitOutcome> {
  const { journal, shared } = lander
  const landing = findPlain(journal, given) ?? (yield* settled(journal, given))
  for (const check of shared.checks) check(landing)
  const { head, system, tree, changed, changesMeta = false } = landing
  const parents = parentsOf(landing)
  // Where no path of the system changed, neither the system's root nor a key that hides it can have.
  if (changed.some(path => path.length === 0 || isSystemPath(path))) {
    yield* assertMeta(journal, parents, system, changesMeta)
    yield* assertOwnKeys(journal, changed, tree)
  }
  if (shared.access.refused.size > 0) yield* writeRefusals(lander)
  let judgement: StateJudgement | undefined
  for (;;) {
    if (shared.access.seq === undefined) yield* lastAccess(lander)
    const isUnjudged = landing.changesAccess !== true && isOpen(lander)
    const admission = isUnjudged ? openAdmission : yield* admitted(lander, landing)
    if ('kind' in admission) return admission
    // After authorization, because a violation reveals what is in the state.
    judgement ??= yield* judged(lander, parents[0], landing)
    const { requiredApproval } = admission
    const warnings =
      admission.warnings === undefined ? judgement.warnings : [...judgement.warnings, ...admission.warnings]
    const detail = warnings.length === 0 ? landing.detail : yield* withWarnings(journal, landing.detail, warnings)
    const id = requiredApproval === undefined ? undefined : journal.ids()
    const moves = movesOf(landing, id)
    const { grants } = admission
    // What a limit counts is the number of a stored entry.
    if (grants?.some(({ limits }) => limits !== undefined) && head !== undefined && isUnappended(head))
      return { kind: 'moved', name: landing.ref, actual: null }
    const rated = grants && (yield* ratedBy(lander, grants, () => addedBy(1, 1, movedRefs(moves))))
    const { drafts, needs, isPlain, name } = landing
    const outcome = yield* append(journal, {
      parents,
      tree,
      system,
      changed,
      info: infoOf(landing, judgement.schema, admission),
      moves: withGuards(moves, rated?.moves, landing.guards, admission.guard),
      detail,
      drafts,
      needs,
      isPlain,
      body: id === undefined ? landing.body : proposalBody(lander, landing, requiredApproval!),
      request: landing.request ?? (lander.once && requestToCarry(lander.once)),
      name,
      checkSize: rated?.checkSize,
      checkTime: admission.checkTime,
    })
    if (lander.once !== undefined) noteCarried(lander.once, outcome)
    if (outcome.kind === 'moved' && outcome.name === accessRef && landing.changesAccess !== true) {
      forgetAccess(lander)
      continue
    }
    if (outcome.kind === 'moved' && outcome.name.startsWith(ratePrefix)) continue
    if (id !== undefined && outcome.kind === 'done')
      throw approvalRequired(id, { ref: landing.ref, ...requiredApproval })
    if (landing.ref === accessRef) forgetAccess(lander)
    return outcome
  }
}

/** The verdict of the schemas. A violation is redacted to what the writer may read. */
function* judged(lander: Lander, before: StoredCommit | undefined, landing: Landing): Work<StateJudgement> {
  if (landing.system.id === emptyRootId) return withoutSchemas
  try {
    return yield* judgeState(lander.journal, before, landing)
  } catch (error) {
    throw yield* redactViolation(lander, landing, error)
  }
}

/** The ref moves to the commit; with the id of a proposal, only that one's does. */
function movesOf(landing: Landing, proposal: string | undefined): readonly Move[] {
  if (proposal !== undefined) return proposedMoves(proposal, landing.ref, placeOf(landing))
  const own: Move = { name: landing.ref, expect: placeOf(landing), to: { entry: 0 } }
  return landing.moves === undefined ? [own] : [own, ...landing.moves]
}

/** The moves of an append; most have no guards. */
function withGuards(
  moves: readonly Move[],
  rated: readonly Move[] | undefined,
  guards: readonly Move[] | undefined,
  guard: Move | undefined,
): readonly Move[] {
  if (rated === undefined && guards === undefined) return guard === undefined ? moves : [...moves, guard]
  return [...moves, ...(rated ?? []), ...(guards ?? []), ...(guard === undefined ? [] : [guard])]
}

/** Whether the operator acts where no access state exists, as far as is known. Then there is nothing to judge. */
export function isOpen({ identity, proposes, shared }: Accessor): boolean {
  return identity === undefined && proposes !== true && shared.access.seq === null
}

/** The gate's decision. A refusal on a head that has moved is reported as `moved`, so that the loop tries again. */
function* admitted(
  lander: Lander,
  landing: SettledLanding,
): Work<(Omit<Admission, 'guard'> & { guard?: Move }) | Extract<CommitOutcome, { kind: 'moved' }>> {
  const { identity } = lander
  if (landing.changesAccess === true) {
    const state = yield* lastAccess(lander)
    const actors = state && (yield* findActors(state, identity))
    return { info: { principal: identity?.principal, actors, session: identity?.session } }
  }
  try {
    return yield* admit(lander, () => landingToAuthorize(lander.journal, landing))
  } catch (error) {
    const actual = yield* findRef(landing.ref)
    if (actual !== placeOf(landing)) return { kind: 'moved', name: landing.ref, actual }
    throw yield* redactRefusal(lander, landing.branch ?? grantNameOf(landing.ref), yield* noteRefusal(lander, error))
  }
}

/** Where the ref has to be. */
function placeOf({ head, expect }: Landing): number | null {
  return expect ?? head?.seq ?? null
}

/** What the commit says: what the caller said of it, and what was found out. Field by field, because every landing does it. */
function infoOf({ info }: Landing, schema: string | undefined, admission: Pick<Admission, 'info'>): CommitInfo {
  const { agent, intent, reasoning, confidence, trace, merge } = info
  const { principal, actors, authority, session } = admission.info
  return { agent, intent, principal, actors, authority, session, reasoning, confidence, schema, trace, merge }
}

/**
 * The landing with its two roots as they are stored, and what changed since its first parent.
 *
 * Writers and changed paths are computed here from the parents' roots, by one rule, and not taken from the edit or merge
 * that made the state: `verify` and every receiver of the commit compute them again in the same way.
 */
function* settled(journal: Journal, landing: Landing): Work<SettledLanding> {
  const parents = parentsOf(landing)
  const changed: (readonly string[])[] = []
  const onChanged = (path: readonly string[]): void => {
    changed.push(path)
  }
  const { context } = journal
  const trees = parents.map(parent => parent.tree)
  const systems = parents.map(parent => parent.system)
  const system = yield* withWriters(context, landing.system, systems, { onChanged })
  const tree = yield* withWriters(context, landing.tree, trees, { onChanged })
  return { ...landing, tree: yield* protectedTree(journal, tree, trees, changed), system, changed, isPlain: false }
}

/** The same landing, when so little changed that nothing can be wrong with it; see `findPlainChanges`. */
function findPlain({ context }: Journal, landing: Landing): SettledLanding | undefined {
  const { head, merged, tree, system } = landing
  if (head === undefined || (merged !== undefined && merged.length > 0)) return undefined
  if (context.encryption !== undefined) return undefined
  const ofSystem = findPlainChanges(context.nodes, system, head.system)
  const ofTree = ofSystem && findPlainChanges(context.nodes, tree, head.tree)
  if (ofTree === undefined) return undefined
  const changed = ofSystem!.length === 0 ? ofTree : [...ofSystem!, ...ofTree]
  return { ...landing, changed, isPlain: landing.expect === undefined }
}

function parentsOf({ head, merged }: Landing): readonly StoredCommit[] {
  if (head === undefined) return merged ?? []
  return merged === undefined ? [head] : [head, ...merged]
}

/** Encrypts what is protected and still plain, whatever made the state. */
function* protectedTree(
  { context }: Journal,
  tree: Link,
  parents: readonly Link[],
  changed: readonly (readonly string[])[],
): Work<Link> {
  if (context.encryption === undefined) return tree
  const encrypted = yield* encryptedRoot(context, tree, changed)
  return encrypted === tree ? tree : yield* withWriters(context, encrypted, parents)
}
