/**
 * Whether the principal of a commit held the right to make it, by the access state in force and by what the entry says.
 *
 * What a bundle cannot tell is `unknown`, and never counts as held. docs/bundle.md has the rules under "Authority", and what is
 * not judged.
 */

import { formatPath } from '../../../core/index.ts'
import { findCommonLink, operator } from '../../../repo/index.ts'
import type { CommitRecord, EntryRecord } from '../../../store/index.ts'
import { fieldsOf, isText } from '../format.ts'
import { type AskedRight, askedBy, isProposed, targetsOf } from './asked-rights.ts'
import { allowsAll, type CarriedAccess, mayAllowBelow, type Terms, type TermsChain } from './carried-access.ts'

/** Whether a commit was authorised. `chains` are names: `operator → agent/lead`. */
export type Judgement =
  | { readonly kind: 'granted'; readonly chains: readonly string[] }
  /** Made by the operator, under access control; or where there was none. */
  | { readonly kind: 'operator' | 'open' }
  | { readonly kind: 'unknown' | 'denied'; readonly reason: string }

export interface JudgedEntry {
  readonly entry: EntryRecord
  /** The time of the entry, as its text has it. */
  readonly time: string
  readonly commit: CommitRecord
}

export function judgeCommit(access: CarriedAccess | undefined, judged: JudgedEntry): Judgement {
  const { entry, commit } = judged
  const { principal, authority, session, actors } = commit
  const body = fieldsOf(entry.body)
  const isOpen = access === undefined && principal === undefined
  if (fieldsOf(body?.['via']) !== undefined && !isOpen) return unknown('it was imported from another log')
  if (principal === undefined && [authority, session, actors].some(one => one !== undefined))
    return denied('it names an authority, and no principal')
  if (access === undefined) {
    return principal === undefined
      ? { kind: 'open' }
      : denied('it names a principal, and no access control was in force')
  }
  const frozen = targetsOf(entry).find(({ branch }) => access.isFrozen('branches', branch))
  if (frozen !== undefined) return denied(`the branch ${frozen.branch} was frozen`)
  const approval = fieldsOf(body?.['approval'])
  const asked = askedBy(entry, commit, approval !== undefined || isProposed(entry))
  if (asked === undefined) return unknown('it does not state what it changed')
  const chains = principal === undefined ? [] : authorityOf(access, judged, principal)
  if (typeof chains === 'string') return denied(chains)
  const rights = principal === undefined ? undefined : judgeRights(principal, chains, asked)
  if (rights?.kind === 'denied') return rights
  if (approval !== undefined) {
    const fault = approvalFault(access, judged, approval['by'], chains, asked)
    if (fault !== undefined) return denied(fault)
  }
  if (principal === undefined) return { kind: 'operator' }
  return rights ?? { kind: 'granted', chains: chains.map(namesOf) }
}

/** The chains that a commit names, or what is wrong with them. */
function authorityOf(
  access: CarriedAccess,
  { time, commit }: JudgedEntry,
  principal: string,
): readonly TermsChain[] | string {
  const { agent, authority = [], session, actors = [principal] } = commit
  if (agent !== principal) return `it was made as ${agent} by ${principal}`
  if (access.isFrozen('principals', principal)) return `${principal} was frozen`
  const found = session === undefined ? undefined : access.findSession(session)
  if (session !== undefined && found?.agent !== principal) return `its session is not one of ${principal}`
  const expected = session === undefined ? [principal] : access.actorsIn(session, principal)
  if (actors.length !== expected.length || actors.some((name, i) => name !== expected[i]))
    return 'its actors are not those of its session'
  const chains: TermsChain[] = []
  for (const id of authority) {
    const terms = access.findGrant(id)
    if (terms === undefined) return `the grant ${id} is not there`
    if (isEnd(terms, principal, found?.grant)) chains.push(access.chainTo(id))
  }
  const ended = chains.find(chain => !access.isInForce(chain, time))
  if (ended !== undefined) return `a grant of ${principal} was not in force`
  const links = new Set(chains.flat().map(({ id }) => id))
  const isWhole = links.size === new Set(authority).size && authority.every(id => links.has(id))
  return isWhole ? chains : `the grants that it names do not lead to ${principal}`
}

/** Whether a chain that ends with a grant is one to act under. The grant of a session is valid in that session only. */
function isEnd({ id, to, session }: Terms, principal: string, own: string | undefined): boolean {
  return to === principal && (own === undefined ? session === undefined : id === own)
}

/** Undefined when all rights were held. */
function judgeRights(
  principal: string,
  chains: readonly TermsChain[],
  asked: readonly AskedRight[],
): Extract<Judgement, { readonly kind: 'unknown' | 'denied' }> | undefined {
  let open: ReturnType<typeof unknown> | undefined
  for (const one of asked) {
    if (isHeld(chains, one)) continue
    if (!one.isFolded || !chains.some(chain => mayAllowBelow(chain, one))) {
      const { capabilities, path, branch } = one
      const at = path === undefined ? '' : ` at ${formatPath(path)}`
      return denied(`${principal} had no right to ${capabilities[0]}${at} on ${branch ?? 'everything'}`)
    }
    open ??= unknown('it changed more places than its entry names')
  }
  return open
}

/** Below the root anything may have changed, also what no pattern of paths means and what takes `migrate`. */
function isHeld(chains: readonly TermsChain[], asked: AskedRight): boolean {
  if (!asked.isFolded || asked.path?.length !== 0) return chains.some(chain => allowsAll(chain, asked))
  const unlimited = chains.filter(chain => chain.every(({ paths }) => paths === undefined))
  return [asked, { ...asked, capabilities: ['migrate'] }].every(one => unlimited.some(chain => allowsAll(chain, one)))
}

/** Why an approval is none; undefined when it is one. Which grants it was given under is not recorded, so any may be meant. */
function approvalFault(
  access: CarriedAccess,
  { time, commit }: JudgedEntry,
  by: unknown,
  chains: readonly TermsChain[],
  asked: readonly AskedRight[],
): string | undefined {
  if (!isText(by)) return 'it names no approver'
  const { principal = operator, actors = [principal] } = commit
  const behind = [...actors, ...giversOf(chains.flat())]
  if (by === operator) return behind.includes(operator) ? 'the operator approved its own change' : undefined
  const fault = `${by} could not approve it`
  if (access.isFrozen('principals', by)) return fault
  const usable: TermsChain[] = []
  for (const id of access.grants.keys()) {
    const terms = access.findGrant(id)
    if (terms?.to !== by) continue
    const chain = access.chainTo(id)
    const { session } = terms
    const links = [...(session === undefined ? [by] : access.actorsIn(session, by)), ...giversOf(chain)]
    if (access.isInForce(chain, time) && findCommonLink(behind, links) === undefined) usable.push(chain)
  }
  const approving = asked.map(one => ({ ...one, capabilities: ['approve'] }))
  return approving.every(one => usable.some(chain => allowsAll(chain, one))) ? undefined : fault
}

/** Those who gave grants. Giving does not put the operator behind what is done under them. */
function giversOf(grants: readonly Terms[]): readonly string[] {
  return grants.map(({ from }) => from).filter(from => from !== operator)
}

function namesOf(chain: TermsChain): string {
  const names = [chain[0]!.from, ...chain.map(({ to }) => to)]
  return names.filter((name, i) => name !== names[i - 1]).join(' → ')
}

function unknown(reason: string): { readonly kind: 'unknown'; readonly reason: string } {
  return { kind: 'unknown', reason }
}

function denied(reason: string): { readonly kind: 'denied'; readonly reason: string } {
  return { kind: 'denied', reason }
}
