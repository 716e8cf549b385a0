/** The options of the HTTP app, with their defaults. */
import { setMaxListeners } from 'node:events'
import { packageVersion } from '../host/package-file.ts'
import type { Caller } from '../host/store-host.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import type { GateOptions } from './gate.ts'
import { type AppLimits, defaultAppLimits } from './limits.ts'
import type { Log } from './log-line.ts'

/** Another handler under a path, for authenticated callers. */
export interface Mount {
  readonly path: string
  fetch(request: Request, caller: Caller): Promise<Response>
  /** Whether the response to a request is a stream of events without end, which counts as a stream and not as a request. */
  opensStream?(request: Pick<Request, 'method' | 'url'> & { readonly headers: Pick<Headers, 'get'> }): boolean
  /** Absent when all requests have to be answered in the server's own thread. */
  readonly inWorker?: MountInWorker | undefined
  /** Called at shutdown: ends the streams, and lets active requests get their response. */
  close?(): Promise<void>
}

/** How the worker thread answers what has a large body. */
export interface MountInWorker {
  /** What the thread makes the same handler of. */
  readonly orders: unknown
  /** Whether it can answer a request with this body. */
  canAnswer(body: Uint8Array): boolean
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

type Settled = Omit<AppOptions, 'limits' | 'mode' | 'hosts' | 'origins'>

export type AppSettings = { readonly [K in keyof Settled]-?: Exclude<Settled[K], undefined> } & {
  readonly limits: AppLimits
  readonly mode: Caller['mode']
}

/** The agent of callers without authentication. */
export const unauthenticatedAgent = 'local/unauthenticated'

const HEARTBEAT_MS = 15_000

export function settingsOf(options: AppOptions): AppSettings {
  const ending = options.ending ?? new AbortController().signal
  // Each stream listens to it.
  setMaxListeners(0, ending)
  return {
    authentication: options.authentication ?? 'key',
    mode: options.mode,
    limits: { ...defaultAppLimits, ...options.limits },
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    mounts: options.mounts ?? [],
    log: options.log ?? (() => {}),
    ending,
    version: options.version ?? packageVersion(),
    now: options.now ?? (() => performance.now()),
    operations: options.operations ?? operations,
  }
}
