/**
 * An operation as an MCP tool, made once and shared by every server object.
 *
 * The input is that of the table, and the answer what `brief.ts` makes of its output. MCP adds only the fields named here: `confirm` to a destructive operation, and the page
 * fields to a stream. Descriptions are constant text of the table, so stored text can never appear in them.
 */
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Operation } from '../operations/operation.ts'
import { briefOf } from './answer/brief.ts'
import type { JsonSchema } from './json-schema.ts'
import { listedInput } from './listed-input.ts'
import { pageFields, pageSchema } from './stream-page.ts'

export interface Tool {
  readonly name: string
  /** Its name, for people. */
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly operation: Operation
  /** The fields that MCP adds; they are removed before the operation gets its input. */
  readonly added: z.ZodObject
  /** Made when it is asked for: most tools of a server are never called. */
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** The answer as a model gets it. */
  brief(output: unknown): unknown
  readonly annotations: ToolAnnotations
}

const confirmField = {
  confirm: z
    .boolean()
    .optional()
    .describe('true when the person agreed to this; counts only where the client cannot ask by itself'),
}

/** What the name of an operation has before it as a tool. */
export const toolPrefix = 'agentstategraph_'

export function toolOf(operation: Operation): Tool {
  const { name, summary, guidance, effect, idempotent, stream } = operation
  const added = z.strictObject({
    ...(effect === 'destructive' ? confirmField : {}),
    ...(stream === undefined ? {} : pageFields(stream, operation.input)),
  })
  const input = once(() => listedInput(operation.input.extend(added.shape)))
  // The caller of a write knows what it wrote; that of one commit wants all of it.
  const output = once(() =>
    briefOf(stream === undefined ? operation.output : pageSchema(operation.output), effect !== 'read'),
  )
  return {
    name: `${toolPrefix}${name}`,
    title: titleOf(name),
    summary,
    description: `${summary}. ${guidance}`,
    operation,
    added,
    get inputSchema() {
      return input()
    },
    get outputSchema() {
      return output().schema
    },
    brief: result => output().of(result),
    // The other two hints are about tools that write.
    annotations: {
      readOnlyHint: effect === 'read',
      ...(effect === 'read' ? {} : { destructiveHint: effect === 'destructive', idempotentHint: idempotent }),
      openWorldHint: false,
    },
  }
}

/** `get_tree` as Get tree. */
function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
