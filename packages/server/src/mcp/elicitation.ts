/**
 * Elicitation: asking the person before a destructive call, and about conflicts.
 *
 * Where the client declared elicitation, a call returns `input_required`, and the client repeats it with the person's answer; for
 * clients of the older handshake the SDK sends its own request. The question is bound to its call: the state that the client
 * returns is signed and contains the digest of operation, arguments and caller. Where the client cannot ask, the call fails and
 * says how to call again.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { plainLine } from './answer/plain-line.ts'

/** The call, and what was asked about it. */
export interface Asked {
  readonly call: string
  readonly about: string
}

/** The signed state. */
interface Question extends Asked {
  /** Of this question alone: its answer is good for one call. */
  readonly id: string
}

export type Answer =
  | { readonly kind: 'accepted'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: 'declined' }
  | { readonly kind: 'unasked' }

export interface ElicitationCodec extends RequestStateCodec<Question> {
  /** Whether a question is still open; afterwards it is not. */
  close(id: string): boolean
}

/** One for each process: the process that asked checks the answer. */
export function elicitationCodec(): ElicitationCodec {
  const closed = new Map<string, number>()
  return {
    ...createRequestStateCodec<Question>({ key: randomBytes(KEY_BYTES), ttlSeconds: TTL_SECONDS }),
    close(id) {
      const now = performance.now()
      for (const [old, until] of closed) {
        if (until > now) break
        closed.delete(old)
      }
      if (closed.has(id)) return false
      // Later, the signed state is refused by its age.
      closed.set(id, now + 2 * TTL_SECONDS * 1000)
      return true
    },
  }
}

const KEY_BYTES = 32
const ID_BYTES = 16
const TTL_SECONDS = 600
const ANSWER = 'answer'

/** Whether the client shows forms; a bare `elicitation: {}` means that it does. */
export function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** The digest that binds an answer to its call. */
export function callDigest(operation: string, input: unknown, key: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, input, key ?? null]))
    .digest('base64url')
}

/** The person's answer to this question, if it was asked and not answered before. */
export function answerTo(codec: ElicitationCodec, { mcpReq }: ServerContext, asked: Asked): Answer {
  const state = mcpReq.requestState<Question>()
  if (state?.call !== asked.call || state.about !== asked.about) return { kind: 'unasked' }
  const given = inputResponse(mcpReq.inputResponses, ANSWER)
  if (given.kind !== 'elicit' || !codec.close(state.id)) return { kind: 'unasked' }
  return given.action === 'accept' ? { kind: 'accepted', content: given.content ?? {} } : { kind: 'declined' }
}

export async function ask(
  codec: ElicitationCodec,
  context: ServerContext,
  asked: Asked,
  question: ElicitRequestFormParams,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: {
      [ANSWER]: inputRequired.elicit({ ...question, message: plainLine(question.message, MAX_QUESTION) }),
    },
    requestState: await codec.mint({ ...asked, id: randomBytes(ID_BYTES).toString('base64url') }, context),
  })
}

const MAX_QUESTION = 4000
