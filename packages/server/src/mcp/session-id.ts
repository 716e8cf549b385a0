/**
 * The session id of the older protocol, used to remember a client without keeping anything.
 *
 * Over HTTP that protocol names the client once, in its opening request, and every request has a server object of its own. So
 * the answer to the opening gives the client its own name and version as the session id, and the client brings them back with
 * every request. It is shown and recorded, as in the newer protocol; it proves nothing and opens nothing.
 */
import { z } from 'zod'

const clientSchema = z.object({ name: z.string().min(1).max(128), version: z.string().max(128) })

export type NamedClient = z.output<typeof clientSchema>

const openingSchema = z.object({ method: z.literal('initialize'), params: z.object({ clientInfo: clientSchema }) })

/** The id for a client that opens a connection; nothing for any other request. */
export async function findSessionId(request: Request): Promise<string | undefined> {
  if (request.method !== 'POST' || request.headers.has('mcp-session-id') || request.headers.has('mcp-method'))
    return undefined
  const opening = openingSchema.safeParse(await bodyOf(request))
  return opening.success ? Buffer.from(JSON.stringify(opening.data.params.clientInfo)).toString('base64url') : undefined
}

/** The client that a request's session id names. */
export function findNamedClient({ headers }: Request): NamedClient | undefined {
  const id = headers.get('mcp-session-id')
  if (id === null || id.length > MAX_ID) return undefined
  try {
    return clientSchema.safeParse(JSON.parse(Buffer.from(id, 'base64url').toString('utf8'))).data
  } catch {
    // An id that is none of ours.
    return undefined
  }
}

const MAX_ID = 2048

/** What the SDK is about to read as well; that it is malformed is told there. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.clone().json()
  } catch {
    return undefined
  }
}
