/**
 * The input of an operation from a request: from the path, the query or the body, and the headers.
 *
 * A field of the path may not be repeated. Unknown fields are kept, so that the schema refuses them by name.
 */
import type { Operation } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { jsonObjectIn } from './body/json-body.ts'
import { assertJsonMedia, type Blocks, type BodyLimits, joined, readBody } from './body/read-body.ts'
import { fieldsOfHeaders } from './conditions.ts'
import type { HttpRequest, RequestHeaders } from './exchange/http-request.ts'
import { fieldsOfRoute } from './routes/fields.ts'
import type { Match } from './routes/router.ts'
import { type TextReader, textReader } from './url-fields.ts'

type Fields = Readonly<Record<string, unknown>>

export interface RequestReader {
  /** The body, where the operation has one. */
  body(request: HttpRequest, query: URLSearchParams, match: Match): Promise<Blocks | undefined>
  fields(request: HttpRequest, query: URLSearchParams, match: Match, body: Blocks | undefined): Promise<Fields>
}

export function requestReader(limits: BodyLimits): RequestReader {
  // Built on first use: most servers use few operations.
  const forms = new Map<string, { readonly reader: TextReader; readonly hasBody: boolean }>()
  function formOf(operation: Operation): { readonly reader: TextReader; readonly hasBody: boolean } {
    const known = forms.get(operation.route)
    if (known !== undefined) return known
    const form = { reader: textReader(operation.input), hasBody: fieldsOfRoute(operation).inBody !== undefined }
    forms.set(operation.route, form)
    return form
  }
  return {
    async body(request, query, { operation }) {
      const { hasBody } = formOf(operation)
      if (hasBody && query.size > 0)
        throw serverError('url-invalid', {
          reason: 'the fields belong into the body, and it has a query',
          remedy: 'Put every field into the JSON body.',
        })
      if (!hasBody && announcesBody(request.headers)) throw serverError('body-unexpected', { method: request.method })
      if (!hasBody) return undefined
      if (isTyped(request)) assertJsonMedia(request)
      return readBody(request, limits)
    },
    async fields(request, query, { operation, fields: texts }, body) {
      const { reader } = formOf(operation)
      const sent = body === undefined ? reader.query(query) : await fieldsOfBody(request, body)
      for (const field of Object.keys(texts)) {
        if (Object.hasOwn(sent, field))
          throw serverError('url-invalid', {
            reason: `the end of its path is the field ${field}, which may not come again`,
            remedy: `Leave ${field} out of the query and the body.`,
          })
      }
      return { ...sent, ...pathFields(reader, texts), ...fieldsOfHeaders(request.headers, operation, sent) }
    },
  }
}

function announcesBody(headers: RequestHeaders): boolean {
  return headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'
}

function pathFields(reader: TextReader, texts: Match['fields']): Fields {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, reader.field(name, text)]))
}

function isTyped({ headers }: HttpRequest): boolean {
  return headers.has('content-type') || headers.has('content-encoding')
}

/** A request without a body and without a content type has an empty input. */
async function fieldsOfBody(request: HttpRequest, body: Blocks): Promise<Fields> {
  if (!isTyped(request) && body.length === 0) return {}
  assertJsonMedia(request)
  return jsonObjectIn(joined(body))
}
