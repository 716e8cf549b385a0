/**
 * What a resource URI names: `state://{ref}` and `state://{ref}/{+path}`, `commit://{id}`, `epoch://{id}`.
 *
 * A ref is one segment, so a `/` in it is written `%2F`; so is one in a key of a path. Segments `.` and `..` are folded by every
 * URL reader, so keys of that name are reached by tools only.
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

/** Nothing when it names no resource of ours. */
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
    // Neither a URI nor, where there are percent signs, UTF-8.
    return undefined
  }
}

export function stateUri(ref: string): string {
  return `state://${encodeURIComponent(ref)}`
}

export function epochUri(id: string): string {
  return `epoch://${encodeURIComponent(id)}`
}
