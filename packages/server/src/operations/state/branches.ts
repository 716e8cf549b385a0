/** Branches and tags: the names that lead to commits. */
import type { Listing, Ref, RefFilter, Repository } from 'agentstategraph'
import { z } from 'zod'
import { commitField, idField, namespaceField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { type Operation, operation, reading } from '../operation.ts'

const nameField = idField.describe('Its name; / makes groups, as in feature/net')
const fromField = commitField.default('main').describe('Where it begins: a branch, a tag or a commit id')

const refSchema = z.strictObject({ name: z.string(), id: z.string().describe('The commit it leads to') }).meta({
  id: 'Ref',
})

const branch = operation({
  name: 'branch',
  group: 'branches',
  summary: 'Create a branch',
  guidance:
    'Makes a branch that begins at another branch, a tag or a commit; the cost does not depend on the size of the state. Write ' +
    'to it with ref, inspect it with diff, and bring it back with merge. To try something disposable use speculate.',
  capability: 'branch',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ name: nameField, from: fromField, namespace: namespaceField }),
  output: refSchema,
  route: 'POST /api/branches',
  command: 'branch create <name>',
  tools: 'core',
  examples: [{ title: 'try something on a branch', input: { name: 'feature/dns', from: 'main' } }],
  async run({ repo }, { name, from, namespace }) {
    const made = await (await repo(namespace)).branch(name, { from })
    return { name, id: (await made.head()).id }
  },
})

type RefWords = Pick<Operation, 'name' | 'summary' | 'guidance' | 'route' | 'command' | 'tools' | 'examples'>

function refListing(words: RefWords, list: (repo: Repository, filter: RefFilter) => Listing<Ref>): Operation {
  return operation({
    ...words,
    ...reading,
    group: 'branches',
    input: z.strictObject({
      prefix: z.string().max(255).default('').describe('How the names begin'),
      ...pageFields(100),
      namespace: namespaceField,
    }),
    output: pageOf(refSchema),
    async run({ repo }, { prefix, namespace, ...page }) {
      return wirePage(list(await repo(namespace), { prefix }), page, ref => ({ ...ref }))
    },
  })
}

const listBranches = refListing(
  {
    name: 'list_branches',
    summary: 'List branches',
    guidance: 'Gives the names of branches with the commit each is at. A prefix such as feature/ shows one group.',
    route: 'GET /api/branches',
    command: 'branch list [prefix]',
    tools: 'standard',
    examples: [{ title: 'all feature branches', input: { prefix: 'feature/' } }],
  },
  (repo, filter) => repo.branches(filter),
)

const renameBranch = operation({
  name: 'rename_branch',
  group: 'branches',
  summary: 'Rename a branch',
  guidance: 'Gives a branch another name; its commits do not change. Calls that use the old name fail afterwards.',
  capability: 'branch',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ name: nameField, to: nameField.describe('The new name'), namespace: namespaceField }),
  output: refSchema,
  route: 'POST /api/branches/{name}/rename',
  command: 'branch rename <name> <to>',
  tools: 'all',
  examples: [{ title: 'a better name', input: { name: 'feature/net', to: 'feature/network' } }],
  async run({ repo }, { name, to, namespace }) {
    const found = await repo(namespace)
    await found.renameBranch(name, to)
    return { name: to, id: (await found.on(to).head()).id }
  },
})

const deletedSchema = z.strictObject({ name: z.string(), deleted: z.literal(true) })

const deleteBranch = operation({
  name: 'delete_branch',
  group: 'branches',
  summary: 'Delete a branch',
  guidance:
    'Removes the name. gc may later collect commits that nothing else leads to; until then undo restores the branch. main ' +
    'cannot be deleted.',
  capability: 'delete-branch',
  effect: 'destructive',
  idempotent: false,
  input: z.strictObject({ name: nameField, namespace: namespaceField }),
  output: deletedSchema,
  route: 'DELETE /api/branches/{name}',
  command: 'branch delete <name>',
  tools: 'all',
  examples: [{ title: 'a branch that was merged', input: { name: 'feature/net' } }],
  async run({ repo }, { name, namespace }) {
    await (await repo(namespace)).deleteBranch(name)
    return { name, deleted: true as const }
  },
})

const tag = operation({
  name: 'tag',
  group: 'branches',
  summary: 'Give a commit a permanent name',
  guidance: 'A tag never moves: use it to name a state that others should read, such as release/1. Read it with ref.',
  capability: 'tag',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ name: nameField, from: fromField.describe('The commit to name'), namespace: namespaceField }),
  output: refSchema,
  route: 'POST /api/tags',
  command: 'tag create <name>',
  tools: 'all',
  examples: [{ title: 'mark a release', input: { name: 'release/2' } }],
  async run({ repo }, { name, from, namespace }) {
    return (await repo(namespace)).tag(name, { from })
  },
})

const listTags = refListing(
  {
    name: 'list_tags',
    summary: 'List tags',
    guidance: 'Gives the names of tags with the commit each leads to.',
    route: 'GET /api/tags',
    command: 'tag list [prefix]',
    tools: 'all',
    examples: [{ title: 'all tags', input: {} }],
  },
  (repo, filter) => repo.tags(filter),
)

const deleteTag = operation({
  name: 'delete_tag',
  group: 'branches',
  summary: 'Delete a tag',
  guidance: 'Removes the name. The commit stays as long as something else leads to it.',
  capability: 'tag',
  effect: 'destructive',
  idempotent: false,
  input: z.strictObject({ name: nameField, namespace: namespaceField }),
  output: deletedSchema,
  route: 'DELETE /api/tags/{name}',
  command: 'tag delete <name>',
  tools: 'all',
  examples: [{ title: 'a tag that was wrong', input: { name: 'release/1' } }],
  async run({ repo }, { name, namespace }) {
    await (await repo(namespace)).deleteTag(name)
    return { name, deleted: true as const }
  },
})

export const branchOperations: readonly Operation[] = [
  branch,
  listBranches,
  renameBranch,
  deleteBranch,
  tag,
  listTags,
  deleteTag,
]
