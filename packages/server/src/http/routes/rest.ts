/**
 * Second routes of writes, for those who expect that a place of the state is a resource: PUT, PATCH and DELETE on
 * `/api/state/{path}`.
 *
 * They are made from operations that name a method (`rest`) and take the same fields, except that the path is in the URL: of one
 * write, or of the place that the edits are below. The OpenAPI document has the first routes only.
 */
import { z } from 'zod'
import type { Operation } from '../../operations/operation.ts'

interface Edit {
  readonly path: string
}

export function restOperations(operations: readonly Operation[]): readonly Operation[] {
  return operations.flatMap(operation => (operation.rest === undefined ? [] : [restOf(operation, operation.rest)]))
}

function restOf(operation: Operation, method: NonNullable<Operation['rest']>): Operation {
  const route = `${method} /api/state/{path}` as const
  const { input, run } = operation
  if ('path' in input.shape)
    return { ...operation, route, run: (context, fields) => run(context, { ...fields, path: pathIn(fields) }) }
  return {
    ...operation,
    route,
    input: input.extend({ path: z.string() }),
    run(context, { path: _, ...fields }) {
      const edits = (fields['edits'] as readonly Edit[]).map(edit => ({
        ...edit,
        path: below(pathIn({ path: _ }), edit.path),
      }))
      return run(context, { ...fields, edits })
    },
  }
}

/** Segments of a URL as a JSON Pointer; a `/` inside a key is written ~1, as in every path. */
function pathIn({ path }: Readonly<Record<string, unknown>>): string {
  const text = String(path)
  return text.startsWith('/') ? text : `/${text}`
}

function below(path: string, inside: string): string {
  return inside === '/' || inside === '' ? path : `${path}${inside}`
}
