/** The flags of `asg serve` that set the limits of the server. */
import { callLimitNames, type LimitName, limitIn, limitText } from '../../host/limit-text.ts'
import { defaultServeLimits, type ServeLimits } from '../../http/limits.ts'
import type { BuiltinCall, BuiltinOption } from './builtin-command.ts'

interface LimitFlag extends LimitName {
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
  workMs: { ...callLimitNames.workMs, about: 'How long the work of one request may take, without waiting' },
  maintenanceMs: { ...callLimitNames.maintenanceMs, about: 'The same for verify, gc, export, import and the like' },
  answerBytes: { ...callLimitNames.answerBytes, about: 'The largest answer to a request that reads' },
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

export const limitOptions: readonly BuiltinOption[] = Object.entries(flags).map(([limit, { flag, kind, about }]) => ({
  flags: `--${flag} <${kind}>`,
  about: `${about} (default: ${limitText(kind, defaultServeLimits[limit as keyof ServeLimits])})`,
}))

/** The limits that were given. */
export function limitsIn(options: BuiltinCall['options']): Partial<ServeLimits> {
  const given = Object.entries(flags).flatMap(([limit, flag]) => {
    const text = options[optionName(flag)]
    return text === undefined ? [] : [[limit, limitIn(flag, String(text))]]
  })
  return Object.fromEntries(given)
}

function optionName({ flag }: LimitFlag): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
