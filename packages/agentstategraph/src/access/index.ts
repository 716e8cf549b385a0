/** Who may do what: principals, grants, sessions, rules, taints. */

export type {
  Approval,
  Capability,
  ChangeKind,
  Ended,
  IntentRecord,
  PolicyRule,
  RefusalCount,
  RuleEffect,
  RuleSelectors,
  RuleStatus,
  Severity,
  TaintEffect,
} from '../repo/index.ts'
export { capabilities, intentStatuses } from '../repo/index.ts'
export { type Access, access } from './access.ts'
export { type AccessFaults, accessFault } from './errors.ts'
export type { Grant, GrantFilter, GrantLimits, GrantSpec } from './grants/grants.ts'
export type { FreezeTarget } from './principals/freeze.ts'
export { findKeyHome } from './principals/key-home.ts'
export type { Key, KeyFilter, KeyOptions, RevokeKeyOptions, RotateKeyOptions } from './principals/keys.ts'
export type { Principal, PrincipalKind } from './principals/principals.ts'
export type { ExplainAsk, ExplainedLink, Explanation } from './review/explain.ts'
export type { ProposalFilter, Proposals } from './review/proposals.ts'
export type { Proposal, ProposalStatus } from './review/redact-proposal.ts'
export type { RefusalFilter } from './review/refusals.ts'
export type { Policy, PolicyFilter, Rules } from './review/rules.ts'
export type { Taint, TaintFilter, TaintSpec, Taints } from './review/taints.ts'
export type { IntentAction, IntentFilter, IntentSpec, Intents } from './sessions/intents.ts'
export type { Report, Session, SessionFilter, SessionInfo } from './sessions/session.ts'
export type { SessionSpec } from './sessions/session-decisions.ts'
export type { ReportFilter, Sessions } from './sessions/sessions.ts'
