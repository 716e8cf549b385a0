/** The errors of an agent's memory. */

import { type ErrorMaker, errorsOf, type Refusal, type SchemaIssue } from '../core/index.ts'
import type {} from '../repository/errors.ts'

/** A value in memory that cannot be stored: its agent, its key and its path. */
export interface MemoryRefusal extends Refusal {
  readonly agent: string
  readonly key: string
}

/** What each error code of memory carries. */
export interface MemoryErrors {
  'agent-name-invalid': { readonly what: 'agent' | 'task'; readonly name: string; readonly reason: string }
  'checkpoint-refused': {
    readonly refused: readonly MemoryRefusal[]
    /** The states that hold them, by agent, so that they can be corrected. */
    readonly states: Readonly<Record<string, object>>
  }
  'memory-schema-mismatch': {
    readonly agent: string
    readonly when: 'loading' | 'checkpoint'
    readonly issues: readonly SchemaIssue[]
  }
  'memory-schema-async': { readonly agent: string }
  'checkout-read-only': { readonly path: string; readonly commit: string }
  'state-over': { readonly agent: string; readonly key: string; readonly reason: 'task' | 'rollback' | 'closed' }
  'memory-foreign': { readonly source: string }
  'update-missing': { readonly agent: string; readonly key: string }
}

declare module '../repository/errors.ts' {
  interface StateErrorData extends MemoryErrors {}
}

const over = {
  task: ['its task has ended', 'Await everything inside the task. What the memory holds now is given by of(agent).'],
  rollback: ['the memory was rolled back', 'Ask for it again with of(agent).'],
  closed: ['the memory is closed', 'Open it again.'],
} as const

export const memoryError: ErrorMaker<MemoryErrors> = errorsOf<MemoryErrors>({
  'agent-name-invalid': ({ what, name, reason }) => [
    `${JSON.stringify(name)} is not a name for an ${what === 'agent' ? 'agent' : 'agent task'}: ${reason}.`,
    what === 'agent' ? 'Use a word, such as analyst: the memory is kept under it.' : 'Use a word, such as summarize.',
  ],
  'checkpoint-refused': ({ refused }) => [
    `The memory cannot be stored: ${refused.map(shown).join('; ')}`,
    'Nothing was written and nothing is lost: change these places and call checkpoint, or make the keys transient.',
  ],
  'memory-schema-mismatch': ({ agent, when, issues }) => [
    `${when === 'loading' ? 'What is stored for' : 'The new state of'} ${agent} does not match its schema: ${issues.map(issueText).join('; ')}`,
    when === 'loading'
      ? 'Nothing was changed. Give new keys a default, or repair the stored values with memory.repo.'
      : 'Nothing was written and nothing is lost: change these keys and call checkpoint.',
  ],
  'memory-schema-async': ({ agent }) => [
    `The schema of ${agent} is asynchronous, and this call is synchronous.`,
    'Use a synchronous schema, or call a task.',
  ],
  'checkout-read-only': ({ path, commit }) => [
    `${path} cannot be changed: it is the memory as it was at ${commit.slice(0, 12)}.`,
    'To go back use memory.rollback; to try something else from there use memory.fork.',
  ],
  'state-over': ({ agent, key, reason }) => [
    `"${key}" of ${agent} cannot be changed through this object: ${over[reason][0]}.`,
    over[reason][1],
  ],
  'memory-foreign': ({ source }) => [
    `"${source}" is the branch of another repository.`,
    'Only branches of one repository can be merged: fork the memory, or pull the other repository first.',
  ],
  'update-missing': ({ agent, key }) => [
    `There is no "${key}" in the memory of ${agent} to update.`,
    'Assign it first, or give it an initial value.',
  ],
})

function shown({ path, type, remedy }: MemoryRefusal): string {
  return `${path} is ${type} (${remedy})`
}

function issueText({ path, message }: SchemaIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
