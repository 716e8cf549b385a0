/** Errors of decisions about access. The refusals of the gate are in `repo/records/access-errors.ts`. */

import { type ErrorMaker, errorsOf } from '../core/index.ts'
import type { IntentStatus } from '../repo/index.ts'
import type {} from '../repository/errors.ts'

/** What each error code of access decisions carries. */
export interface AccessFaults {
  'principal-invalid': { readonly principal: string; readonly reason: string }
  'principal-exists': { readonly principal: string }
  'key-refused': Record<string, never>
  'key-foreign': { readonly principal: string; readonly by: string }
  'key-unknown': { readonly key: string }
  'key-over': { readonly key: string }
  'capability-unknown': { readonly capability: string; readonly known: readonly string[] }
  'capabilities-missing': { readonly to: string }
  'time-invalid': { readonly field: string; readonly given: string; readonly reason: string }
  'depth-invalid': { readonly depth: unknown; readonly most: number }
  'limit-invalid': { readonly limit: string; readonly given: unknown }
  'grant-to-self': { readonly principal: string }
  'grant-circular': { readonly to: string; readonly grant: string }
  'grant-widened': { readonly what: string; readonly grant: string; readonly reason: string }
  'grant-unknown': { readonly grant: string }
  'grant-over': { readonly grant: string; readonly by: string }
  'target-invalid': { readonly reason: string }
  'frozen-already': { readonly target: string; readonly reason: string }
  'not-frozen': { readonly target: string }
  'session-unknown': { readonly session: string }
  'session-foreign': { readonly session: string; readonly agent: string }
  'session-busy': { readonly session: string; readonly children: readonly string[] }
  'sessions-many': { readonly agent: string; readonly limit: number }
  'intent-unknown': { readonly intent: string }
  'intent-exists': { readonly intent: string }
  'intent-transition': {
    readonly intent: string
    readonly status: IntentStatus
    readonly action: string
    readonly to: IntentStatus
  }
  'self-authorized': { readonly intent: string; readonly principal: string }
}

declare module '../repository/errors.ts' {
  interface StateErrorData extends AccessFaults {}
}

/** Makes the errors of this layer. */
export const accessFault: ErrorMaker<AccessFaults> = errorsOf<AccessFaults>({
  'principal-invalid': ({ principal, reason }) => [
    `${JSON.stringify(principal)} cannot be a principal: ${reason}.`,
    'An id is like agent/scaler or human/nerida; its kind is human, agent or service.',
  ],
  'principal-exists': ({ principal }) => [
    `The principal "${principal}" exists already.`,
    'addKey adds another key for it.',
  ],
  'key-refused': () => ['The key is not accepted.', 'A principal with admin can list the keys with keys().'],
  'key-foreign': ({ principal, by }) => [
    `${by} cannot make a key for "${principal}".`,
    'The operator can, and the principal itself, outside its sessions.',
  ],
  'key-unknown': ({ key }) => [`There is no key ${key} here.`, 'keys() lists the ids of all keys.'],
  'key-over': ({ key }) => [
    `The key ${key} is already revoked.`,
    'It opens nothing any more, so nothing is left to do.',
  ],
  'capability-unknown': ({ capability, known }) => [
    `${JSON.stringify(capability)} is no capability.`,
    `There are ${known.join(', ')}; none implies another.`,
  ],
  'capabilities-missing': ({ to }) => [
    `A grant to "${to}" has to name at least one capability.`,
    'Name what it may do, such as read and commit.',
  ],
  'time-invalid': ({ field, given, reason }) => [
    `${field} cannot be ${given}: ${reason}.`,
    'Give a Date, or a text such as 2026-04-11T09:30:00Z.',
  ],
  'depth-invalid': ({ depth, most }) => [
    `A depth of ${String(depth)} is not possible.`,
    `It is how many times a grant may be delegated: a whole number from 0 to ${most}.`,
  ],
  'limit-invalid': ({ limit, given }) => [
    `The limit ${limit} cannot be ${String(given)}.`,
    'A limit is a whole number of at least 1: commits, entries, branches, speculations or bytes per minute, or bytesPerCommit.',
  ],
  'grant-to-self': ({ principal }) => [
    `"${principal}" cannot give a grant to itself.`,
    'Another principal that holds these rights has to give them.',
  ],
  'grant-circular': ({ to, grant }) => [
    `"${to}" is a giver in the chain of grant ${grant}, and cannot get this grant.`,
    'Give it to another principal.',
  ],
  'grant-widened': ({ what, grant, reason }) => [
    `A delegated grant can only be narrower, but its ${what} would be wider: ${reason}.`,
    `It would be delegated from grant ${grant}. Ask for less, or ask the operator.`,
  ],
  'grant-unknown': ({ grant }) => [`There is no grant ${grant} here.`, 'grants() lists those that you can see.'],
  'grant-over': ({ grant, by }) => [
    `The grant ${grant} was already revoked, by ${by}.`,
    'It allows nothing any more, so nothing is left to do.',
  ],
  'target-invalid': ({ reason }) => [
    `This cannot be frozen or thawed: ${reason}.`,
    'Name one thing: { principal } or { branch }.',
  ],
  'frozen-already': ({ target, reason }) => [
    `"${target}" is frozen already: ${reason}.`,
    'Nothing is left to do, until somebody thaws it.',
  ],
  'not-frozen': ({ target }) => [`"${target}" is not frozen.`, 'Nothing is left to do.'],
  'session-unknown': ({ session }) => [
    `There is no session ${session} of yours.`,
    'sessions() lists those that you opened or work in.',
  ],
  'session-foreign': ({ session, agent }) => [
    `The session ${session} belongs to ${agent}, and you cannot act as ${agent}.`,
    `${agent} can resume it with resumeSession("${session}").`,
  ],
  'session-busy': ({ session, children }) => [
    `The session ${session} cannot end while sessions that were opened from it are open: ${children.join(', ')}`,
    'End those first.',
  ],
  'sessions-many': ({ agent, limit }) => [
    `${agent} has ${limit} open sessions, and cannot have more.`,
    'End those that are done.',
  ],
  'intent-unknown': ({ intent }) => [
    `No intent "${intent}" was proposed or delegated here.`,
    'Give the id of one that was, or propose it first.',
  ],
  'intent-exists': ({ intent }) => [
    `There is an intent "${intent}" already.`,
    'Choose another id, or leave it out to get a new one.',
  ],
  'intent-transition': ({ intent, status, action, to }) => [
    `The intent "${intent}" is ${status}: it cannot become ${to} (${action}).`,
    'The order is proposed, authorized, in-progress, and then completed, failed or blocked.',
  ],
  'self-authorized': ({ intent, principal }) => [
    `${principal} is behind the proposal of the intent "${intent}", and cannot be behind its authorisation.`,
    'It takes the capability approve, and a chain of sessions and grants without a principal of the first chain.',
  ],
})
