/** Limits as a person gives them to a command: `30s`, `64mb`. */
import { usageRefusal } from '../wire/faults/refusal.ts'
import type { CallLimits } from './call-limits.ts'

export type LimitKind = 'number' | 'size' | 'time'

export interface LimitName {
  /** Without its dashes. */
  readonly flag: string
  readonly kind: LimitKind
}

/** The flags of what one call may cost, which every server has. */
export const callLimitNames: { readonly [K in keyof CallLimits]: LimitName } = {
  workMs: { flag: 'work', kind: 'time' },
  maintenanceMs: { flag: 'maintenance', kind: 'time' },
  answerBytes: { flag: 'answer', kind: 'size' },
}

/** The units of a kind, the largest first. */
const units: Readonly<Record<LimitKind, Readonly<Record<string, number>>>> = {
  number: { '': 1 },
  size: { gb: 2 ** 30, mb: 2 ** 20, kb: 2 ** 10, b: 1 },
  time: { m: 60_000, s: 1000, ms: 1 },
}

const examples: Readonly<Record<LimitKind, string>> = { number: '100', size: '64mb', time: '30s' }

/** The number that a text gives; a text that gives none is refused. */
export function limitIn({ flag, kind }: LimitName, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([a-z]*)$/.exec(text.toLowerCase()) ?? []
  const factor = digits === undefined || !Object.hasOwn(units[kind], unit) ? Number.NaN : units[kind][unit]!
  const number = Number(digits) * factor
  if (number >= 1) return number
  throw usageRefusal(`--${flag} has to be a ${kind} such as ${examples[kind]}, not ${JSON.stringify(text)}`)
}

export function limitText(kind: LimitKind, number: number): string {
  const [unit, factor] = Object.entries(units[kind]).find(([, size]) => number % size === 0)!
  return `${number / factor}${unit}`
}
