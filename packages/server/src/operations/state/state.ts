/** Reading and writing the state of a ref. */
import type { Repository } from 'agentstategraph'
import { assertWritable, commitGiven, deleteExisting, type GivenEdit, receipted } from 'agentstategraph/internal'
import { z } from 'zod'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import {
  branchField,
  evidenceFields,
  guardFrom,
  pathField,
  stateFields,
  valueGuard,
  whyFields,
  whyFrom,
  writeFields,
} from '../../wire/fields.ts'
import { hashText } from '../../wire/hash-text.ts'
import { type JsonValue, jsonValue } from '../../wire/json-value.ts'
import { type Pace, pacedMap, pacedStateValue, pacedValue } from '../../wire/pace/paced-value.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import { freshFields, isRoot, orFresh, placeOrFresh } from './fresh-state.ts'
import { stateAt, type Where } from './state-at.ts'

interface Got {
  readonly ref: string
  readonly commit?: string
  readonly path: string
  readonly value: JsonValue
  readonly hint?: string
}

async function getAt(repo: Repository, path: string, where: Where, pace: Pace): Promise<Got> {
  const { value, commit } = await stateAt(repo, where).read(path)
  return { ref: where.ref, commit, path, value: await pacedValue(value, pace) }
}

const get = operation({
  name: 'get',
  summary: 'Read the value at a path',
  guidance:
    'Reads one value, or a whole subtree, at a ref (a branch, a tag or a commit id). Use list_paths first when ' +
    'you do not know the path. Values that JSON lacks are tagged objects such as {"$date": "…"}.',
  ...reading,
  input: () => ({ path: pathField.default('/'), ...stateFields }),
  output: () =>
    z.strictObject({
      ref: z.string(),
      commit: hashText.optional().describe('The commit that was read; absent before the first write'),
      path: z.string(),
      value: jsonValue,
      ...freshFields,
    }),
  route: 'GET /api/state/{ref}',
  command: 'get [path]',
  tools: 'core',
  examples: [
    { title: 'the replicas of a cluster', input: { path: '/cluster/replicas' } },
    { title: 'the whole state of a branch', input: { ref: 'feature/net' } },
  ],
  async run(repo, { path, ...where }, { pace }) {
    const { ref } = where
    const got = getAt(repo, path, where, pace)
    if (isRoot(path)) return orFresh(got, where, hint => ({ ref, path, value: {}, hint }))
    return placeOrFresh(got, where, path)
  },
})

const set = operation({
  name: 'set',
  summary: 'Write a value at a path, and say why',
  guidance:
    'Writes one value as one commit on a branch. Say why in description, how you know in reasoning, and how sure you ' +
    'are in confidence. Missing parents are created; a path that ends in /- appends to a list. ' +
    'With only_if_head or only_if_value the write fails unless that still holds.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    ref: branchField,
    path: pathField,
    value: jsonValue.describe('The value; any JSON, or tagged such as {"$date": "…"}'),
    ...whyFields,
    ...evidenceFields,
    ...writeFields,
    ...valueGuard,
  }),
  output: () => commitSchema,
  route: 'POST /api/state/{ref}/set',
  rest: 'PUT',
  command: 'set <path> <value>',
  tools: 'core',
  examples: [
    {
      title: 'scale a cluster',
      input: {
        path: '/cluster/replicas',
        value: 3,
        description: 'Scale to 3 replicas',
        reasoning: 'Traffic increased 40% over last hour',
        confidence: 0.85,
      },
    },
  ],
  async run(repo, { ref, path, value, ...why }, { pace }) {
    const branch = repo.on(ref)
    const given = await pacedStateValue(value, pace)
    return wireCommit(await branch.set(path, given, { ...whyFrom(why), onlyIf: guardFrom(why) }))
  },
})

const remove = operation({
  name: 'delete',
  summary: 'Delete the value at a path, and say why',
  guidance:
    'Removes a value or a whole subtree in one commit. History keeps it, and undo restores it. A path that does not exist is an ' +
    'error.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => ({
    ref: branchField,
    path: pathField,
    ...whyFields,
    ...writeFields,
    ...valueGuard,
  }),
  output: () => commitSchema,
  route: 'POST /api/state/{ref}/delete',
  rest: 'DELETE',
  command: 'delete <path>',
  tools: 'core',
  examples: [
    {
      title: 'remove an old setting',
      input: { path: '/network/old', description: 'Remove the old network', category: 'Fix' },
    },
  ],
  async run(repo, { ref, path, ...why }) {
    const { handle } = repo.on(ref)
    assertWritable(handle.shared, 'delete')
    const written = await handle.journal.run(deleteExisting(handle, path, { ...whyFrom(why), onlyIf: guardFrom(why) }))
    return wireCommit(await receipted(handle, written))
  },
})

export const editsField = z
  .array(
    z.discriminatedUnion('op', [
      z.strictObject({ op: z.literal('set'), path: pathField, value: jsonValue }),
      z.strictObject({ op: z.literal('delete'), path: pathField }),
    ]),
  )
  .min(1)
  .max(10_000)
  .describe('The edits, in order: {"op": "set", "path": "/a", "value": 1} or {"op": "delete", "path": "/b"}')

type Edit = z.output<typeof editsField>[number]

/** The edits of a call as the library takes them. */
export function givenEdits(edits: readonly Edit[], pace: Pace): Promise<readonly GivenEdit[]> {
  return pacedMap(
    edits,
    async edit => (edit.op === 'set' ? { ...edit, value: await pacedStateValue(edit.value, pace) } : edit),
    pace,
  )
}
const commit = operation({
  name: 'commit',
  summary: 'Make many changes in one commit',
  guidance:
    'Use it in place of several set and delete calls when the changes belong together: either all of them land in one ' +
    'commit with one reason, or none does.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    ref: branchField,
    edits: editsField,
    ...whyFields,
    ...evidenceFields,
    ...writeFields,
    allow_empty: z.boolean().default(false).describe('Commit even when nothing changes, to record a note'),
  }),
  output: () => commitSchema,
  route: 'POST /api/state/{ref}/commit',
  rest: 'PATCH',
  command: 'commit',
  tools: 'standard',
  examples: [
    {
      title: 'replace a network setting',
      input: {
        edits: [
          { op: 'set', path: '/network/dns', value: '1.1.1.1' },
          { op: 'delete', path: '/network/old' },
        ],
        description: 'Configure the network',
      },
    },
  ],
  async run(repo, { ref, edits, allow_empty, ...why }, { pace }) {
    const { handle } = repo.on(ref)
    assertWritable(handle.shared, 'commit')
    const reason = { ...whyFrom(why), allowEmpty: allow_empty }
    // The edits tell one request from another under its key.
    const asked = why.idempotency_key === undefined ? reason : { ...reason, request: edits }
    const given = await givenEdits(edits, pace)
    return wireCommit(await receipted(handle, await handle.journal.run(commitGiven(handle, given, asked))))
  },
})

export const stateOperations: readonly Operation[] = inGroup('state', [get, set, remove, commit])
