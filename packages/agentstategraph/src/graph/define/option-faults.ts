/** Finds faults in the options of nodes. */

import { didYouMean, isStandardSchema, unknownNames } from '../../core/index.ts'
import type { GraphFault } from '../errors.ts'
import {
  type CacheOptions,
  cacheOptions,
  type NodeOptions,
  optionNames,
  type RetryOptions,
  retryOptions,
} from '../model/node-options.ts'

/** The faults in the options of a node, or in the defaults of a graph when `node` is undefined. */
export function optionFaults(options: NodeOptions, node: string | undefined): readonly GraphFault[] {
  const whose = node === undefined ? 'The defaults of the graph' : `The options of '${node}'`
  const single = node === undefined ? ['defer', 'goto', 'input'].filter(name => name in options) : []
  const sentences = [...single.map(name => `'${name}' is for one node, and no default`), ...sentencesAbout(options)]
  return sentences.map(sentence => ({
    code: 'option-invalid',
    ...(node === undefined ? {} : { node }),
    detail: `${whose}: ${sentence}${sentence.endsWith('?') ? '' : '.'}`,
  }))
}

function sentencesAbout(options: NodeOptions): readonly string[] {
  const { retry, cache, timeoutMs, input, join, defer, onError, goto } = options
  const unknown = unknownNames(options, optionNames)
  return [
    ...unknown.map(name => `there is no option '${name}'${didYouMean(name, optionNames).replace(/^ /, '. ')}`),
    ...(retry === undefined ? [] : aboutRetry(retry)),
    ...(cache === undefined ? [] : aboutCache(cache)),
    ...(timeoutMs === undefined || isPositive(timeoutMs)
      ? []
      : [`timeoutMs is ${timeoutMs}, and has to be more than 0`]),
    ...(input === undefined || isStandardSchema(input) ? [] : ['input is no Standard Schema']),
    ...(join === undefined ? [] : aboutJoin(join)),
    ...(defer === true && join !== undefined && join !== 'all' && join !== 'settled'
      ? ['defer waits for all branches, and join does not']
      : []),
    ...(onError === undefined || onError === 'fail' || onError === 'collect' || typeof onError === 'function'
      ? []
      : ["onError has to be 'fail', 'collect' or a function"]),
    ...(goto === undefined || Array.isArray(goto) ? [] : ['goto has to be a list of nodes']),
  ]
}

const backoffs: readonly unknown[] = [undefined, 'exponential', 'linear', 'fixed']

function aboutRetry(retry: RetryOptions): readonly string[] {
  if (typeof retry !== 'object' || retry === null) return ['retry has to be an object, such as { maxAttempts: 3 }']
  const { maxAttempts, backoff, initialMs, maxMs, retryOn } = retry
  return [
    ...unknownIn('retry', retry, [...retryOptions.names.keys()]),
    ...(Number.isInteger(maxAttempts) && maxAttempts >= 1
      ? []
      : [`retry.maxAttempts is ${maxAttempts}, and has to be a whole number of 1 or more`]),
    ...(backoffs.includes(backoff) ? [] : ["retry.backoff has to be 'exponential', 'linear' or 'fixed'"]),
    ...(initialMs === undefined || isNotNegative(initialMs)
      ? []
      : [`retry.initialMs is ${initialMs}, and cannot be less than 0`]),
    ...(maxMs === undefined || isNotNegative(maxMs) ? [] : [`retry.maxMs is ${maxMs}, and cannot be less than 0`]),
    ...(retryOn === undefined || typeof retryOn === 'function' ? [] : ['retry.retryOn has to be a function']),
  ]
}

function aboutCache(cache: CacheOptions): readonly string[] {
  if (typeof cache !== 'object' || cache === null) return ['cache has to be an object, {} for one that lasts']
  const { ttlMs, key } = cache
  return [
    ...unknownIn('cache', cache, [...cacheOptions.names.keys()]),
    ...(ttlMs === undefined || isPositive(ttlMs) ? [] : [`cache.ttlMs is ${ttlMs}, and has to be more than 0`]),
    ...(key === undefined || typeof key === 'function' ? [] : ['cache.key has to be a function']),
  ]
}

function unknownIn(option: string, given: object, known: readonly string[]): readonly string[] {
  return unknownNames(given, known).map(
    name => `${option} has no '${name}'${didYouMean(name, known).replace(/^ /, '. ')}`,
  )
}

function aboutJoin(join: unknown): readonly string[] {
  if (join === 'all' || join === 'any' || join === 'settled') return []
  const quorum = typeof join === 'object' && join !== null && 'quorum' in join ? join.quorum : undefined
  if (typeof quorum === 'number' && Number.isInteger(quorum) && quorum >= 1) return []
  return quorum === undefined
    ? ["join has to be 'all', 'any', 'settled' or { quorum }"]
    : [`join.quorum is ${String(quorum)}, and has to be a whole number of 1 or more`]
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0
}

function isNotNegative(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}
