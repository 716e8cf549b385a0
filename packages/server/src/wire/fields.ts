/** Fields that many operations share, with the descriptions that help, OpenAPI and tool lists show. */
import type { CommitInfo, Expectation, WriteOptions } from 'agentstategraph'
import { coreError } from 'agentstategraph/internal'
import { z } from 'zod'
import { type JsonValue, jsonValue, stateValue } from './json-value.ts'
import { given } from './wired.ts'

export const namespaceField = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('The namespace; the default one when left out')
/** Every write takes it. The key of the call decides whether the caller may act in the session. */
export const sessionField = z.string().min(1).max(255).optional().describe('The id of the session to act in')
export const refField = z.string().min(1).max(255).default('main').describe('A branch, a tag or a commit id')
export const branchField = z.string().min(1).max(255).default('main').describe('The branch')
/** For operations that cover the whole namespace by default. */
export const anyRefField = z
  .string()
  .min(1)
  .max(255)
  .default('*')
  .describe('A branch, a tag or a commit id; * for every branch')
export const pathField = z.string().max(33_000).describe('A JSON Pointer such as /cluster/replicas')
/** Checked by a refinement: the pattern that zod emits for it is longer than the schemas of most tools. */
export const momentField = z
  .string()
  .refine(text => z.iso.datetime({ offset: true }).safeParse(text).success, 'not a moment such as 2026-05-01T12:00:00Z')
  .meta({ format: 'date-time' })
export const idField = z.string().min(1).max(255)
export const commitField = z
  .string()
  .min(1)
  .max(255)
  .describe('A commit id, or the beginning of one, a branch or a tag')

/** Which state is read. */
export const stateFields = {
  ref: refField,
  as_of: momentField.optional().describe('The branch as it was at this time'),
}

const description = z.string().min(1).describe('Why, in a sentence')

/** Why a change is made. */
export const whyFields = {
  description,
  category: z.string().min(1).max(64).optional().describe('Such as Refine, Fix, Explore, Rollback or your own'),
  reasoning: z.string().optional().describe('How you reached this decision'),
  confidence: z.number().min(0).max(1).optional().describe('How sure you are, from 0 to 1'),
  tags: z.array(z.string()).max(64).optional().describe('Words to find it by'),
  intent_id: z.string().optional().describe('The id of this intent; made when left out'),
  intent_parent: z.string().optional().describe('The id of the parent intent'),
}

/** The same for operations that have a default description. */
export const optionalWhyFields = {
  ...whyFields,
  description: description.optional().describe('Why, in a sentence; a default when left out'),
}

type ExpectationKind = 'equals' | 'min' | 'max' | 'text'

/** An expectation is a value, a range or a text, and never two of them. */
function isOneExpectation({ equals, min, max, text }: Readonly<Partial<Record<ExpectationKind, unknown>>>): boolean {
  const isRange = min !== undefined || max !== undefined
  return [equals !== undefined, isRange, text !== undefined].filter(Boolean).length <= 1
}

/** The evidence for a change: stored with the commit and shown by blame. */
export const evidenceFields = {
  alternatives: z
    .array(
      z.strictObject({
        label: z.string().min(1),
        why_not: z.string().optional(),
        speculation: z.string().optional().describe('The id of a speculation that tried it'),
      }),
    )
    .max(64)
    .optional()
    .describe('What was considered and not chosen'),
  expects: z
    .array(
      z
        .strictObject({
          path: z.string().max(33_000),
          equals: jsonValue.optional(),
          min: z.number().optional(),
          max: z.number().optional(),
          text: z.string().optional(),
        })
        .refine(isOneExpectation, 'an expectation has equals, a range (min, max) or a text'),
    )
    .max(64)
    .optional()
    .describe('What should come true'),
  tools: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        args: jsonValue.optional(),
        result: jsonValue.optional(),
        started: z.string().optional(),
        ended: z.string().optional(),
      }),
    )
    .max(256)
    .optional()
    .describe('The tool calls that led to it'),
}

/** The key of an idempotent retry. */
export const keyField = z.string().min(1).max(255).optional().describe('A retry with the same key is not done again')

/** Optimistic concurrency and idempotent retry. */
export const writeFields = {
  only_if_head: z.string().optional().describe('The commit that the branch must still be at'),
  idempotency_key: keyField,
}

/** Optimistic concurrency on the value at the path. */
export const valueGuard = {
  only_if_value: jsonValue
    .optional()
    .describe('The value that the path must still have; {"$undefined": true} for none'),
}

type Evidence = Partial<z.output<z.ZodObject<typeof evidenceFields>>>
type Given = Partial<z.output<z.ZodObject<typeof optionalWhyFields>>> &
  Evidence &
  Partial<z.output<z.ZodObject<typeof writeFields>>>
/** The library takes a head or a value, not both. */
type Guarded = { readonly only_if_head?: string | undefined; readonly only_if_value?: JsonValue | undefined }
type WhyInput = Given & { readonly description: string }

/** The library's `Why` from the fields of a call. */
export function whyFrom(
  input: WhyInput,
): CommitInfo & Pick<WriteOptions, 'allowEmpty'> & { onlyIf?: Head | undefined } {
  return {
    description: input.description,
    category: input.category,
    reasoning: input.reasoning,
    confidence: input.confidence,
    tags: input.tags,
    intent: { id: input.intent_id, parent: input.intent_parent },
    ...evidenceFrom(input),
    ...(input.only_if_head === undefined ? {} : { onlyIf: { head: input.only_if_head } }),
    idempotencyKey: input.idempotency_key,
  }
}

interface Head {
  head: string
}

/** The library's `onlyIf`: the head of the branch, or the value at the path. */
export function guardFrom({ only_if_head, only_if_value }: Guarded): WriteOptions['onlyIf'] {
  if (only_if_value === undefined) return only_if_head === undefined ? undefined : { head: only_if_head }
  if (only_if_head !== undefined) {
    throw coreError('option-invalid', { field: 'only_if_head', reason: 'it is given together with only_if_value' })
  }
  return { value: stateValue(only_if_value) }
}

/** The same with a default description. */
export function whyOr(fallback: string, input: Given): ReturnType<typeof whyFrom> {
  return whyFrom({ ...input, description: input.description ?? fallback })
}

function evidenceFrom({
  alternatives,
  expects,
  tools,
}: Evidence): Pick<CommitInfo, 'alternatives' | 'expects' | 'tools'> {
  return {
    alternatives: alternatives?.map(({ label, why_not, speculation }) => ({ label, whyNot: why_not, speculation })),
    expects: expects?.map(({ equals, ...expected }) =>
      equals === undefined ? (given(expected) as Expectation) : { path: expected.path, equals: stateValue(equals) },
    ),
    tools: tools?.map(({ name, args, result, started, ended }) => ({
      name,
      started,
      ended,
      ...(args === undefined ? {} : { args: stateValue(args) }),
      ...(result === undefined ? {} : { result: stateValue(result) }),
    })),
  }
}
