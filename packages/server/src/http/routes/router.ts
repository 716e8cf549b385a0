/**
 * Finds the operation of a request.
 *
 * Names of branches contain slashes, which may be written unescaped: `/api/log/feature/net`. So a field in braces matches one or
 * more segments. When several routes match, the one with more fixed words wins, and the first field matches as much as it can;
 * %2F is always part of a name. Every segment is decoded exactly once.
 */
import type { Operation } from '../../operations/operation.ts'
import { serverError } from '../../wire/errors.ts'

export interface Match {
  readonly operation: Operation
  /** The fields from the path, as text. */
  readonly fields: Readonly<Record<string, string>>
}

export interface Router {
  /** Throws `route-not-found`, or `method-not-allowed` with what is possible. */
  match(method: string, pathname: string): Match
}

interface Route {
  readonly method: string
  readonly parts: readonly Part[]
  readonly fixed: number
  readonly operation: Operation
}
type Part = { readonly word: string } | { readonly field: string }

const MAX_SEGMENTS = 64
const NAMED_AT_MOST = 4

export function routerOf(operations: readonly Operation[]): Router {
  const routes = operations.map(routeOf).sort((a, b) => b.fixed - a.fixed)
  const byWord = new Map<string, Route[]>()
  for (const route of routes) {
    const word = secondWordOf(route.parts)
    byWord.set(word, [...(byWord.get(word) ?? []), route])
  }
  return {
    match(method, pathname) {
      const segments = segmentsOf(pathname)
      const allowed = new Set<string>()
      const near = byWord.get(segments[1] ?? '') ?? []
      for (const route of near) {
        const fields: Record<string, string> = {}
        if (!takes(route.parts, 0, segments, 0, fields)) continue
        if (route.method === method) return { operation: route.operation, fields }
        allowed.add(route.method)
      }
      if (allowed.size > 0) throw serverError('method-not-allowed', { method, allowed: [...allowed].sort() })
      const nearest = nearestOf(method, segments, near.length > 0 ? near : routes.filter(endsWith(segments.at(-1))))
      throw serverError('route-not-found', { method, path: pathname, ...(nearest.length === 0 ? {} : { nearest }) })
    },
  }
}

/** Those that end as the request does: `/api/set` means `/api/state/{ref}/set`. */
function endsWith(word: string | undefined): (route: Route) => boolean {
  return ({ parts }) => {
    const last = parts.at(-1)
    return last !== undefined && 'word' in last && last.word === word
  }
}

/** The same method first, then what is about as long. */
function nearestOf(method: string, { length }: readonly string[], routes: readonly Route[]): Operation['route'][] {
  const distance = (route: Route): number =>
    (route.method === method ? 0 : MAX_SEGMENTS) + Math.abs(route.parts.length - length)
  return routes
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, NAMED_AT_MOST)
    .map(({ operation }) => operation.route)
}

export function partsOfRoute(route: Operation['route']): { readonly method: string; readonly parts: readonly Part[] } {
  const [method = '', path = ''] = route.split(' ')
  const parts = path
    .slice(1)
    .split('/')
    .map((text): Part => (text.startsWith('{') ? { field: text.slice(1, -1) } : { word: text }))
  return { method, parts }
}

/** All routes begin with two fixed words, `/api/state`, by which the others are left out. */
function secondWordOf([, second]: readonly Part[]): string {
  if (second === undefined || !('word' in second)) throw new Error('A route has to begin with two fixed words.')
  return second.word
}

function routeOf(operation: Operation): Route {
  const { method, parts } = partsOfRoute(operation.route)
  return { method, parts, operation, fixed: parts.filter(part => 'word' in part).length }
}

function segmentsOf(pathname: string): readonly string[] {
  const raw = pathname.slice(1).split('/')
  if (raw.length > MAX_SEGMENTS)
    throw serverError('url-invalid', { reason: `its path has more than ${MAX_SEGMENTS} segments` })
  try {
    return raw.map(decodeURIComponent)
  } catch {
    throw serverError('url-invalid', { reason: 'its path has a % that begins no UTF-8 character' })
  }
}

function takes(
  parts: readonly Part[],
  at: number,
  segments: readonly string[],
  from: number,
  fields: Record<string, string>,
): boolean {
  const part = parts[at]
  if (part === undefined) return from === segments.length
  const left = parts.length - at - 1
  if (segments.length - from <= left) return false
  if ('word' in part) return segments[from] === part.word && takes(parts, at + 1, segments, from + 1, fields)
  for (let to = segments.length - left; to > from; to--) {
    if (takes(parts, at + 1, segments, to, fields)) {
      fields[part.field] = segments.slice(from, to).join('/')
      return true
    }
  }
  return false
}
