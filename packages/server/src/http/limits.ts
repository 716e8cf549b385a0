/** The limits of a server, with their defaults. It imports no code of the server, so that help can show the defaults. */
import { type CallLimits, defaultCallLimits } from '../host/call-limits.ts'

/** Limits of requests. */
export interface AppLimits extends CallLimits {
  /** Reads and writes per second of one principal; those of ten seconds may come at once. */
  readonly readsPerSecond: number
  readonly writesPerSecond: number
  /** Failed authentications per minute of one peer address. */
  readonly failuresPerMinute: number
  /** Requests under way: of one principal, and of all. */
  readonly requests: number
  readonly totalRequests: number
  /** Open streams of events, which are not counted as requests: of one principal, and of all. */
  readonly streams: number
  readonly totalStreams: number
  readonly bodyBytes: number
  readonly bodyTimeoutMs: number
  /** How long a stream waits for a client that does not read. */
  readonly stallTimeoutMs: number
}

/** Limits of requests and of connections. */
export interface ServeLimits extends AppLimits {
  readonly connections: number
  readonly headersTimeoutMs: number
  /** How long active requests may take at shutdown. */
  readonly stopTimeoutMs: number
}

export const defaultAppLimits: AppLimits = {
  ...defaultCallLimits,
  readsPerSecond: 1000,
  writesPerSecond: 200,
  failuresPerMinute: 20,
  requests: 32,
  totalRequests: 256,
  streams: 512,
  totalStreams: 768,
  bodyBytes: 4 * 2 ** 20,
  bodyTimeoutMs: 30_000,
  stallTimeoutMs: 30_000,
}

export const defaultServeLimits: ServeLimits = {
  ...defaultAppLimits,
  connections: 1024,
  headersTimeoutMs: 10_000,
  stopTimeoutMs: 10_000,
}
