/** Diff, merge, and undoing changes; each writes a new commit. */
import { z } from 'zod'
import {
  changeSchema,
  mergedSchema,
  mergeFields,
  mergeOptionsFrom,
  mergePreviewSchema,
  wireChanges,
  wireMerged,
  wireMergePreview,
} from '../../wire/change.ts'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import {
  branchField,
  commitField,
  idField,
  optionalWhyFields,
  pathField,
  whyFields,
  whyFrom,
  whyOr,
  writeFields,
} from '../../wire/fields.ts'
import { undoneSchema, wireUndone } from '../../wire/journal-event.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

const idempotencyKey = { idempotency_key: writeFields.idempotency_key }

const diff = operation({
  name: 'diff',
  summary: 'Show what differs between two refs',
  guidance:
    'Returns what changes between two refs, path by path, with values before and after. Narrow it with below. Use it before merge.',
  ...reading,
  input: () => ({
    from: commitField.describe('The ref before the changes'),
    to: commitField.describe('The ref after the changes'),
    below: pathField.default('/').describe('Only what is below this path'),
  }),
  output: () => z.strictObject({ from: z.string(), to: z.string(), changes: z.array(changeSchema) }),
  route: 'GET /api/diff',
  command: 'diff <from> <to>',
  tools: 'core',
  examples: [{ title: 'what a branch changes', input: { from: 'main', to: 'feature/net' } }],
  async run(repo, { from, to, below }, { pace }) {
    const changes = await repo.diff(from, to, { below })
    return { from, to, changes: await wireChanges(changes, pace) }
  },
})

const source = commitField.describe('The branch, tag or commit to take in')
const target = branchField.describe('The branch to merge into')

const merge = operation({
  name: 'merge',
  summary: 'Merge a branch into another',
  guidance:
    'Makes a three-way merge with one merge commit. A conflict changes nothing and lists each path with base, ours and theirs: ' +
    'call again with resolutions ({"/a": "theirs"} or {"/a": {"value": 3}}) or policies.',
  capability: 'merge',
  effect: 'write',
  input: () => ({
    source,
    target,
    ...optionalWhyFields,
    ...mergeFields,
    fast_forward: z.boolean().default(false).describe('Move the branch without a merge commit where that is possible'),
    ...writeFields,
  }),
  output: () => mergedSchema,
  route: 'POST /api/merge',
  command: 'merge <source>',
  tools: 'core',
  examples: [
    {
      title: 'adopt a branch',
      input: { source: 'feature/net', description: 'Adopt flannel', reasoning: 'It passed the soak test' },
    },
  ],
  async run(repo, { source: from, target: into, policies, resolutions, fast_forward, ...why }) {
    const branch = repo.on(into)
    const options = { ...mergeOptionsFrom({ policies, resolutions }), fastForward: fast_forward }
    return wireMerged(await branch.merge(from, { ...whyOr(`Merge ${from}`, why), ...options }))
  },
})

const previewMerge = operation({
  name: 'preview_merge',
  summary: 'Show what a merge would do',
  guidance:
    'Writes nothing. Returns the changes that would land on the target, and the conflicts if there are any. Try resolutions ' +
    'and policies here before you merge.',
  ...reading,
  input: () => ({ source, target, ...mergeFields }),
  output: () => mergePreviewSchema,
  route: 'POST /api/merge/preview',
  command: 'preview-merge <source>',
  tools: 'standard',
  examples: [{ title: 'would it conflict?', input: { source: 'feature/net' } }],
  async run(repo, { source: from, target: into, policies, resolutions }, { pace }) {
    const branch = repo.on(into)
    return wireMergePreview(await branch.previewMerge(from, mergeOptionsFrom({ policies, resolutions })), pace)
  },
})

/** One commit is replayed on a branch, forwards or backwards. */
const replay = {
  capability: 'commit',
  effect: 'write',
  input: () => ({
    commit: commitField.describe('The commit'),
    ref: branchField,
    ...optionalWhyFields,
    ...idempotencyKey,
  }),
  output: () => commitSchema,
} as const

const revert = operation({
  ...replay,
  name: 'revert',
  summary: 'Take back what one commit changed',
  guidance:
    'Makes a new commit that undoes one earlier commit and keeps what came after it. Where later writes touched the same ' +
    'paths it is a conflict. To go back as a whole use rollback; for your own last action use undo.',
  route: 'POST /api/revert',
  command: 'revert <commit>',
  tools: 'standard',
  examples: [{ title: 'the last commit was wrong', input: { commit: 'main', reasoning: 'Latency went up' } }],
  run: async (repo, { commit, ref, ...why }) =>
    wireCommit(await repo.on(ref).revert(commit, whyOr(`Revert ${commit}`, why))),
})

const cherryPick = operation({
  ...replay,
  name: 'cherry_pick',
  summary: 'Apply the change of one commit to another branch',
  guidance: 'Takes one commit of another branch without the rest of that branch. Use merge to take all of it.',
  route: 'POST /api/cherry-pick',
  command: 'cherry-pick <commit>',
  examples: [{ title: 'one fix of a branch', input: { commit: 'feature/net' } }],
  run: async (repo, { commit, ref, ...why }) =>
    wireCommit(await repo.on(ref).cherryPick(commit, whyOr(`Cherry-pick ${commit}`, why))),
})

const rollback = operation({
  name: 'rollback',
  summary: 'Restore the state of a branch at an earlier commit',
  guidance:
    'Makes a new commit with the state of an earlier one. History stays, so a rollback can be undone. Use log to find the ' +
    'commit and diff to see what would change.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => ({
    to: commitField.describe('The commit to go back to'),
    ref: branchField,
    ...whyFields,
    ...idempotencyKey,
  }),
  output: () => commitSchema,
  route: 'POST /api/rollback',
  command: 'rollback <to>',
  tools: 'standard',
  examples: [{ title: 'back to a release', input: { to: 'release/1', description: 'Go back to release 1' } }],
  run: async (repo, { to, ref, ...why }) => wireCommit(await repo.on(ref).rollback(to, whyFrom(why))),
})

const undo = operation({
  name: 'undo',
  summary: 'Undo your last operation',
  guidance:
    'The last that is not undone yet, or the journal entry given: it reverts a commit, or moves a branch or tag back. An undo can ' +
    'be undone.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    entry: z.number().int().min(1).optional().describe('Its seq in the journal'),
    ref: idField.optional().describe('Change no other branch'),
    dry_run: z.boolean().default(false).describe('Only show it'),
  }),
  output: () => undoneSchema,
  route: 'POST /api/undo',
  command: 'undo [entry]',
  tools: 'core',
  examples: [{ title: 'that was a mistake', input: {} }],
  run: async (repo, { entry, ref: on, dry_run }, { pace }) =>
    wireUndone(dry_run ? await repo.previewUndo(entry, { on }) : await repo.undo(entry, { on }), pace),
})

export const mergingOperations: readonly Operation[] = inGroup('branches', [
  diff,
  merge,
  previewMerge,
  revert,
  rollback,
  cherryPick,
  undo,
])
