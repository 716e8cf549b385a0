/**
 * Why a request is allowed or denied, link by link: every grant of every chain, freezes, rules and taints.
 *
 * The answer is that of the gate for the same state. A principal can ask about itself; asking about others takes admin.
 */

import { appendAll, checkOptions, isStateError, optionsOf, type Path, parsePath } from '../../core/index.ts'
import {
  type AccessRequest,
  type AccessState,
  accessValue,
  assertMay,
  type Capability,
  type Chain,
  capabilities,
  chainsOf,
  chainTo,
  currentAccess,
  type FrozenRecord,
  type GrantRecord,
  type Handle,
  type Identity,
  type LinkFault,
  linkFault,
  linksOf,
  operator,
  type RelevantRule,
  relevantRules,
  type SessionRecord,
} from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import type { Work } from '../../store/index.ts'
import { accessFault } from '../errors.ts'
import { assertPrincipal, recordsIn } from '../records.ts'
import { run } from '../run.ts'
import { taintLinks } from './explain-taints.ts'

/** What `explain` is asked: may this be done? */
export interface ExplainAsk {
  capability: Capability
  branch?: string | undefined
  path?: Path | undefined
}

const explainOptions = optionsOf<ExplainAsk>('explain', { capability: true, branch: true, path: true })

/** Whether something is allowed, and why. */
export interface Explanation {
  readonly allowed: boolean
  readonly links: readonly ExplainedLink[]
}

/** One grant, rule, taint or session that decides an explanation. */
export interface ExplainedLink {
  readonly grant?: string
  readonly rule?: string
  readonly taint?: string
  /** The session that the grant was made for: outside it, it allows nothing. */
  readonly session?: string
  readonly allowed: boolean
  readonly reason: string
}

export interface Explaining {
  explain(principal: string, request: ExplainAsk): Promise<Explanation>
}

export function explainingOf({ handle }: Pick<Repository, 'handle'>): Explaining {
  return {
    async explain(principal, request) {
      checkOptions(explainOptions, request)
      return run(handle, undefined, explained(handle, principal, request))
    },
  }
}

function* explained(handle: Handle, principal: string, { capability, branch, path }: ExplainAsk): Work<Explanation> {
  if (!capabilities.includes(capability)) {
    throw accessFault('capability-unknown', { capability: String(capability), known: capabilities })
  }
  const place = path === undefined ? undefined : parsePath(path)
  const state = yield* currentAccess(handle)
  const { identity } = handle
  if (identity !== undefined && identity.principal !== principal)
    yield* assertMay(handle, state, { capability: 'admin' })
  if (principal !== operator) yield* assertPrincipal(state, principal)
  if (state === undefined) {
    return { allowed: true, links: [{ allowed: true, reason: 'This repository has no decisions about access.' }] }
  }
  const request: AccessRequest = { capability, branch, ...(place === undefined ? {} : { paths: [place] }) }
  const links: ExplainedLink[] = yield* frozenLinks(state, principal, request)
  const isOwn = identity?.principal === principal
  const who = isOwn ? identity : { principal }
  const { allowed, links: grants, chain } = yield* explainedGrants(state, who, request)
  appendAll(links, grants)
  appendAll(links, yield* ruleLinks(state, yield* linksOf(state, who, chain), request))
  // A denied caller must not learn which taints exist.
  if (allowed || !isOwn) appendAll(links, yield* taintLinks(state, principal, request))
  return { allowed: allowed && links.every(link => link.grant !== undefined || link.allowed), links }
}

const judged: readonly Capability[] = ['propose', 'commit', 'merge', 'migrate']

/** What rules say of a change by a chain of principals. A rule that depends on the change itself does not deny here. */
function* ruleLinks(
  state: AccessState,
  principals: readonly string[],
  { capability, branch, paths }: AccessRequest,
): Work<ExplainedLink[]> {
  if (!judged.includes(capability)) return []
  let rules: readonly RelevantRule[]
  try {
    rules = yield* relevantRules(state, principals, { branch, path: paths?.[0] })
  } catch (error) {
    if (!isStateError(error, 'rule-unreadable')) throw error
    const { rule } = error.data as { readonly rule: string }
    return [{ rule, allowed: false, reason: error.message }]
  }
  return rules.map(({ rule, effect, approvers, dependsOn }) => {
    const by = approvers === undefined ? '' : ` of ${approvers.join(' or ')}`
    const says = { deny: 'denies it', 'require-approval': `asks for an approval${by}`, allow: 'allows it' }[effect]
    const isSure = dependsOn.length === 0
    const depends = isSure ? '' : `, depending on ${dependsOn.join(', ')}`
    return { rule, allowed: effect === 'allow' || !isSure, reason: `The rule "${rule}" ${says}${depends}.` }
  })
}

function* frozenLinks(
  state: AccessState,
  principal: string,
  { branch, capability }: AccessRequest,
): Work<ExplainedLink[]> {
  const links: ExplainedLink[] = []
  const holder = yield* accessValue<FrozenRecord>(state, ['frozen', 'principals', principal])
  if (holder !== undefined) {
    links.push({ allowed: false, reason: `${principal} was frozen by ${holder.by}: ${holder.reason}.` })
  }
  if (branch === undefined || capability === 'read') return links
  const place = yield* accessValue<FrozenRecord>(state, ['frozen', 'branches', branch])
  if (place !== undefined)
    links.push({ allowed: false, reason: `${branch} was frozen by ${place.by}: ${place.reason}.` })
  return links
}

/** With the first chain that allows the request, which is the one that the gate uses. */
function* explainedGrants(
  state: AccessState,
  identity: Identity,
  request: AccessRequest,
): Work<Explanation & { readonly chain: Chain }> {
  const { principal, grant } = identity
  if (principal === operator)
    return { allowed: true, links: [{ allowed: true, reason: 'The operator needs no grant.' }], chain: [] }
  const chains = [
    ...(yield* chainsOf(state, identity)),
    ...(grant === undefined ? yield* sessionChainsOf(state, principal) : []),
  ]
  if (chains.length === 0)
    return { allowed: false, links: [{ allowed: false, reason: `${principal} holds no grant.` }], chain: [] }
  const links: ExplainedLink[] = []
  let allowing: Chain | undefined
  for (const chain of chains) {
    const explained = yield* explainedChain(state, chain, request, grant !== undefined)
    if (explained.every(link => link.allowed)) allowing ??= chain
    appendAll(links, explained)
  }
  return { allowed: allowing !== undefined, links, chain: allowing ?? [] }
}

/** The chains of the open sessions of a principal. */
function* sessionChainsOf(state: AccessState, principal: string): Work<readonly Chain[]> {
  const chains: Chain[] = []
  for (const [id] of yield* recordsIn(state, ['working', principal])) {
    const session = yield* accessValue<SessionRecord>(state, ['sessions', id])
    if (session !== undefined) chains.push(yield* chainTo(state, session.grant))
  }
  return chains
}

function* explainedChain(
  state: AccessState,
  chain: Chain,
  request: AccessRequest,
  isInSession: boolean,
): Work<ExplainedLink[]> {
  const links: ExplainedLink[] = []
  for (const [at, grant] of chain.entries()) {
    const fault = yield* linkFault(state, chain, at, request, request.paths?.[0])
    const { id, from, to, session } = grant
    const isLent = session !== undefined && !isInSession
    const only = isLent ? `, in the session ${session} only` : ''
    const reason = fault === undefined ? `${from} gave ${to} what it takes${only}.` : inWords(fault, grant, request)
    const allowed = fault === undefined && !isLent
    links.push({ grant: id, ...(session === undefined ? {} : { session }), allowed, reason })
  }
  return links
}

function inWords(
  { kind }: LinkFault,
  { from, to, capabilities: held, branches, paths, expires, revoked }: GrantRecord,
  request: AccessRequest,
): string {
  switch (kind) {
    case 'capability':
      return `${from} gave ${to} ${held.join(', ')}, and not ${request.capability}.`
    case 'branch':
      return `${from} gave ${to} this for ${branches!.join(', ')} only.`
    case 'path':
      return `${from} gave ${to} this at ${paths!.join(', ')} only.`
    case 'revoked':
      return `${revoked!.by} revoked it at ${revoked!.time}: ${revoked!.reason}.`
    case 'expired':
      return `It expired at ${expires}.`
    case 'frozen':
      return `${from}, who gave it, is frozen.`
    case 'broken':
      return `${from}, who gave it, does not hold what it comes from.`
  }
}
