/**
 * An operation as an MCP tool, made once and shared by every server object.
 *
 * The schemas are those of the table. MCP adds only the fields named here: `confirm` to a destructive operation, and the page
 * fields to a stream. Descriptions are constant text of the table, so stored text can never appear in them.
 */
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Operation } from '../operations/operation.ts'
import { pageFields, pageSchema } from './stream-page.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operation: Operation
  /** The fields that MCP adds; they are removed before the operation gets its input. */
  readonly added: z.ZodObject
  /** Made when it is asked for: most tools of a server are never called. */
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
  const input = once(() => schemaOf(operation.input.extend(added.shape), 'input'))
  const output = once(() => schemaOf(stream === undefined ? operation.output : pageSchema(operation.output), 'output'))
  return {
    name: `agentstategraph_${name}`,
    title: summary,
    description: `${summary}. ${guidance}`,
    operation,
    added,
    get inputSchema() {
      return input()
    },
    get outputSchema() {
      return output()
    },
    annotations: {
      title: summary,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destructive',
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * MCP assumes this dialect of JSON Schema, so tools need not name it. Limits of length are enforced but not listed: they would be
 * a tenth of the size of the tool list.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, io === 'input' ? { io, override: withoutLengths } : { io })
  // A reference to the schema of an object does not say so, and the older protocol needs to be told.
  return json.type === undefined && schema instanceof z.ZodObject ? { type: 'object', ...json } : json
}

function withoutLengths({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.minLength
  delete jsonSchema.maxLength
  delete jsonSchema.maxItems
  // Keys are always strings, and integers always have this bound.
  delete jsonSchema.propertyNames
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
