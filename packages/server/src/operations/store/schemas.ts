/** Schemas of states: attached to path patterns and enforced for every commit. */
import { schemas } from 'agentstategraph/schema'
import { z } from 'zod'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import { branchField, whyFields, whyFrom } from '../../wire/fields.ts'
import { jsonValue } from '../../wire/json-value.ts'
import { pacedStateValue } from '../../wire/pace/paced-value.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import {
  attachedSchema,
  enforcement,
  schemaReportSchema,
  wireAttachedSchema,
  wireSchemaReport,
} from '../../wire/schema.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

const pattern = z.string().max(33_000).describe('A path pattern: * is one segment, ** any number')

const attachSchema = operation({
  name: 'attach_schema',
  summary: 'Attach a JSON Schema to a path pattern',
  guidance:
    'From then on a write to this branch that violates it is refused (strict) or recorded with the commit (warn). The current ' +
    'state has to conform: check_schema shows what does not. x-agentstategraph-merge in it says how values merge.',
  capability: 'migrate',
  effect: 'write',
  idempotent: true,
  input: () => ({
    pattern,
    schema: jsonValue.describe('A JSON Schema of 2020-12'),
    enforcement: enforcement.default('strict').describe('What happens to a write that violates it'),
    ref: branchField,
    ...whyFields,
  }),
  output: () => commitSchema,
  route: 'POST /api/schemas',
  command: 'schema attach <pattern> <schema>',
  examples: [
    {
      title: 'replicas are whole numbers',
      input: {
        pattern: '/cluster/replicas',
        schema: { type: 'integer', minimum: 0 },
        description: 'Replicas are whole numbers',
      },
    },
  ],
  async run(repo, { pattern: at, schema, enforcement: how, ref, ...why }) {
    const branch = schemas(repo.on(ref))
    return wireCommit(await branch.attach(at, schema as object | boolean, { enforcement: how }, whyFrom(why)))
  },
})

const detachSchema = operation({
  name: 'detach_schema',
  summary: 'Detach a schema from a path pattern',
  guidance: 'Writes are no longer checked against it. list_schemas shows which patterns have a schema.',
  capability: 'migrate',
  effect: 'write',
  input: () => ({ pattern, ref: branchField, ...whyFields }),
  output: () => commitSchema,
  route: 'POST /api/schemas/detach',
  command: 'schema detach <pattern>',
  examples: [{ title: 'no rule for names', input: { pattern: '/name', description: 'Names are free' } }],
  run: async (repo, { pattern: at, ref, ...why }) => wireCommit(await schemas(repo.on(ref)).detach(at, whyFrom(why))),
  again: async (repo, _input, { commit }) => wireCommit(await repo.at(commit!).head()),
})

const listSchemas = operation({
  name: 'list_schemas',
  summary: 'List the schemas of a branch',
  guidance:
    'Returns each schema with its pattern and enforcement. Call it before you write to a path for the first time.',
  ...reading,
  input: () => ({ ref: branchField, ...pageFields(100) }),
  output: () => pageOf(attachedSchema),
  route: 'GET /api/schemas',
  command: 'schema list',
  examples: [{ title: 'what is required', input: {} }],
  run: async (repo, { ref, ...page }) => wirePage(schemas(repo.on(ref)).list(), page, wireAttachedSchema),
})

const getSchema = operation({
  name: 'get_schema',
  summary: 'Show the schema of a pattern',
  guidance: 'Returns the schema that is attached to exactly this pattern.',
  ...reading,
  input: () => ({ pattern, ref: branchField }),
  output: () => attachedSchema,
  route: 'GET /api/schema',
  command: 'schema show <pattern>',
  examples: [{ title: 'what may a name be?', input: { pattern: '/name' } }],
  run: async (repo, { pattern: at, ref }) => wireAttachedSchema(await schemas(repo.on(ref)).get(at)),
})

const checkSchema = operation({
  name: 'check_schema',
  summary: 'Check the state of a branch, or a proposed state, against the schemas',
  guidance: 'Checks every schema, including those with enforcement warn or off. Give value to check a whole new state.',
  ...reading,
  input: () => ({
    value: jsonValue.optional().describe('A whole state to check in place of the current one'),
    ref: branchField,
  }),
  output: () => schemaReportSchema,
  route: 'POST /api/schemas/check',
  command: 'schema check [value]',
  examples: [
    { title: 'is all as it should be?', input: {} },
    { title: 'would this fit?', input: { value: { name: 7 } } },
  ],
  async run(repo, { value, ref }, { pace }) {
    const branch = schemas(repo.on(ref))
    if (value === undefined) return wireSchemaReport(await branch.check())
    return wireSchemaReport(await branch.check(await pacedStateValue(value, pace)))
  },
})

export const schemaOperations: readonly Operation[] = inGroup('schema', [
  attachSchema,
  detachSchema,
  listSchemas,
  getSchema,
  checkSchema,
])
