/** Speculations: private copies of a branch, compared side by side, then committed or discarded. */
import type { Repository } from 'agentstategraph'
import { isStateError } from 'agentstategraph'
import { assertWritable, draftPrefix, editSpeculation, pausedEdits, repoError } from 'agentstategraph/internal'
import { z } from 'zod'
import { mergedSchema, mergeFields, mergeOptionsFrom, wireMerged } from '../../wire/change.ts'
import {
  branchField,
  evidenceFields,
  idField,
  optionalWhyFields,
  pathField,
  whyFields,
  whyFrom,
  writeFields,
} from '../../wire/fields.ts'
import { jsonObject, jsonValue, stateValue } from '../../wire/json-value.ts'
import { pacedStateValue, pacedValue } from '../../wire/pace/paced-value.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { comparisonSchema, speculationSchema, wireComparison, wireSpeculation } from '../../wire/speculation.ts'
import { given } from '../../wire/wired.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import type { Done } from '../run-once.ts'
import { getSpeculation, speculationNamed } from './speculation-name.ts'
import { editsField, givenEdits } from './state.ts'

const speculationId = idField.describe('The id that speculate returned, its beginning, or the label')

/** Why something is tried; the newest is shown by compare. */
const draftFields = {
  description: optionalWhyFields.description.describe('Why you try it, in a sentence; the label when left out'),
  reasoning: whyFields.reasoning,
  confidence: whyFields.confidence,
}

function draftWhy({ description, reasoning, confidence }: z.output<z.ZodObject<typeof draftFields>>, label?: string) {
  if (description === undefined && reasoning === undefined && confidence === undefined) return undefined
  return { description: description ?? label ?? 'Speculate', reasoning, confidence }
}

/** The speculation that a call was about, by the ref that it moved. */
function draftOf({ refs }: Done): string {
  return refs.find(name => name.startsWith(draftPrefix))!.slice(draftPrefix.length)
}

const speculate = operation({
  name: 'speculate',
  summary: 'Start a private copy of a branch to try something',
  guidance:
    'A speculation is cheap and invisible to others until it is committed. Start one for each approach, change them with ' +
    'spec_modify, compare them with compare, then commit_spec the best and discard the others. Later calls name it by id.',
  capability: 'propose',
  effect: 'write',
  input: () => ({
    from: branchField.describe('The branch to copy'),
    label: z.string().min(1).max(255).optional().describe('What is tried'),
    ttl_ms: z.number().int().min(1).optional().describe('After how many milliseconds it may be dropped'),
  }),
  output: () => speculationSchema,
  route: 'POST /api/speculations',
  command: 'spec new',
  tools: 'standard',
  examples: [{ title: 'try another storage', input: { label: 'approach-nfs' } }],
  async run(repo, { from, label, ttl_ms }) {
    const branch = repo.on(from)
    return wireSpeculation(await branch.speculate({ label, ttlMs: ttl_ms }))
  },
  again: async (repo, _input, done) => wireSpeculation(await repo.getSpeculation(draftOf(done))),
})

const listSpeculations = operation({
  name: 'list_specs',
  summary: 'List open speculations',
  guidance: 'Returns every speculation of all branches that is not committed, discarded or expired.',
  ...reading,
  input: () => ({ ...pageFields(100) }),
  output: () => pageOf(speculationSchema),
  route: 'GET /api/speculations',
  command: 'spec list',
  examples: [{ title: 'what is being tried', input: {} }],
  run: async (repo, page) => wirePage(repo.speculations(), page, wireSpeculation),
})

const specGet = operation({
  name: 'spec_get',
  summary: 'Read a value in a speculation',
  guidance: 'Works like get, on the state of the speculation: its base with its changes.',
  ...reading,
  input: () => ({ id: speculationId, path: pathField.default('/') }),
  output: () => z.strictObject({ id: z.string(), path: z.string(), value: jsonValue }),
  route: 'GET /api/speculations/{id}',
  command: 'spec get <id> [path]',
  examples: [{ title: 'what it would be', input: { id: 'spec-1', path: '/storage' } }],
  async run(repo, { id, path }, { pace }) {
    const speculation = await getSpeculation(repo, id)
    return { id: speculation.id, path, value: await pacedValue(await speculation.get(path), pace) }
  },
})

const done = z.strictObject({ id: z.string(), edits: z.number().int().describe('How many were made') })

const specSet = operation({
  name: 'spec_set',
  summary: 'Write a value in a speculation',
  guidance: 'Makes one change that is visible only in the speculation. For several at once use spec_modify.',
  capability: 'propose',
  effect: 'write',
  input: () => ({
    id: speculationId,
    path: pathField,
    value: jsonValue.describe('The value'),
    ...draftFields,
  }),
  output: () => done,
  route: 'POST /api/speculations/{id}/set',
  command: 'spec set <id> <path> <value>',
  examples: [{ title: 'another storage', input: { id: 'spec-1', path: '/storage/type', value: 'nfs' } }],
  async run(repo, { id, path, value, ...why }, { pace }) {
    const speculation = await getSpeculation(repo, id)
    await speculation.set(path, await pacedStateValue(value, pace), draftWhy(why, speculation.label))
    return { id: speculation.id, edits: 1 }
  },
  again: (_repo, _input, done) => ({ id: draftOf(done), edits: 1 }),
})

const specModify = operation({
  name: 'spec_modify',
  summary: 'Make several changes in a speculation',
  guidance: 'Either all of the edits are made or none is. Then compare it with others, or commit_spec or discard it.',
  capability: 'propose',
  effect: 'write',
  input: () => ({ id: speculationId, edits: editsField, ...draftFields }),
  output: () => done,
  route: 'POST /api/speculations/{id}/modify',
  command: 'spec modify <id>',
  tools: 'standard',
  examples: [
    {
      title: 'another storage, and no cache',
      input: {
        id: 'spec-1',
        edits: [
          { op: 'set', path: '/storage/type', value: 'nfs' },
          { op: 'delete', path: '/storage/cache' },
        ],
      },
    },
  ],
  async run(repo, { id: named, edits, ...why }, { pace }) {
    const { id, label } = await getSpeculation(repo, named)
    const { handle } = repo
    assertWritable(handle.shared, 'edit a speculation')
    const made = await handle.journal.run(pausedEdits(handle, await givenEdits(edits, pace)))
    await handle.journal.run(editSpeculation(handle, id, made, draftWhy(why, label)))
    return { id, edits: made.length }
  },
  again: (_repo, { edits }, done) => ({ id: draftOf(done), edits: edits.length }),
})

const compare = operation({
  name: 'compare',
  summary: 'Compare speculations side by side',
  guidance:
    'Returns one column for each speculation with its changes, and one row for each path that any of them changes, with whether ' +
    'they agree. Choose one, name the others as alternatives in commit_spec, and discard them.',
  ...reading,
  input: () => ({
    speculations: z.array(speculationId).min(1).max(64).describe('The ids of the speculations to compare'),
  }),
  output: () => comparisonSchema,
  route: 'POST /api/speculations/compare',
  command: 'spec compare <speculations...>',
  tools: 'standard',
  examples: [{ title: 'two approaches', input: { speculations: ['spec-1', 'spec-2'] } }],
  async run(repo, { speculations }, { pace }) {
    const ids: string[] = []
    for (const named of speculations) ids.push(await speculationNamed(repo, named))
    return wireComparison(await repo.compare(ids), pace)
  },
})

const commitSpec = operation({
  name: 'commit_spec',
  summary: 'Commit a speculation to its branch, and say why',
  guidance:
    'Merges its changes into the branch as it is now, in one commit. A conflict changes nothing and the speculation stays ' +
    'open: call again with resolutions. Name what you did not choose in alternatives, with its id, so that blame can show it.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    id: speculationId,
    branch: idField.optional().describe('The branch that it must have started from'),
    ...whyFields,
    ...evidenceFields,
    attached: jsonObject.optional().describe('Other facts to store with the commit, by name'),
    ...mergeFields,
    ...writeFields,
  }),
  output: () => mergedSchema,
  route: 'POST /api/speculations/{id}/commit',
  command: 'spec commit <id>',
  tools: 'standard',
  examples: [
    {
      title: 'keep one of two',
      input: {
        id: 'spec-1',
        description: 'Use NFS',
        confidence: 0.9,
        attached: { ticket: 'OPS-42' },
        alternatives: [{ label: 'local disks', why_not: 'No failover', speculation: 'spec-2' }],
      },
    },
  ],
  async run(repo, { id: named, branch, attached: fields, policies, resolutions, ...why }) {
    const id = await speculationNamed(repo, named)
    if (branch !== undefined) await assertStartedFrom(repo, id, branch)
    const options = mergeOptionsFrom({ policies, resolutions })
    const attached = fields === undefined ? undefined : (stateValue(fields) as Record<string, unknown>)
    return wireMerged(await repo.commitSpeculation(id, { ...whyFrom(why), attached, ...options }))
  },
})

/** The branch of a speculation never changes, so it is checked first. For one that is gone, landing it reports the error. */
async function assertStartedFrom(repo: Repository, handle: string, expected: string): Promise<void> {
  try {
    const { branchName: actual } = await repo.getSpeculation(handle)
    if (actual !== expected) throw repoError('precondition-failed', { ref: handle, expected, actual })
  } catch (error) {
    if (!isStateError(error, 'speculation-gone')) throw error
  }
}

const discard = operation({
  name: 'discard',
  summary: 'Discard a speculation',
  guidance:
    'Ends it without landing anything. Discard what you did not choose, after commit_spec named it as an alternative.',
  capability: 'propose',
  effect: 'write',
  input: () => ({ id: speculationId }),
  output: () => z.strictObject({ id: z.string(), label: z.string().optional(), discarded: z.literal(true) }),
  route: 'DELETE /api/speculations/{id}',
  command: 'spec discard <id>',
  tools: 'standard',
  examples: [{ title: 'not this one', input: { id: 'spec-2' } }],
  async run(repo, { id }) {
    const speculation = await getSpeculation(repo, id)
    await speculation.discard()
    return given({ id: speculation.id, label: speculation.label, discarded: true as const })
  },
  again: (_repo, _input, done) => ({ id: draftOf(done), discarded: true as const }),
})

export const speculationOperations: readonly Operation[] = inGroup('speculation', [
  speculate,
  listSpeculations,
  specGet,
  specSet,
  specModify,
  compare,
  commitSpec,
  discard,
])
