/**
 * How long something may go on: a run, a member of a fork group, one attempt of a node.
 *
 * Lives form a tree. Ending one ends all below it, each with its own `AbortSignal`, which is made only for those who look
 * at it. So a thousand tasks hang no listeners on one signal, and what a late one does can be told from what counts.
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

  /** Why it is over, when it is. */
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

  /** A life that ends with this one, or earlier. */
  child(): CancelScope {
    const child = new CancelScope(this)
    if (this.#ended !== undefined) child.end(this.#ended.reason)
    else {
      this.#children ??= new Set()
      this.#children.add(child)
    }
    return child
  }

  /** Ends it and all below. The first reason stays. */
  end(reason: unknown): void {
    if (this.#ended !== undefined) return
    this.#ended = { reason }
    this.#leave()
    this.#controller?.abort(reason)
    for (const child of this.#children ?? []) child.end(reason)
    for (const listener of this.#listeners ?? []) listener(reason)
    this.#listeners = undefined
  }

  /** Lets go of it after its work is done: what comes later is refused, and nobody is told to stop. */
  close(): void {
    this.#ended ??= { reason: undefined }
    this.#leave()
    this.#listeners = undefined
  }

  /** Tells when it ends, at once when it has. */
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

/** Waits for a value no longer than a life lasts, and throws why it ended when it did. */
export function* within<T>(life: CancelScope, value: MaybePromise<T>): Flow<T> {
  if (!isPromise(value)) return value as T
  return (yield new Promise((resolve, reject) => {
    life.onEnd(reject)
    value.then(
      one => {
        life.offEnd(reject)
        resolve(one)
      },
      error => {
        life.offEnd(reject)
        reject(error)
      },
    )
  })) as T
}
