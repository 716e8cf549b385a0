/**
 * Parses resource URIs: `state://{ref}` and `state://{ref}/{+path}`, `commit://{id}`, `epoch://{id}`.
 *
 * A ref is one segment, so a `/` in it is written `%2F`, as in a key of a path. URL parsers fold segments `.` and `..`, so keys
 * with those names are reachable only through tools.
 */
import { formatPath } from 'agentstategraph'

export type Target =
  | { readonly kind: 'state'; readonly ref: string; readonly path: string }
  | { readonly kind: 'commit'; readonly id: string }
  | { readonly kind: 'epoch'; readonly id: string }

export const resourceTemplates = {
  state: 'state://{ref}/{+path}',
  wholeState: 'state://{ref}',
  commit: 'commit://{id}',
  epoch: 'epoch://{id}',
} as const

/** Undefined when the URI names no resource of this server. */
export function findTarget(uri: string): Target | undefined {
  try {
    const { protocol, host, pathname } = new URL(uri)
    const name = decodeURIComponent(host)
    if (name === '') return undefined
    const segments = pathname.split('/').slice(1).map(decodeURIComponent)
    if (protocol === 'state:') {
      const isWhole = segments.length === 0 || (segments.length === 1 && segments[0] === '')
      return { kind: 'state', ref: name, path: isWhole ? '/' : formatPath(segments) }
    }
    if (segments.length > 0) return undefined
    if (protocol === 'commit:') return { kind: 'commit', id: name }
    return protocol === 'epoch:' ? { kind: 'epoch', id: name } : undefined
  } catch {
    // Not a URI, or its percent encoding is not UTF-8.
    return undefined
  }
}

export function stateUri(ref: string): string {
  return `state://${encodeURIComponent(ref)}`
}

export function epochUri(id: string): string {
  return `epoch://${encodeURIComponent(id)}`
}

export function commitUri(id: string): string {
  return `commit://${id}`
}
