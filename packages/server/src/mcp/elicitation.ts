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
import { plainLine } from './plain-line.ts'

/** The signed state: the call, and what was asked about it. */
export interface Asked {
  readonly call: string
  readonly about: string
}

export type Answer =
  | { readonly kind: 'accepted'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: 'declined' }
  | { readonly kind: 'unasked' }

export type ElicitationCodec = RequestStateCodec<Asked>

/** One for each process: the process that asked checks the answer. */
export function elicitationCodec(): ElicitationCodec {
  return createRequestStateCodec<Asked>({ key: randomBytes(KEY_BYTES) })
}

const KEY_BYTES = 32
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

/** The person's answer to this question, if it was asked. */
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
