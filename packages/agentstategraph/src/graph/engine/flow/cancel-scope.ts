/**
 * Cancellation of a run, of a member of a fork group, and of one attempt of a node.
 *
 * Cancel scopes form a tree: ending one ends all below it. Each makes its own `AbortSignal` when the signal is first read,
 * so a thousand tasks add no listeners to one signal. What an attempt does after its scope has ended can be refused.
 */

import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Flow } from './flow.ts'

type Listener = (reason: unknown) => void

export class CancelScope {
  readonly #parent: CancelScope | undefined
  #children: Set<CancelScope> | undefined
  #listeners: Set<Listener> | undefined
  #controller: AbortController | undefined
  #ended: { readonly reason: unknown } | undefined

  constructor(parent?: CancelScope) {
    this.#parent = parent
  }

  /** The reason for the end; undefined while the scope is open. */
  get ended(): { readonly reason: unknown } | undefined {
    return this.#ended
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason)
    }
    return this.#controller.signal
  }

  /** A scope that ends with this one, or earlier. */
  child(): CancelScope {
    const child = new CancelScope(this)
    if (this.#ended !== undefined) child.end(this.#ended.reason)
    else {
      this.#children ??= new Set()
      this.#children.add(child)
    }
    return child
  }

  /** Ends the scope and all below it. A second call changes nothing. */
  end(reason: unknown): void {
    if (this.#ended !== undefined) return
    this.#ended = { reason }
    this.#leave()
    this.#controller?.abort(reason)
    for (const child of this.#children ?? []) child.end(reason)
    for (const listener of this.#listeners ?? []) listener(reason)
    this.#listeners = undefined
  }

  /** Ends the scope after its work is done: no signal aborts and no listener is called. */
  close(): void {
    this.#ended ??= { reason: undefined }
    this.#leave()
    this.#listeners = undefined
  }

  /** Calls the listener when the scope ends, at once if it has ended. */
  onEnd(listener: Listener): void {
    if (this.#ended !== undefined) listener(this.#ended.reason)
    else {
      this.#listeners ??= new Set()
      this.#listeners.add(listener)
    }
  }

  #leave(): void {
    if (this.#parent !== undefined) this.#parent.#children?.delete(this)
  }

  offEnd(listener: Listener): void {
    this.#listeners?.delete(listener)
  }
}

/** Waits for a value, and throws the reason of the cancel scope when that ends first. */
export function* within<T>(cancelScope: CancelScope, value: MaybePromise<T>): Flow<T> {
  if (!isPromise(value)) return value
  return (yield new Promise((resolve, reject) => {
    cancelScope.onEnd(reject)
    value.then(
      one => {
        cancelScope.offEnd(reject)
        resolve(one)
      },
      error => {
        cancelScope.offEnd(reject)
        reject(error)
      },
    )
  })) as T
}
