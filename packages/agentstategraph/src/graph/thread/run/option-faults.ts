/** Checks the options of a run. Unknown names are refused, because a misspelt limit would silently be no limit. */

import { didYouMean, unknownNames } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { EventKind } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'
import type { ThreadRunOptions } from '../state/public-types.ts'

const eventKinds: readonly EventKind[] = ['values', 'updates', 'tasks', 'messages', 'custom', 'debug']

export type RunOptionName = keyof ThreadRunOptions<GraphTypes>

interface Rule {
  readonly what: string
  fits(given: unknown): boolean
}

/** By name, the rule for the value of an option; undefined when it takes any value. */
const takes: Readonly<Record<RunOptionName, Rule | undefined>> = {
  context: undefined,
  signal: undefined,
  maxSteps: { what: 'a number of 1 or more', fits: isCount },
  maxConcurrency: { what: 'a number of 1 or more', fits: isCount },
  durability: oneOf(['sync', 'exit']),
  events: {
    what: `a list of ${eventKinds.join(', ')}`,
    fits: given => Array.isArray(given) && given.every(kind => eventKinds.includes(kind)),
  },
  after: {
    what: 'the sequence number of an event',
    fits: given => typeof given === 'number' && Number.isSafeInteger(given) && given >= 0,
  },
  whenBusy: oneOf(['reject', 'queue', 'merge']),
}

export const syncOptionNames: readonly RunOptionName[] = ['context', 'maxSteps']
export const threadRunOptionNames: readonly RunOptionName[] = Object.keys(takes) as RunOptionName[]
export const runOptionNames: readonly RunOptionName[] = threadRunOptionNames.filter(name => name !== 'whenBusy')

/** Throws `run-options-invalid` with every fault; `known` are the options that the call takes. */
export function checkRunOptions(options: object, known: readonly RunOptionName[]): void {
  const unknown = unknownNames(options, known)
  const faults = Object.entries(options).flatMap(([name, given]) => {
    if (unknown.includes(name)) return [`There is no option '${name}'.${didYouMean(name, known)}`]
    const rule = takes[name as RunOptionName]
    if (given === undefined || rule === undefined || rule.fits(given)) return []
    return [`${name} is ${shown(given)}, and has to be ${rule.what}.`]
  })
  if (faults.length > 0) throw graphError('run-options-invalid', { faults, known })
}

function oneOf(words: readonly string[]): Rule {
  return {
    what: words.map(word => `'${word}'`).join(' or '),
    fits: given => typeof given === 'string' && words.includes(given),
  }
}

/** Infinity is allowed: it means no limit. */
function isCount(given: unknown): boolean {
  return typeof given === 'number' && given >= 1
}

function shown(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given)
  if (Array.isArray(given)) return `[${given.map(shown).join(', ')}]`
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}
