/** Every way in which the gate refuses, and what decisions about access can run into: codes, what they carry, their words. */

import { type ErrorMaker, errorsOf } from '../../core/index.ts'
import type { Capability } from './capability.ts'

export interface AccessErrors {
  'access-denied': { principal: string; capability: Capability; branch?: string; path?: string }
  'principal-unknown': { principal: string }
  'principal-frozen': { principal: string; reason: string }
  'branch-frozen': { branch: string; reason: string }
  'grant-expired': { principal: string; grant: string }
  'grant-revoked': { principal: string; grant: string }
  'key-ended': { principal: string; key: string }
  'rate-exceeded': {
    principal: string
    grant: string
    limit: number
    counted: 'commits' | 'entries' | 'branches' | 'speculations' | 'bytes'
  }
  'grant-limited': { principal: string; grant: string }
  'identity-claimed': { principal: string; claimed: string }
  'session-ended': { session: string }
  'approval-required': { proposal: string; branch: string; rule?: string; approvers?: readonly string[] }
  'rule-denied': { rule: string; branch: string; paths: readonly string[] }
  'rule-unreadable': { rule: string; reason: string }
  'rule-invalid': { field: string; reason: string }
  'rule-unknown': { rule: string }
  'rule-ratified': { rule: string; name: string }
  'rule-superseded': { rule: string; name: string }
  'rules-too-many': { limit: number }
  'self-ratified': { rule: string; principal: string }
  'proposal-unknown': { proposal: string }
  'proposal-decided': { proposal: string; status: 'approved' | 'rejected' }
  'proposal-lapsed': { proposal: string; branch: string }
  'proposal-impossible': { what: string; rule?: string }
  'self-approved': { proposal: string; principal: string }
  tainted: { taint: string; path: string; reason: string }
  quarantined: { taint: string; path: string }
  'taint-unknown': { taint: string }
  'taint-released': { taint: string; by: string }
  'taint-invalid': { field: string; reason: string }
  'self-released': { taint: string; principal: string }
  'approver-unnamed': { principal: string; approvers: readonly string[] }
}

export const accessError: ErrorMaker<AccessErrors> = errorsOf<AccessErrors>({
  'access-denied': ({ principal, capability, branch, path }) => [
    `${principal} may not ${capability}${path === undefined ? '' : ` at "${path}"`}${branch === undefined ? '' : ` on "${branch}"`}.`,
    'access(repo).explain(principal, ask) says which grant would be needed; nothing was changed.',
  ],
  'principal-unknown': ({ principal }) => [
    `There is no principal "${principal}" here.`,
    'access(repo).addPrincipal makes one, and gives its key.',
  ],
  'principal-frozen': ({ principal, reason }) => [
    `${principal} is frozen: ${reason}.`,
    'Nothing was changed. A principal with admin can thaw it.',
  ],
  'branch-frozen': ({ branch, reason }) => [
    `"${branch}" is frozen: ${reason}.`,
    'Nothing was changed. A principal with admin can thaw it.',
  ],
  'grant-expired': ({ principal, grant }) => [
    `The grant ${grant} under which ${principal} acted has expired.`,
    'Nothing was changed. Ask its giver for another one.',
  ],
  'grant-revoked': ({ principal, grant }) => [
    `The grant ${grant} under which ${principal} acted was revoked.`,
    'Nothing was changed. Ask its giver for another one.',
  ],
  'key-ended': ({ principal, key }) => [
    `The key ${key} of ${principal} is no longer valid.`,
    'Nothing was changed. Authenticate with another key.',
  ],
  'rate-exceeded': ({ principal, grant, limit, counted }) => [
    `${principal} made as many ${counted} as the grant ${grant} allows in a minute, or would with this: ${limit}.`,
    'Nothing was changed. Wait, or put several changes into one commit.',
  ],
  'grant-limited': ({ principal, grant }) => [
    `${principal} may not bring commits of another repository under the grant ${grant}: its limits do not count them.`,
    'Nothing was changed. Make the changes here, or use a grant without limits.',
  ],
  'identity-claimed': ({ principal, claimed }) => [
    `${principal} cannot write as "${claimed}".`,
    'Leave the agent out: who writes comes from the key or the session.',
  ],
  'session-ended': ({ session }) => [
    `The session ${session} has ended.`,
    'Nothing was changed. Open another to go on with the work.',
  ],
  'approval-required': ({ proposal, branch, rule, approvers }) => [
    `The change of "${branch}" needs an approval${rule === undefined ? '' : ` (${rule})`}: it was kept as proposal ${proposal}.`,
    `${approvers === undefined ? 'Another principal with the capability approve' : approvers.join(' or ')} can call access(repo).approve("${proposal}", reason).`,
  ],
  'rule-denied': ({ rule, branch, paths }) => [
    `The rule "${rule}" denies this change of "${branch}"${paths.length === 0 ? '' : `, at ${paths.join(', ')}`}.`,
    'Nothing was changed. access(repo).policies() shows the rule; another version of it has to be ratified to lift it.',
  ],
  'rule-unreadable': ({ rule, reason }) => [
    `The rule "${rule}" cannot be read, so nothing is allowed: ${reason}.`,
    'Nothing was changed. Propose and ratify a rule of the same name, which supersedes it.',
  ],
  'rule-invalid': ({ field, reason }) => [
    `This is no rule: ${field} ${reason}.`,
    'A rule has a name, an effect (allow, require-approval or deny) and a "when" with its selectors.',
  ],
  'rule-unknown': ({ rule }) => [`There is no rule ${rule} here.`, 'access(repo).policies() lists those there are.'],
  'rule-ratified': ({ rule, name }) => [
    `The rule ${rule} ("${name}") is ratified already.`,
    'To change it, propose a rule of the same name.',
  ],
  'rule-superseded': ({ rule, name }) => [
    `The rule ${rule} is superseded by a newer version of "${name}".`,
    'Propose it again if it should hold once more.',
  ],
  'rules-too-many': ({ limit }) => [
    `There are ${limit} rules already, which is as many as can be judged with each change.`,
    'Join rules that say the same of several places: a rule takes a list of patterns.',
  ],
  'self-ratified': ({ rule, principal }) => [
    `${principal} is behind the proposal of the rule ${rule}, and cannot be behind its ratification.`,
    'It takes the capability policy, and a chain of sessions and grants without a principal of the first chain.',
  ],
  'proposal-unknown': ({ proposal }) => [
    `There is no proposal "${proposal}" here.`,
    'access(repo).proposals() lists those there are.',
  ],
  'proposal-decided': ({ proposal, status }) => [
    `The proposal ${proposal} is ${status} already.`,
    status === 'approved' ? 'What it proposed has landed.' : 'Make the change again to propose it once more.',
  ],
  'proposal-lapsed': ({ proposal, branch }) => [
    `The proposal ${proposal} has lapsed: "${branch}" is no longer where it was made.`,
    'Make the change again, with another idempotency key if it had one: it becomes a proposal on the present head.',
  ],
  'proposal-impossible': ({ what, rule }) => [
    `${what} needs an approval${rule === undefined ? '' : ` (${rule})`}, and only commits can be proposed.`,
    'Nothing was changed. A merge without fastForward is a commit; other operations need a principal that may do them without an approval.',
  ],
  tainted: ({ taint, path, reason }) => [
    `"${path}" is tainted and cannot be changed: ${reason}.`,
    `Nothing was changed. A principal with release can call access(repo).release("${taint}", reason).`,
  ],
  quarantined: ({ taint, path }) => [
    `"${path}" is in quarantine and is not shown.`,
    `A principal with release can read it, and can call access(repo).release("${taint}", reason).`,
  ],
  'taint-unknown': ({ taint }) => [
    `There is no taint "${taint}" here.`,
    'access(repo).taints() lists those there are.',
  ],
  'taint-released': ({ taint, by }) => [
    `The taint ${taint} was released before, by ${by}.`,
    'It has no effect any more, so nothing is left to do.',
  ],
  'taint-invalid': ({ field, reason }) => [
    `This is no taint: ${field} ${reason}.`,
    'A taint has a path, an effect (block, review, isolate or warn) and a reason.',
  ],
  'self-released': ({ taint, principal }) => [
    `${principal} is behind what the taint ${taint} is on, and cannot be behind its release.`,
    'It takes the capability release, and a chain of sessions and grants without a principal of the first chain.',
  ],
  'self-approved': ({ proposal, principal }) => [
    `${principal} is behind the proposal ${proposal}, and cannot be behind its approval.`,
    'It takes the capability approve, and a chain of sessions and grants without a principal of the first chain.',
  ],
  'approver-unnamed': ({ principal, approvers }) => [
    `${principal} cannot approve this.`,
    approvers.length === 0
      ? 'Several rules require an approval, and no principal is an approver of all of them.'
      : `It takes ${approvers.join(' or ')}.`,
  ],
})
