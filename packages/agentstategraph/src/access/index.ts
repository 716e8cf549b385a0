/** Who may do what: principals, grants, sessions, rules, taints. */
export type {
  Approval,
  Capability,
  ChangeKind,
  PolicyRule,
  Proposal,
  ProposalStatus,
  RefusalCount,
  RuleEffect,
  RuleSelectors,
  RuleStatus,
  Severity,
  TaintEffect,
} from '../repo/index.ts'
export { type Access, access } from './access.ts'
export { type AccessFaults, accessFault } from './errors.ts'
export type { ExplainAsk, ExplainedLink, Explanation } from './explain.ts'
export type { FreezeTarget } from './freeze.ts'
export type { Grant, GrantFilter, GrantLimits, GrantSpec } from './grants.ts'
export type { IntentAction, IntentFilter, IntentSpec, Intents } from './intents.ts'
export type { Key, KeyFilter, KeyOptions } from './keys.ts'
export type { Principal, PrincipalKind } from './principals.ts'
export type { ProposalFilter, Proposals } from './proposals.ts'
export type { RefusalFilter } from './refusals.ts'
export type { Policy, PolicyFilter, Rules } from './rules.ts'
export type { Report, Session, SessionFilter, SessionInfo } from './session.ts'
export type { SessionSpec } from './session-decisions.ts'
export type { ReportFilter, Sessions } from './sessions.ts'
export type { Taint, TaintFilter, TaintSpec, Taints } from './taints.ts'
