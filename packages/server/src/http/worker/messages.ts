/** What a server and its worker thread tell each other. */
import type { Identity } from '../../host/identity.ts'
import type { Caller } from '../../host/store-host.ts'
import type { Blocks } from '../body/read-body.ts'
import type { AppLimits } from '../limits.ts'
import type { LogEntry } from '../log-line.ts'

/** What a thread is started with. */
export interface WorkerOrders {
  /** The store's file. */
  readonly store: string
  /** The name of the operator. */
  readonly agent: string | undefined
  /** The digest of the server's own token. */
  readonly token: Uint8Array | undefined
  readonly limits: Partial<AppLimits> | undefined
  /** What the mounts gave for it. */
  readonly mounts: readonly unknown[]
}

/** A request whose caller is known. */
export interface ForwardedRequest {
  readonly url: string
  readonly method: string
  readonly headers: [string, string][]
  readonly body: Blocks | undefined
  readonly caller: Caller
  readonly identity: Identity
}

export type ToWorker =
  | { readonly kind: 'request'; readonly id: number; readonly request: ForwardedRequest }
  | { readonly kind: 'close' }

export type FromWorker =
  | {
      readonly kind: 'response'
      readonly id: number
      readonly status: number
      readonly headers: Record<string, string>
      /** A stream for lines, which come as they are made. */
      readonly body: ArrayBuffer | ReadableStream<Uint8Array> | null
    }
  | { readonly kind: 'log'; readonly entry: LogEntry }
