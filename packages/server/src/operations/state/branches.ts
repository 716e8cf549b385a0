/** Branches and tags: the names that lead to commits. */
import { isStateError, type Repository } from 'agentstategraph'
import { z } from 'zod'
import { commitField, idField } from '../../wire/fields.ts'
import { hashText } from '../../wire/hash-text.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

const nameField = idField.describe('Its name; / makes groups, as in feature/net')
const fromField = commitField.default('main').describe('Where it begins: a branch, a tag or a commit id')

const refSchema = z
  .strictObject({ name: z.string(), id: hashText.optional().describe('The commit it leads to, if it may be read') })
  .meta({
    id: 'Ref',
  })

/** Where a name leads now; without an id when it is gone again. */
async function shownRef(repo: Repository, name: string): Promise<{ name: string; id?: string }> {
  try {
    return { name, id: (await repo.at(name).head()).id }
  } catch (error) {
    if (isStateError(error, 'ref-not-found')) return { name }
    throw error
  }
}

const branch = operation({
  name: 'branch',
  summary: 'Create a branch',
  guidance:
    'Makes a branch that begins at another branch, a tag or a commit; the cost does not depend on the size of the state. Write ' +
    'to it with ref, inspect it with diff, and bring it back with merge.',
  capability: 'branch',
  effect: 'write',
  input: () => ({ name: nameField, from: fromField }),
  output: () => refSchema,
  route: 'POST /api/branches',
  command: 'branch create <name>',
  tools: 'core',
  examples: [{ title: 'try something on a branch', input: { name: 'feature/dns', from: 'main' } }],
  async run(repo, { name, from }) {
    const made = await repo.branch(name, { from })
    return { name, id: (await made.head()).id }
  },
  again: (repo, { name }) => shownRef(repo, name),
})

const refListing = {
  ...reading,
  input: () => ({ prefix: z.string().max(255).default('').describe('How the names begin'), ...pageFields(100) }),
  output: () => pageOf(refSchema),
}

const listBranches = operation({
  ...refListing,
  name: 'list_branches',
  summary: 'List branches',
  guidance: 'Gives the names of branches with the commit each is at. A prefix such as feature/ shows one group.',
  route: 'GET /api/branches',
  command: 'branch list [prefix]',
  tools: 'standard',
  examples: [{ title: 'all feature branches', input: { prefix: 'feature/' } }],
  run: async (repo, { prefix, ...page }) => wirePage(repo.branches({ prefix }), page),
})

const renameBranch = operation({
  name: 'rename_branch',
  summary: 'Rename a branch',
  guidance: 'Gives a branch another name; its commits do not change. Calls that use the old name fail afterwards.',
  capability: 'branch',
  effect: 'write',
  input: () => ({ name: nameField, to: nameField.describe('The new name') }),
  output: () => refSchema,
  route: 'POST /api/branches/{name}/rename',
  command: 'branch rename <name> <to>',
  examples: [{ title: 'a better name', input: { name: 'feature/net', to: 'feature/network' } }],
  async run(repo, { name, to }) {
    await repo.renameBranch(name, to)
    return { name: to, id: (await repo.on(to).head()).id }
  },
  again: (repo, { to }) => shownRef(repo, to),
})

const deletedSchema = z.strictObject({ name: z.string(), deleted: z.literal(true) })

const deleteBranch = operation({
  name: 'delete_branch',
  summary: 'Delete a branch',
  guidance: 'Removes the name. Until garbage is collected, undo restores the branch. main ' + 'cannot be deleted.',
  capability: 'delete-branch',
  effect: 'destructive',
  input: () => ({ name: nameField }),
  output: () => deletedSchema,
  route: 'DELETE /api/branches/{name}',
  command: 'branch delete <name>',
  tools: 'standard',
  examples: [{ title: 'a branch that was merged', input: { name: 'feature/net' } }],
  async run(repo, { name }) {
    await repo.deleteBranch(name)
    return { name, deleted: true as const }
  },
  again: (_repo, { name }) => ({ name, deleted: true as const }),
})

const tag = operation({
  name: 'tag',
  summary: 'Give a commit a permanent name',
  guidance: 'A tag never moves: use it to name a state that others should read, such as release/1. Read it with ref.',
  capability: 'tag',
  effect: 'write',
  input: () => ({ name: nameField, from: fromField.describe('The commit to name') }),
  output: () => refSchema,
  route: 'POST /api/tags',
  command: 'tag create <name>',
  examples: [{ title: 'mark a release', input: { name: 'release/2' } }],
  run: async (repo, { name, from }) => repo.tag(name, { from }),
  again: (repo, { name }) => shownRef(repo, name),
})

const listTags = operation({
  ...refListing,
  name: 'list_tags',
  summary: 'List tags',
  guidance: 'Gives the names of tags with the commit each leads to.',
  route: 'GET /api/tags',
  command: 'tag list [prefix]',
  examples: [{ title: 'all tags', input: {} }],
  run: async (repo, { prefix, ...page }) => wirePage(repo.tags({ prefix }), page),
})

const deleteTag = operation({
  name: 'delete_tag',
  summary: 'Delete a tag',
  guidance: 'Removes the name. The commit stays as long as something else leads to it.',
  capability: 'tag',
  effect: 'destructive',
  input: () => ({ name: nameField }),
  output: () => deletedSchema,
  route: 'DELETE /api/tags/{name}',
  command: 'tag delete <name>',
  examples: [{ title: 'a tag that was wrong', input: { name: 'release/1' } }],
  async run(repo, { name }) {
    await repo.deleteTag(name)
    return { name, deleted: true as const }
  },
  again: (_repo, { name }) => ({ name, deleted: true as const }),
})

export const branchOperations: readonly Operation[] = inGroup('branches', [
  branch,
  listBranches,
  renameBranch,
  deleteBranch,
  tag,
  listTags,
  deleteTag,
])
