/** After a failure, the command that most likely helps. */

import type { Fault } from '../../wire/faults/fault.ts'
import { isRecord } from '../../wire/wired.ts'
import { firstWrite, shellWord } from '../terminal/command-text.ts'
import type { CommandEntry } from './command-entry.ts'

/** By error code, the operation whose command helps next. */
export const helpfulOperations: Readonly<Record<string, string>> = {
  'path-not-found': 'list_paths',
  'path-blocked': 'list_paths',
  'index-out-of-range': 'list_paths',
  'ref-not-found': 'list_branches',
  'ref-exists': 'list_branches',
  'ref-protected': 'list_branches',
  'revision-ambiguous': 'log',
  'entry-not-found': 'log',
  'pack-dropped': 'log',
  'nothing-to-undo': 'log',
  'precondition-failed': 'log',
  'merge-conflict': 'preview_merge',
  'refs-diverged': 'commit_graph',
  'histories-unrelated': 'commit_graph',
  'speculation-gone': 'list_specs',
  'epoch-not-found': 'list_epochs',
  'epoch-exists': 'list_epochs',
  'epoch-sealed': 'list_epochs',
  'epoch-open': 'list_epochs',
  'plan-not-found': 'list_plans',
  'plan-exists': 'list_plans',
  'task-not-found': 'list_tasks',
  'task-taken': 'list_tasks',
  'task-blocked': 'list_tasks',
  'thread-not-found': 'list_threads',
  'namespace-not-found': 'list_namespaces',
  'namespace-exists': 'list_namespaces',
  'schema-not-found': 'list_schemas',
  'schema-violation': 'list_schemas',
  'access-denied': 'explain',
  'principal-unknown': 'list_principals',
  'principal-exists': 'list_principals',
  'key-unknown': 'list_keys',
  'grant-unknown': 'list_grants',
  'session-unknown': 'sessions',
  'session-busy': 'sessions',
  'intent-unknown': 'list_intents',
  'rule-denied': 'policy_list',
  'rule-unknown': 'policy_list',
  'approval-required': 'list_proposals',
  'proposal-unknown': 'list_proposals',
  tainted: 'list_taints',
  'taint-unknown': 'list_taints',
  'object-corrupt': 'verify',
  'derived-corrupt': 'repair',
  'store-damaged': 'verify',
}

/** The command that failed: its words, its positional fields, and the arguments typed for them. */
export interface Called {
  readonly words: readonly string[]
  readonly places: readonly string[]
  readonly typed: readonly string[]
}

/** The value of a field for the next command, from the arguments typed or from the fault. */
function findField(name: string, { data }: Fault, called: Called | undefined): string | undefined {
  const typed = called?.typed[called.places.indexOf(name)]
  const told = typeof data === 'object' && data !== null ? Object.entries(data).find(([key]) => key === name)?.[1] : ''
  return typed ?? (typeof told === 'string' && told !== '' ? told : undefined)
}

/** The command line after `asg`, or undefined when the hint is all there is. */
export function findNextCommand(
  fault: Fault,
  called: Called | undefined,
  entries: readonly CommandEntry[],
): string | undefined {
  const { code, kind, data } = fault
  if (code === 'ref-not-found' && isRecord(data) && Array.isArray(data['known']) && data['known'].length === 0) {
    return firstWrite
  }
  if (code === 'ref-not-found' && isRecord(data) && data['at'] !== undefined)
    return `log ${shellWord(String(data['ref']))} --order oldest -n 1`
  if (code === 'undo-elsewhere' && isRecord(data)) return undoThere(data)
  const helpful = entries.find(({ name }) => name === helpfulOperations[code])
  if (helpful !== undefined) {
    const isNeeded = (place: string) => helpful.fields.some(({ name, required }) => name === place && required)
    const places = helpful.places.filter(isNeeded).map(name => {
      const known = findField(name, fault, called)
      return known === undefined ? `<${name}>` : shellWord(known)
    })
    return [...helpful.words, ...places].join(' ')
  }
  if (code === 'store-not-found') return 'init'
  if (kind === 'usage') return [...(called?.words ?? []), '--help'].join(' ')
  if (kind === 'unavailable' || kind === 'internal') return 'doctor'
  return undefined
}

/** The same undo, on the branch or tag that it changes. */
function undoThere({ entry, refs }: Readonly<Record<string, unknown>>): string {
  const [first] = refs as readonly { readonly name: string }[]
  return `undo ${String(entry)} --ref ${shellWord(first?.name ?? '')}`
}
