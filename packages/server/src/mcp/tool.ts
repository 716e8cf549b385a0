/**
 * An operation as an MCP tool: made once, when the module that needs it is loaded, and shared by every server object.
 *
 * The schemas are those of the table. A surface adds only what MCP itself needs, and the fields it adds are named here:
 * `confirm` to an operation that takes something away, and the page fields to one that streams. Descriptions are constant
 * text of the table, so nothing that is stored can ever speak in them.
 */
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Operation } from '../operations/operation.ts'
import { pageFields, pageSchema } from './stream-page.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operation: Operation
  /** What the table's input does not have: taken out before the operation sees the rest. */
  readonly added: z.ZodObject
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: ToolAnnotations
}

export type JsonSchema = Readonly<Record<string, unknown>>

const confirmField = {
  confirm: z
    .boolean()
    .optional()
    .describe('true when the person agreed to this; counts only where the client cannot ask by itself'),
}

export function toolOf(operation: Operation): Tool {
  const { name, summary, guidance, effect, idempotent, stream } = operation
  const added = z.strictObject({
    ...(effect === 'destructive' ? confirmField : {}),
    ...(stream === undefined ? {} : pageFields(stream, operation.input)),
  })
  return {
    name: `agentstategraph_${name}`,
    title: summary,
    description: `${summary}. ${guidance}`,
    operation,
    added,
    inputSchema: schemaOf(operation.input.extend(added.shape), 'input'),
    outputSchema: schemaOf(stream === undefined ? operation.output : pageSchema(operation.output), 'output'),
    annotations: {
      title: summary,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destructive',
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  }
}

/**
 * The dialect is the one that MCP takes for granted, so it need not be said in every tool. How long a text or a list may be is
 * left out of what is asked for: it holds all the same, and would be a tenth of what the list of tools costs.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, io === 'input' ? { io, override: withoutLengths } : { io })
  return json
}

function withoutLengths({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.minLength
  delete jsonSchema.maxLength
  delete jsonSchema.maxItems
  // Keys are texts, and whole numbers have this bound, whether it is said or not.
  delete jsonSchema.propertyNames
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/**
 * A schema as the SDK wants it, with the JSON Schema that was made before and no checks: a call is checked where its error
 * becomes one of our own codes, and what an operation answers is checked by tests.
 */
export function advertised(json: JsonSchema): StandardSchemaWithJSON {
  const give = () => ({ ...json })
  return {
    '~standard': {
      version: 1,
      vendor: 'agentstategraph',
      validate: value => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  }
}
