/** Diff, merge, and undoing changes; each writes a new commit. */
import { z } from 'zod'
import {
  changeSchema,
  mergedSchema,
  mergeFields,
  mergeOptionsFrom,
  mergePreviewSchema,
  wireChange,
  wireMerged,
  wireMergePreview,
} from '../../wire/change.ts'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import {
  branchField,
  commitField,
  namespaceField,
  optionalWhyFields,
  pathField,
  whyFields,
  whyFrom,
  whyOr,
  writeFields,
} from '../../wire/fields.ts'
import { journalEventSchema, wireEvent } from '../../wire/journal-event.ts'
import { type Operation, operation, reading } from '../operation.ts'

const idempotencyKey = { idempotency_key: writeFields.idempotency_key }

const diff = operation({
  name: 'diff',
  group: 'branches',
  summary: 'Show what differs between two refs',
  guidance:
    'Returns what changes between two refs, path by path, with values before and after. Narrow it with below. Use it before ' +
    'merge, or between two commit ids of log to see what one of them changed.',
  ...reading,
  input: z.strictObject({
    from: commitField.describe('The ref before the changes'),
    to: commitField.describe('The ref after the changes'),
    below: pathField.default('/').describe('Only what is below this path'),
    namespace: namespaceField,
  }),
  output: z.strictObject({ from: z.string(), to: z.string(), changes: z.array(changeSchema) }),
  route: 'GET /api/diff',
  command: 'diff <from> <to>',
  tools: 'core',
  examples: [{ title: 'what a branch changes', input: { from: 'main', to: 'feature/net' } }],
  async run({ repo }, { from, to, below, namespace }) {
    const changes = await (await repo(namespace)).diff(from, to, { below })
    return { from, to, changes: changes.map(wireChange) }
  },
})

const source = commitField.describe('The branch, tag or commit to take in')
const target = branchField.describe('The branch to merge into')

const merge = operation({
  name: 'merge',
  group: 'branches',
  summary: 'Merge a branch into another',
  guidance:
    'Makes a three-way merge with one merge commit. A conflict changes nothing and lists each path with base, ours and theirs: ' +
    'call again with resolutions ({"/a": "theirs"} or {"/a": {"value": 3}}) or policies. preview_merge shows the result first.',
  capability: 'merge',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    source,
    target,
    ...optionalWhyFields,
    ...mergeFields,
    fast_forward: z.boolean().default(false).describe('Move the branch without a merge commit where that is possible'),
    ...writeFields,
    namespace: namespaceField,
  }),
  output: mergedSchema,
  route: 'POST /api/merge',
  command: 'merge <source>',
  tools: 'core',
  examples: [
    {
      title: 'adopt a branch',
      input: { source: 'feature/net', description: 'Adopt flannel', reasoning: 'It passed the soak test' },
    },
  ],
  async run({ repo }, { source: from, target: into, policies, resolutions, fast_forward, namespace, ...why }) {
    const branch = (await repo(namespace)).on(into)
    const options = { ...mergeOptionsFrom({ policies, resolutions }), fastForward: fast_forward }
    return wireMerged(await branch.merge(from, { ...whyOr(`Merge ${from}`, why), ...options }))
  },
})

const previewMerge = operation({
  name: 'preview_merge',
  group: 'branches',
  summary: 'Show what a merge would do',
  guidance:
    'Writes nothing. Returns the changes that would land on the target, and the conflicts if there are any. Try resolutions ' +
    'and policies here before you merge.',
  ...reading,
  input: z.strictObject({ source, target, ...mergeFields, namespace: namespaceField }),
  output: mergePreviewSchema,
  route: 'POST /api/merge/preview',
  command: 'preview-merge <source>',
  tools: 'standard',
  examples: [{ title: 'would it conflict?', input: { source: 'feature/net' } }],
  async run({ repo }, { source: from, target: into, policies, resolutions, namespace }) {
    const branch = (await repo(namespace)).on(into)
    return wireMergePreview(await branch.previewMerge(from, mergeOptionsFrom({ policies, resolutions })))
  },
})

const replayInput = z.strictObject({
  commit: commitField.describe('The commit'),
  ref: branchField,
  ...optionalWhyFields,
  ...idempotencyKey,
  namespace: namespaceField,
})

type ReplayWords = Pick<
  Operation<typeof replayInput>,
  'name' | 'summary' | 'guidance' | 'route' | 'command' | 'tools' | 'examples'
>

/** One commit replayed on a branch, forwards or backwards. */
function replay(words: ReplayWords, verb: string, apply: 'revert' | 'cherryPick'): Operation {
  return operation({
    ...words,
    group: 'branches',
    capability: 'commit',
    effect: 'write',
    idempotent: false,
    input: replayInput,
    output: commitSchema,
    async run({ repo }, { commit, ref, namespace, ...why }) {
      return wireCommit(await (await repo(namespace)).on(ref)[apply](commit, whyOr(`${verb} ${commit}`, why)))
    },
  })
}

const revert = replay(
  {
    name: 'revert',
    summary: 'Take back what one commit changed',
    guidance:
      'Makes a new commit that undoes one earlier commit and keeps what came after it. Where later writes touched the same ' +
      'paths it is a conflict. To go back as a whole use rollback; for your own last action use undo.',
    route: 'POST /api/revert',
    command: 'revert <commit>',
    tools: 'standard',
    examples: [{ title: 'the last commit was wrong', input: { commit: 'main', reasoning: 'Latency went up' } }],
  },
  'Revert',
  'revert',
)

const cherryPick = replay(
  {
    name: 'cherry_pick',
    summary: 'Apply the change of one commit to another branch',
    guidance: 'Takes one commit of another branch without the rest of that branch. Use merge to take all of it.',
    route: 'POST /api/cherry-pick',
    command: 'cherry-pick <commit>',
    tools: 'all',
    examples: [{ title: 'one fix of a branch', input: { commit: 'feature/net' } }],
  },
  'Cherry-pick',
  'cherryPick',
)

const rollback = operation({
  name: 'rollback',
  group: 'branches',
  summary: 'Restore the state of a branch at an earlier commit',
  guidance:
    'Makes a new commit with the state of an earlier one. History stays, so a rollback can be undone. Use log to find the ' +
    'commit and diff to see what would change.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    to: commitField.describe('The commit to go back to'),
    ref: branchField,
    ...whyFields,
    ...idempotencyKey,
    namespace: namespaceField,
  }),
  output: commitSchema,
  route: 'POST /api/rollback',
  command: 'rollback <to>',
  tools: 'standard',
  examples: [{ title: 'back to a release', input: { to: 'release/1', description: 'Go back to release 1' } }],
  async run({ repo }, { to, ref, namespace, ...why }) {
    return wireCommit(await (await repo(namespace)).on(ref).rollback(to, whyFrom(why)))
  },
})

const undo = operation({
  name: 'undo',
  group: 'branches',
  summary: 'Undo your last operation',
  guidance:
    'Undoes the last operation of this agent that is not undone yet, or the journal entry given: it reverts a commit, or moves ' +
    'a branch or tag back. An undo can be undone. The result says what was done.',
  capability: 'commit',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    entry: z.number().int().min(1).optional().describe('The journal entry (seq) to undo; your last one when left out'),
    namespace: namespaceField,
  }),
  output: journalEventSchema,
  route: 'POST /api/undo',
  command: 'undo [entry]',
  tools: 'core',
  examples: [{ title: 'that was a mistake', input: {} }],
  async run({ repo }, { entry, namespace }) {
    return wireEvent(await (await repo(namespace)).undo(entry))
  },
})

export const mergingOperations: readonly Operation[] = [diff, merge, previewMerge, revert, rollback, cherryPick, undo]
