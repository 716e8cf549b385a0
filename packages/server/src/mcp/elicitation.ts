/**
 * Asking the person before something is taken away, and when two changes do not fit together.
 *
 * Where the client can ask (it declared elicitation), a call answers `input_required` and is repeated by the client with what
 * the person said; the SDK does the same by a request of its own for clients of the older handshake. What was asked is bound
 * to the call it was asked for: the state that goes out and comes back is signed, and holds the digest of operation, arguments
 * and caller. Where the client cannot ask, the call fails and says how to call again.
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
import { plainLine } from './plain-line.ts'

/** What is signed: which call was asked about, and what. */
export interface Asked {
  readonly call: string
  readonly about: string
}

export type Answer =
  | { readonly kind: 'accepted'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: 'declined' }
  | { readonly kind: 'unasked' }

export type ElicitationCodec = RequestStateCodec<Asked>

/** One for each process: a question is answered where it was asked. */
export function elicitationCodec(): ElicitationCodec {
  return createRequestStateCodec<Asked>({ key: randomBytes(KEY_BYTES) })
}

const KEY_BYTES = 32
const ANSWER = 'answer'

/** Whether the client shows forms: a bare `elicitation: {}` says so too. */
export function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** The digest that binds an answer to the call it was given for. */
export function callDigest(operation: string, input: unknown, key: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, input, key ?? null]))
    .digest('base64url')
}

/** What the person said to this very question, if they were asked. */
export function answerTo({ mcpReq }: ServerContext, asked: Asked): Answer {
  const state = mcpReq.requestState<Asked>()
  if (state?.call !== asked.call || state.about !== asked.about) return { kind: 'unasked' }
  const given = inputResponse(mcpReq.inputResponses, ANSWER)
  if (given.kind !== 'elicit') return { kind: 'unasked' }
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
    requestState: await codec.mint(asked, context),
  })
}

const MAX_QUESTION = 4000
