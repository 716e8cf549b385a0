/** Why a change needs an approval, and which principals may give it. */

export interface RequiredApproval {
  /** The rules and taints that require it; absent when the principal may only propose. */
  readonly rule?: string
  /** The principals that may approve; any with the capability when absent. */
  readonly approvers?: readonly string[]
}

/** Both requirements as one: an approver must be in every list of approvers. */
export function mergeApprovals(
  a: RequiredApproval | undefined,
  b: RequiredApproval | undefined,
): RequiredApproval | undefined {
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
