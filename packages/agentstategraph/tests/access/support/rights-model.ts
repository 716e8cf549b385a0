/**
 * Who may do what, in the simplest way there is: sets of places, intersected along each chain.
 *
 * It knows no patterns: what each one means is written down by hand for the few places there are. What a grant leaves out is
 * everything, and what it inherits is left to the intersection.
 */

export const leaves = ['/a/x', '/a/y', '/b/x', '/b/y'] as const
export type Leaf = (typeof leaves)[number]

export const branchNames = ['main', 'dev'] as const

/** What the patterns that are tried mean. */
export const placeMeanings: Readonly<Record<string, readonly Leaf[]>> = {
  '/**': leaves,
  '/': leaves,
  '/a': ['/a/x', '/a/y'],
  '/a/**': ['/a/x', '/a/y'],
  '/a/*': ['/a/x', '/a/y'],
  '/a/x': ['/a/x'],
  '/*/x': ['/a/x', '/b/x'],
  '/b': ['/b/x', '/b/y'],
  '/b/y/z': [],
  '/A': [],
}

export const nameMeanings: Readonly<Record<string, readonly string[]>> = {
  '**': branchNames,
  '*': branchNames,
  main: ['main'],
  dev: ['dev'],
  'dev/*': [],
}

export interface ModelGrant {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly parent: string | undefined
  readonly capabilities: readonly string[]
  readonly paths: readonly string[] | undefined
  readonly branches: readonly string[] | undefined
  isRevoked: boolean
}

export interface Rights {
  readonly grants: Map<string, ModelGrant>
  readonly frozen: Set<string>
}

export function newRights(): Rights {
  return { grants: new Map(), frozen: new Set() }
}

/** Whether somebody may change a place of a branch with one of some capabilities. */
export function may(rights: Rights, who: string, capabilities: readonly string[], branch: string, leaf: Leaf): boolean {
  if (rights.frozen.has(who)) return false
  const held = [...rights.grants.values()].filter(({ to }) => to === who)
  return capabilities.some(capability =>
    held.some(grant => chainOf(rights, grant).every(link => allows(rights, link, capability, branch, leaf))),
  )
}

function chainOf(rights: Rights, grant: ModelGrant): readonly ModelGrant[] {
  const parent = grant.parent === undefined ? undefined : rights.grants.get(grant.parent)!
  return parent === undefined ? [grant] : [...chainOf(rights, parent), grant]
}

function allows({ frozen }: Rights, link: ModelGrant, capability: string, branch: string, leaf: Leaf): boolean {
  const { paths, branches, capabilities, from, isRevoked } = link
  return (
    !isRevoked &&
    !frozen.has(from) &&
    capabilities.includes(capability) &&
    (branches === undefined || branches.some(name => nameMeanings[name]!.includes(branch))) &&
    (paths === undefined || paths.some(path => placeMeanings[path]!.includes(leaf)))
  )
}
