/** The flags of `asg serve` that set the limits of the server. */
import { defaultServeLimits, type ServeLimits } from '../../http/limits.ts'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import type { BuiltinCall, BuiltinOption } from './builtin-command.ts'

type Kind = 'number' | 'size' | 'time'

interface LimitFlag {
  readonly flag: string
  readonly kind: Kind
  readonly about: string
}

const flags: { readonly [K in keyof ServeLimits]: LimitFlag } = {
  readsPerSecond: { flag: 'reads', kind: 'number', about: 'Reads per second of one principal, on average' },
  writesPerSecond: { flag: 'writes', kind: 'number', about: 'Writes per second of one principal, on average' },
  failuresPerMinute: { flag: 'failures', kind: 'number', about: 'Wrong keys per minute from one address' },
  requests: { flag: 'requests', kind: 'number', about: 'Requests of one principal at once' },
  totalRequests: { flag: 'total-requests', kind: 'number', about: 'Requests of all at once' },
  streams: { flag: 'streams', kind: 'number', about: 'Open streams of one principal, which do not count as requests' },
  totalStreams: { flag: 'total-streams', kind: 'number', about: 'Open streams of all' },
  connections: { flag: 'connections', kind: 'number', about: 'Open connections' },
  workMs: { flag: 'work', kind: 'time', about: 'How long the work of one request may take, without waiting' },
  maintenanceMs: { flag: 'maintenance', kind: 'time', about: 'The same for verify, gc, export, import and the like' },
  answerBytes: { flag: 'answer', kind: 'size', about: 'The largest answer to a request that reads' },
  bodyBytes: { flag: 'body', kind: 'size', about: 'The largest body of a request' },
  headersTimeoutMs: { flag: 'headers-timeout', kind: 'time', about: 'How long the headers of a request may take' },
  bodyTimeoutMs: { flag: 'body-timeout', kind: 'time', about: 'How long the body of a request may take' },
  stallTimeoutMs: {
    flag: 'stall-timeout',
    kind: 'time',
    about: 'How long a stream waits for a client that does not read',
  },
  stopTimeoutMs: {
    flag: 'stop-timeout',
    kind: 'time',
    about: 'How long active requests may take when the server stops',
  },
}

/** The units of a kind, the largest first. */
const units: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  number: { '': 1 },
  size: { gb: 2 ** 30, mb: 2 ** 20, kb: 2 ** 10, b: 1 },
  time: { m: 60_000, s: 1000, ms: 1 },
}

const examples: Readonly<Record<Kind, string>> = { number: '100', size: '64mb', time: '30s' }

export const limitOptions: readonly BuiltinOption[] = Object.entries(flags).map(([limit, { flag, kind, about }]) => ({
  flags: `--${flag} <${kind}>`,
  about: `${about} (default: ${textOf(kind, defaultServeLimits[limit as keyof ServeLimits])})`,
}))

/** The limits that were given. */
export function limitsIn(options: BuiltinCall['options']): Partial<ServeLimits> {
  const given = Object.entries(flags).flatMap(([limit, flag]) => {
    const text = options[optionName(flag)]
    return text === undefined ? [] : [[limit, numberIn(flag, String(text))]]
  })
  return Object.fromEntries(given)
}

function optionName({ flag }: LimitFlag): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

function numberIn({ flag, kind }: LimitFlag, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([a-z]*)$/.exec(text.toLowerCase()) ?? []
  const factor = digits === undefined || !Object.hasOwn(units[kind], unit) ? Number.NaN : units[kind][unit]!
  const number = Number(digits) * factor
  if (number >= 1) return number
  throw usageRefusal(`--${flag} has to be a ${kind} such as ${examples[kind]}, not ${JSON.stringify(text)}`)
}

function textOf(kind: Kind, number: number): string {
  const [unit, factor] = Object.entries(units[kind]).find(([, size]) => number % size === 0)!
  return `${number / factor}${unit}`
}
