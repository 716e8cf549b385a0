/**
 * The session id of the older protocol, used to recognise a client without state on the server.
 *
 * Over HTTP that protocol names the client only in its first request, and every request has its own server object. So the
 * response to the first request returns the client's name and version as the session id, and the client repeats it with every
 * request. As in the newer protocol the name is recorded and proves nothing.
 */
import { z } from 'zod'

const clientSchema = z.object({ name: z.string().min(1).max(128), version: z.string().max(128) })

export type NamedClient = z.output<typeof clientSchema>

const openingSchema = z.object({ method: z.literal('initialize'), params: z.object({ clientInfo: clientSchema }) })

/** The id for an initialize request; undefined for any other. */
export function findSessionId({ method, headers }: Request, message: unknown): string | undefined {
  if (method !== 'POST' || headers.has('mcp-session-id') || headers.has('mcp-method')) return undefined
  const opening = openingSchema.safeParse(message)
  return opening.success ? Buffer.from(JSON.stringify(opening.data.params.clientInfo)).toString('base64url') : undefined
}

/** The client that a request's session id names. */
export function findNamedClient({ headers }: Request): NamedClient | undefined {
  const id = headers.get('mcp-session-id')
  if (id === null || id.length > MAX_ID) return undefined
  try {
    return clientSchema.safeParse(JSON.parse(Buffer.from(id, 'base64url').toString('utf8'))).data
  } catch {
    // Not an id of this server.
    return undefined
  }
}

const MAX_ID = 2048
