/**
 * What a person types, as the operation takes it: the current branch where none is named, revisions relative to it, and moments
 * in words.
 */
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { type CommandEntry, optionName } from './command-entry.ts'
import { type Direction, findMoment, momentHints } from './moment-text.ts'
import { isRevisionField, readRevision } from './revision-text.ts'

type Input = Readonly<Record<string, unknown>>

const MAIN = 'main'

/** What a person gets without asking for it. */
const peopleDefaults: Readonly<Record<string, Input>> = { blame: { chain: true }, get_commit: { changes: true } }

export interface PeopleInput {
  readonly input: Input
  /** Whether the current branch is in it without having been typed. */
  readonly usesBranch: boolean
}

export interface PeopleCall {
  readonly entry: CommandEntry
  readonly typed: Input
  /** The current branch; undefined for main. */
  readonly branch: string | undefined
  readonly now: Date
  readonly json: boolean
}

export function peopleInput({ entry, typed: words, branch, now, json }: PeopleCall): PeopleInput {
  const typed = countTyped(entry, words)
  const here = branch ?? MAIN
  const defaulted = entry.fields.filter(({ name, default: preset }) => preset === MAIN && typed[name] === undefined)
  const filled = branch === undefined ? [] : defaulted.map(({ name }) => [name, branch] as const)
  const read = Object.entries(typed).map(([name, value]) => [name, fieldValue(entry, name, value, here, now)] as const)
  // An undo changes no branch that the person does not see.
  const guarded = entry.name === 'undo' && typed['ref'] === undefined ? { ref: here } : {}
  const input = { ...(json ? {} : peopleDefaults[entry.name]), ...guarded, ...Object.fromEntries([...read, ...filled]) }
  return { input, usesBranch: defaulted.length > 0 || 'ref' in guarded }
}

/** `asg log -5`: commander takes it for an argument, because no option is a number. */
function countTyped({ fields, places }: CommandEntry, typed: Input): Input {
  const place = places.find(name => typeof typed[name] === 'string' && /^-\d+$/.test(typed[name]))
  if (place === undefined || !fields.some(({ name }) => name === 'limit')) return typed
  const { [place]: count, ...others } = typed
  return { ...others, limit: -Number(count) }
}

function fieldValue(entry: CommandEntry, name: string, value: unknown, branch: string, now: Date): unknown {
  if (typeof value !== 'string') return value
  const toward: Direction = name === 'expires' ? 'future' : 'past'
  // `@{yesterday}` is what people know from revisions.
  const moment = findMoment(value.replace(/^@\{(.*)\}$/, '$1'), now, toward)?.toISOString()
  if (entry.fields.some(field => field.name === name && field.kind === 'moment')) {
    if (moment === undefined) {
      throw usageRefusal(`--${optionName(name)} has to be a moment, not ${JSON.stringify(value)}`, momentHints[toward])
    }
    return moment
  }
  if (entry.name === 'create_epoch' && name === 'since' && moment !== undefined) return moment
  return isRevisionField(entry.name, name) ? readRevision(value, branch, now) : value
}
