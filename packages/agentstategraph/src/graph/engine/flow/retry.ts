/** Whether a failed attempt is repeated, and after which delay. It neither waits nor draws random numbers itself. */

import { isStateError } from '../../../core/index.ts'
import type { RetryOptions } from '../../model/node-options.ts'

const DEFAULT_INITIAL_MS = 500
const DEFAULT_MAX_MS = 30_000

/** Errors that a retry cannot cure: the node's code is wrong, or its attempt has been given up. */
const permanentErrors: ReadonlySet<string> = new Set([
  'state-frozen',
  'once-repeated',
  'parent-missing',
  'attempt-over',
  'run-async',
])

export function canRetry(retry: RetryOptions | undefined, attempt: number, error: unknown): boolean {
  if (retry === undefined || attempt >= retry.maxAttempts) return false
  if (isStateError(error) && permanentErrors.has(error.code)) return false
  return retry.retryOn === undefined || retry.retryOn(error)
}

/** The delay after a failed attempt. Jitter removes up to half of it, so that tasks that failed together do not retry together. */
export function retryDelay(retry: RetryOptions, attempt: number, random: () => number): number {
  const { backoff = 'exponential', initialMs = DEFAULT_INITIAL_MS, maxMs = DEFAULT_MAX_MS, jitter = true } = retry
  const factor = backoff === 'exponential' ? 2 ** (attempt - 1) : backoff === 'linear' ? attempt : 1
  const delay = Math.min(initialMs * factor, maxMs)
  return jitter ? delay * (1 - random() / 2) : delay
}
