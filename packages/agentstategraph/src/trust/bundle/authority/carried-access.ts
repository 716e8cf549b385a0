/**
 * One access state of a bundle: its grants, sessions and freezes, and whether chains of grants allow something.
 *
 * It is the access control of a store as far as a bundle shows it. The rules are those of `repo/access/authority.ts`, on records
 * that may come from any maker: one that is not as it should be allows nothing.
 */

import { isStateError } from '../../../core/index.ts'
import { type GrantRecord, maxChain, meansName, meansPlace, operator, touchesPlace } from '../../../repo/index.ts'
import { fieldsOf, isText, listOf } from '../format.ts'
import { isTime } from '../texts.ts'
import type { AccessNodes, Child, Table } from './access-nodes.ts'

/** The terms of a grant that decide what it allows. */
export type Terms = Pick<
  GrantRecord,
  'from' | 'to' | 'parent' | 'branches' | 'paths' | 'capabilities' | 'expires' | 'session'
> & { readonly id: string; readonly isRevoked: boolean }

/** Grants, the operator's first. */
export type TermsChain = readonly Terms[]

export interface SessionTerms {
  readonly agent: string
  readonly by: string
  readonly grant: string
  readonly parent?: string
}

/** What is done: under one of these capabilities, to a branch, at a path. Without a branch it concerns everything. */
export interface Asked {
  readonly capabilities: readonly string[]
  readonly branch: string | undefined
  readonly path: readonly string[] | undefined
}

type Tables = Readonly<Record<'grants' | 'sessions' | 'principals' | 'branches', Table>>

export class CarriedAccess {
  /** The commit whose tree it is, and its entry. */
  readonly commit: string
  readonly seq: number
  readonly #nodes: AccessNodes
  readonly #root: string
  #tables: Tables | undefined

  constructor(nodes: AccessNodes, { commit, seq, root }: { commit: string; seq: number; root: string }) {
    this.#nodes = nodes
    this.#root = root
    this.commit = commit
    this.seq = seq
  }

  /** The grants as they are stored, by id. */
  get grants(): Table {
    return this.#read().grants
  }

  valueOf(child: Child): unknown {
    return this.#nodes.valueOf(child)
  }

  findGrant(id: string): Terms | undefined {
    const child = this.grants.get(id)
    return child && termsOf(id, this.valueOf(child))
  }

  findSession(id: string): SessionTerms | undefined {
    const child = this.#read().sessions.get(id)
    const { agent, by, grant, parent } = fieldsOf(child && this.valueOf(child)) ?? {}
    if (!isText(agent) || !isText(by) || !isText(grant) || !(parent === undefined || isText(parent))) return undefined
    return { agent, by, grant, ...(parent === undefined ? {} : { parent }) }
  }

  isFrozen(what: 'principals' | 'branches', name: string): boolean {
    return this.#read()[what].has(name)
  }

  /** The chain that ends with a grant. A broken one does not begin with the operator, and allows nothing. */
  chainTo(id: string): TermsChain {
    const chain: Terms[] = []
    for (let next: string | undefined = id; next !== undefined && chain.length <= maxChain; ) {
      const terms = this.findGrant(next)
      if (terms === undefined) return []
      chain.unshift(terms)
      next = terms.parent
    }
    return chain
  }

  /** Whether all links of a chain are in force at a time, as far as that does not depend on what is asked. */
  isInForce(chain: TermsChain, time: string): boolean {
    return (
      chain.length > 0 &&
      chain[0]!.parent === undefined &&
      chain.every((link, i) => {
        if (link.isRevoked || link.from !== (i === 0 ? operator : chain[i - 1]!.to)) return false
        if (link.expires !== undefined && link.expires <= time) return false
        return i === 0 || !this.isFrozen('principals', link.from)
      })
    )
  }

  /** The principals that opened sessions up to this one, the first opener first, and last the one that acts. */
  actorsIn(session: string, principal: string): readonly string[] {
    const actors = [principal]
    const seen = new Set<string>()
    for (let id: string | undefined = session; id !== undefined && !seen.has(id); ) {
      seen.add(id)
      const found: SessionTerms | undefined = this.findSession(id)
      if (found !== undefined && found.by !== actors[0]) actors.unshift(found.by)
      id = found?.parent
    }
    return actors
  }

  #read(): Tables {
    const table = (child: Child | undefined): Table => this.#nodes.tableOf(child)
    if (this.#tables === undefined) {
      const root = table({ link: this.#root })
      const frozen = table(root.get('frozen'))
      this.#tables = {
        grants: table(root.get('grants')),
        sessions: table(root.get('sessions')),
        principals: table(frozen.get('principals')),
        branches: table(frozen.get('branches')),
      }
    }
    return this.#tables
  }
}

const isTexts = listOf(isText)
const isAbsentOr = (isRight: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || isRight(value)

function termsOf(id: string, value: unknown): Terms | undefined {
  const fields = fieldsOf(value)
  if (fields === undefined) return undefined
  const { from, to, parent, branches, paths, capabilities, expires, session } = fields
  const isRight =
    fields['id'] === id &&
    [from, to].every(isText) &&
    [parent, session].every(one => isAbsentOr(isText, one)) &&
    [branches, paths].every(one => isAbsentOr(isTexts, one)) &&
    isTexts(capabilities) &&
    isAbsentOr(isTime, expires)
  return isRight ? { ...(fields as unknown as Terms), isRevoked: fields['revoked'] !== undefined } : undefined
}

/** Whether every link of a chain allows what is asked. */
export function allowsAll(chain: TermsChain, asked: Asked): boolean {
  return asked.capabilities.some(capability => chain.every(link => allows(link, capability, asked)))
}

function allows(link: Terms, capability: string, { branch, path }: Asked): boolean {
  if (!link.capabilities.includes(capability as never)) return false
  if (branch === undefined) return link.branches === undefined && link.paths === undefined
  if (link.branches?.some(pattern => isMeant(() => meansName(pattern, branch))) === false) return false
  return path === undefined || link.paths?.some(pattern => isMeant(() => meansPlace(pattern, path))) !== false
}

/** Whether a chain might allow something below a path. */
export function mayAllowBelow(chain: TermsChain, { branch, path = [] }: Asked): boolean {
  return chain.every(({ branches, paths }) => {
    if (branch === undefined) return branches === undefined && paths === undefined
    if (branches?.some(pattern => isMeant(() => meansName(pattern, branch))) === false) return false
    return paths?.some(pattern => isMeant(() => touchesPlace(pattern, path))) !== false
  })
}

/** A pattern that is not valid means nothing. */
function isMeant(means: () => boolean): boolean {
  try {
    return means()
  } catch (error) {
    if (isStateError(error, 'pattern-invalid')) return false
    throw error
  }
}
