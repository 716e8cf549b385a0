/**
 * The errors of the server itself, about requests, keys and namespaces, which no layer of the library has. A message names the
 * next step, and never a stored value, a key or a file.
 */
import { type ErrorMaker, errorsOf } from 'agentstategraph/internal'

/** The data of each error code of the server. Codes are added, never renamed. */
export interface ServerErrors {
  unauthenticated: Record<string, never>
  'access-unavailable': { readonly what: string }
  'token-file-invalid': { readonly file: string }
  'bind-refused': { readonly address: string }
  'host-refused': { readonly host: string }
  'origin-refused': { readonly origin: string }
  'token-in-url': { readonly field: string }
  'route-not-found': { readonly method: string; readonly path: string; readonly nearest?: readonly string[] }
  'method-not-allowed': { readonly method: string; readonly allowed: readonly string[] }
  'not-acceptable': { readonly offered: readonly string[] }
  'media-type-unsupported': { readonly found: string }
  'encoding-unsupported': { readonly found: string }
  'request-malformed': Record<string, never>
  'headers-too-large': Record<string, never>
  'headers-late': Record<string, never>
  'body-too-large': { readonly limit: number }
  'body-late': { readonly timeoutMs: number }
  'body-broken-off': Record<string, never>
  'body-not-an-object': { readonly found: string }
  'body-unexpected': { readonly method: string }
  'body-refused': { readonly line: number; readonly column: number; readonly reason: string }
  'body-not-utf8': { readonly reason: string }
  'url-invalid': { readonly reason: string; readonly remedy?: string }
  'header-invalid': { readonly header: string; readonly reason: string }
  'header-unsupported': { readonly header: string; readonly operation: string }
  'rate-limited': { readonly retryAfterSeconds: number }
  'too-many-at-once': { readonly limit: number; readonly what: string }
  'server-busy': { readonly limit: number; readonly what: string }
  'reader-stalled': { readonly timeoutMs: number }
  'shutting-down': Record<string, never>
  'app-missing': { readonly what: string }
  'speculation-ambiguous': { readonly name: string; readonly matches: readonly string[] }
  'tag-invalid': { readonly path: string; readonly tag: string }
  'app-part-not-found': { readonly what: string; readonly name: string; readonly known: readonly string[] }
}

export const serverError: ErrorMaker<ServerErrors> = errorsOf<ServerErrors>({
  unauthenticated: () => [
    'This call needs a valid key.',
    'Send the header "Authorization: Bearer <key>". The operator of the server makes keys; it shows its own when it first starts.',
  ],
  'access-unavailable': ({ what }) => [
    `${what} cannot be used with this store.`,
    'The operator of the store can do it.',
  ],
  'token-file-invalid': ({ file }) => [
    `${file} does not hold the digest of the server's token.`,
    'Remove it: the next start makes a new token and shows it.',
  ],
  'bind-refused': ({ address }) => [
    `The server does not listen on ${address}: every machine on that network could read and write.`,
    'Listen on 127.0.0.1, or keep authentication on and give the host names of the server.',
  ],
  'host-refused': ({ host }) => [
    `${JSON.stringify(host)} is not a host name of this server.`,
    'Use the address that it printed, or start it with this name among its hosts.',
  ],
  'origin-refused': ({ origin }) => [
    `Pages of ${JSON.stringify(origin)} may not call this server.`,
    'Start the server with this origin among those it allows.',
  ],
  'token-in-url': ({ field }) => [
    `A key in the URL (${field}) would be stored in logs and histories, and is refused.`,
    'Send it in the header "Authorization: Bearer <key>", and replace the key that was in the URL.',
  ],
  'route-not-found': ({ method, path, nearest }) => [
    `There is no ${method} ${JSON.stringify(path)}.`,
    `${nearest === undefined ? '' : `There is ${nearest.join(', ')}. `}GET /openapi.json lists every route.`,
  ],
  'method-not-allowed': ({ method, allowed }) => [`${method} is not allowed here.`, `Allowed: ${allowed.join(', ')}`],
  'not-acceptable': ({ offered }) => [
    'The response has none of the media types that the request accepts.',
    `Available are ${offered.join(' and ')}.`,
  ],
  'media-type-unsupported': ({ found }) => [
    `A body of the type ${JSON.stringify(found)} is not supported.`,
    'Send JSON with "Content-Type: application/json".',
  ],
  'encoding-unsupported': ({ found }) => [
    `A body with the encoding ${JSON.stringify(found)} is not supported.`,
    'Send it as it is, in UTF-8 and without Content-Encoding.',
  ],
  'body-too-large': ({ limit }) => [`The body is larger than ${limit} bytes.`, 'Send it in several requests.'],
  'request-malformed': () => ['The data received is not an HTTP request.', 'Send HTTP/1.1.'],
  'headers-too-large': () => [
    'The address and the headers are larger than 16 KiB together.',
    'Send what is long in a body.',
  ],
  'headers-late': () => ['The request was not complete in time.', 'Nothing was changed. Send it again.'],
  'body-late': ({ timeoutMs }) => [
    `The body was not complete after ${timeoutMs} ms.`,
    'Nothing was changed. Send it again.',
  ],
  'body-broken-off': () => ['The body ended before it was complete.', 'Nothing was changed. Send it again.'],
  'body-not-an-object': ({ found }) => [
    `The body has to be a JSON object, and is ${found}.`,
    'Send the fields as one JSON object, such as {"value": 1}.',
  ],
  'body-refused': ({ line, column, reason }) => [
    `The body is refused at line ${line}, column ${column}: ${reason}.`,
    /digits/.test(reason)
      ? 'Send a large integer as a string, or tagged: {"$bigint": "…"}.'
      : 'Nothing was changed. Send one JSON object.',
  ],
  'body-unexpected': ({ method }) => [`A ${method} has no body here.`, 'Send the fields in the query of the URL.'],
  'body-not-utf8': ({ reason }) => [
    `The body is not plain UTF-8: ${reason}.`,
    'Send it in UTF-8 and without a byte order mark.',
  ],
  'url-invalid': ({ reason, remedy }) => [
    `The URL is refused: ${reason}.`,
    remedy ?? 'Write what is no letter or digit as % and two digits for each byte, such as %2F for "/".',
  ],
  'header-invalid': ({ header, reason }) => [
    `The header ${header} is refused: ${reason}.`,
    'Nothing was changed. Correct it, or leave it out.',
  ],
  'header-unsupported': ({ header, operation }) => [
    `${operation} does not take the header ${header}.`,
    'Leave it out. Nothing was changed.',
  ],
  'rate-limited': ({ retryAfterSeconds }) => [
    'There were too many requests in a short time.',
    `Try again in ${retryAfterSeconds} s.`,
  ],
  'too-many-at-once': ({ limit, what }) => [
    `You have ${limit} ${what} in progress, and may not have more.`,
    'Wait for one to end.',
  ],
  'server-busy': ({ limit, what }) => [
    `The server has ${limit} ${what} in progress, and accepts no more.`,
    'Try again in a moment.',
  ],
  'reader-stalled': ({ timeoutMs }) => [
    `The client read nothing for ${timeoutMs} ms, so the stream ends.`,
    'Connect again with the id of the last event to continue without a gap.',
  ],
  'speculation-ambiguous': ({ name, matches }) => [
    `${JSON.stringify(name)} fits several speculations.`,
    `Give the id or more of it: ${matches.join(', ')}.`,
  ],
  'tag-invalid': ({ path, tag }) => [
    `The value at ${path} has the tag ${JSON.stringify(tag)}, which is unknown, has the wrong content, or is not accepted from callers.`,
    `A key that begins with $ marks a value that JSON lacks. To store it as a key, write one more $: ${JSON.stringify(`$${tag}`)}.`,
  ],
  'app-missing': ({ what }) => [
    `There are no ${what}: they are code, which an app provides.`,
    'Give --app ./app.mjs, to the server or to the command: a module that exports graphs, migrations or agents.',
  ],
  'app-part-not-found': ({ what, name, known }) => [
    `The app has no ${what} ${JSON.stringify(name)}.`,
    known.length === 0 ? `It has no ${what} at all.` : `It has ${known.join(', ')}.`,
  ],
  'shutting-down': () => ['The server is shutting down.', 'Nothing was changed. Try again when it is back.'],
})
