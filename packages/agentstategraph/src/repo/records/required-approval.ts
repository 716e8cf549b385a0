/** Why an act needs the approval of somebody else, and of whom. */

export interface Need {
  /** The rules and taints that ask for it; absent when the one who acts may only propose. */
  readonly rule?: string
  /** Who may approve; anybody with the capability when absent. */
  readonly approvers?: readonly string[]
}

/** What two needs ask for together: whoever approves has to be named by each that names somebody. */
export function mergeApprovals(a: Need | undefined, b: Need | undefined): Need | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const rules = [...new Set([a.rule, b.rule])].filter(rule => rule !== undefined)
  const approvers = a.approvers?.filter(name => b.approvers?.includes(name) ?? true) ?? b.approvers
  return {
    ...(rules.length === 0 ? {} : { rule: joined(rules) }),
    ...(approvers === undefined ? {} : { approvers }),
  }
}

/** How long the names of all that ask may be together: they stand in an entry and in a message. */
const MAX_NAMES_LENGTH = 1000

function joined(names: readonly string[]): string {
  const [first = '', second] = names
  if (second === undefined || first.endsWith(', …')) return first
  return first.length + second.length > MAX_NAMES_LENGTH ? `${first}, …` : `${first}, ${second}`
}
