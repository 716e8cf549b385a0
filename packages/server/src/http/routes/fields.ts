/** Which fields of an operation's input are in the path, in the query and in the body. */
import type { Operation } from '../../operations/operation.ts'
import { partsOfRoute } from './router.ts'

export interface RouteFields {
  readonly inPath: readonly string[]
  readonly inQuery: readonly string[]
  /** Undefined for methods that have no body. */
  readonly inBody: readonly string[] | undefined
}

export function fieldsOfRoute({ route, input }: Operation): RouteFields {
  const { method, parts } = partsOfRoute(route)
  const inPath = parts.flatMap(part => ('field' in part ? [part.field] : []))
  const rest = Object.keys(input.shape).filter(field => !inPath.includes(field))
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return hasBody ? { inPath, inQuery: [], inBody: rest } : { inPath, inQuery: rest, inBody: undefined }
}
