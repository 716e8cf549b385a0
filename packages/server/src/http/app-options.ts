/** The options of the HTTP app, with their defaults. */
import { createRequire } from 'node:module'
import type { Caller } from '../host/store-host.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import type { GateOptions } from './gate.ts'
import type { Log } from './log-line.ts'
import type { Rate } from './rate.ts'
import type { BodyLimits } from './read-body.ts'

/** Another handler under a path, for authenticated callers. */
export interface Mount {
  readonly path: string
  fetch(request: Request, caller: Caller): Promise<Response>
}

export interface AppLimits extends BodyLimits {
  /** Concurrent requests: of one principal, and of all. */
  readonly atOnceEach: number
  readonly atOnce: number
  readonly reads: Rate
  readonly writes: Rate
  /** Failed authentications of one peer address. */
  readonly failures: Rate
}

/** Options of `makeApp`. */
export interface AppOptions extends GateOptions {
  /** `none` admits every caller that reaches the server, under an agent name that says so: only for the loopback. */
  readonly authentication?: 'key' | 'none' | undefined
  readonly mode?: Caller['mode']
  readonly limits?: Partial<AppLimits> | undefined
  readonly heartbeatMs?: number | undefined
  readonly mounts?: readonly Mount[] | undefined
  readonly log?: Log | undefined
  /** Aborts at shutdown: streams end and new requests are refused. */
  readonly ending?: AbortSignal | undefined
  readonly version?: string | undefined
  /** A monotonic clock in milliseconds, for rates and durations. */
  readonly now?: (() => number) | undefined
  readonly operations?: readonly Operation[] | undefined
}

const MIB = 2 ** 20

const { version: packageVersion } = createRequire(import.meta.url)('../../package.json') as { readonly version: string }

export const defaultAppLimits: AppLimits = {
  bodyBytes: 4 * MIB,
  bodyTimeoutMs: 30_000,
  atOnceEach: 32,
  atOnce: 256,
  reads: { perMinute: 60_000, burst: 6_000 },
  writes: { perMinute: 12_000, burst: 2_000 },
  failures: { perMinute: 20, burst: 20 },
}

type Settled = Omit<AppOptions, 'limits' | 'mode' | 'hosts' | 'origins'>

export type AppSettings = { readonly [K in keyof Settled]-?: Exclude<Settled[K], undefined> } & {
  readonly limits: AppLimits
  readonly mode: Caller['mode']
}

/** The agent of callers without authentication. */
export const unauthenticatedAgent = 'local/unauthenticated'

const HEARTBEAT_MS = 15_000

export function settingsOf(options: AppOptions): AppSettings {
  return {
    authentication: options.authentication ?? 'key',
    mode: options.mode,
    limits: { ...defaultAppLimits, ...options.limits },
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    mounts: options.mounts ?? [],
    log: options.log ?? (() => {}),
    ending: options.ending ?? new AbortController().signal,
    version: options.version ?? packageVersion,
    now: options.now ?? (() => performance.now()),
    operations: options.operations ?? operations,
  }
}
