/** Browsing a state: its paths, a tree of them, and where a text occurs. */
import type { Entry, Repository, Snapshot } from 'agentstategraph'
import { z } from 'zod'
import { pathField, stateFields } from '../../wire/fields.ts'
import { hashText } from '../../wire/hash-text.ts'
import { type JsonValue, jsonValue, wireValue } from '../../wire/json-value.ts'
import { pageFields, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import { freshFields, isRoot, orFresh, pageAtOf, pageOrFresh, placeOrFresh } from './fresh-state.ts'
import { stateAt, type Where } from './state-at.ts'

const path = pathField.default('/').describe('Where to begin')
const kind = z.enum(['map', 'list', 'value'])
const size = z.number().int().describe('How many entries it has; 1 for a value')

const entrySchema = z.strictObject({ path: z.string(), kind, size }).meta({ id: 'Entry' })

const listPaths = operation({
  name: 'list_paths',
  summary: 'List the paths of a state',
  guidance:
    'Lists what is below a path, with kind and size, without reading values. Begin at the root with a small depth, then go ' +
    'deeper where it matters; get reads a value.',
  ...reading,
  input: () => ({
    path,
    depth: z.number().int().min(1).max(64).default(3).describe('How many levels down'),
    ...pageFields(200),
    ...stateFields,
  }),
  output: () => pageAtOf(entrySchema),
  route: 'GET /api/state/{ref}/paths',
  command: 'paths [path]',
  tools: 'core',
  examples: [{ title: 'what a cluster has', input: { path: '/cluster', depth: 1 } }],
  run: (repo, { path: below, depth, ...rest }) =>
    pageOrFresh(wirePage(stateAt(repo, rest).list(below, { depth }), rest), rest),
})

const treeSchema = z
  .strictObject({
    kind,
    size,
    value: jsonValue.optional().describe('Of a value'),
    get children() {
      return z
        .record(z.string(), treeSchema)
        .optional()
        .describe('By key or index; absent where the tree was not opened further')
    },
  })
  .meta({ id: 'Tree' })

type Tree = z.input<typeof treeSchema>

/** How many entries a tree may have: more would not be read by a person or a model. */
const MOST_ENTRIES = 2000

interface TreeAt {
  readonly ref: string
  readonly commit?: string
  readonly path: string
  readonly children: Record<string, Tree>
  readonly value?: JsonValue
  readonly is_cut: boolean
  readonly hint?: string
}

async function treeAt(repo: Repository, below: string, depth: number, where: Where): Promise<TreeAt> {
  const state = stateAt(repo, where)
  const entries = await state.list(below, { depth })
  const shown = entries.slice(0, MOST_ENTRIES)
  return {
    ref: where.ref,
    commit: (await state.head()).id,
    path: below,
    children: await treeOf(state, below, shown),
    ...(entries.length === 0 ? { value: wireValue(await state.get(below)) } : {}),
    is_cut: shown.length < entries.length,
  }
}

const getTree = operation({
  name: 'get_tree',
  summary: 'Show a state as a tree, some levels deep',
  guidance:
    'Returns structure and values together, down to depth; containers below that show only their size. Use it for an ' +
    'overview in one call. It shows at most 2000 entries; when is_cut is true there are more: call it with a deeper path.',
  ...reading,
  input: () => ({
    path,
    depth: z.number().int().min(1).max(64).default(3).describe('How many levels to open'),
    ...stateFields,
  }),
  output: () =>
    z.strictObject({
      ref: z.string(),
      commit: hashText.optional().describe('The commit that was read; absent before the first write'),
      path: z.string(),
      children: z.record(z.string(), treeSchema).describe('What is below the path, by key or index'),
      value: jsonValue.optional().describe('What is at the path, when nothing is below it'),
      is_cut: z.boolean().describe('Whether there are more entries than are shown'),
      ...freshFields,
    }),
  route: 'GET /api/state/{ref}/tree',
  command: 'tree [path]',
  tools: 'standard',
  examples: [{ title: 'the first two levels', input: { depth: 2 } }],
  async run(repo, { path: below, depth, ...where }) {
    const { ref } = where
    const reading = treeAt(repo, below, depth, where)
    if (!isRoot(below)) return placeOrFresh(reading, where, below)
    return orFresh(reading, where, hint => ({ ref, path: below, children: {}, is_cut: false, hint }))
  },
})

/** A container while its children are added. A map, because a key may be `__proto__`. */
interface Opened {
  readonly tree: Tree
  readonly children: Map<string, Opened>
}

/** Parents precede their children in a listing, so the parent of each entry is already in `inside`. */
async function treeOf(state: Snapshot, below: string, entries: readonly Entry[]): Promise<Record<string, Tree>> {
  const top = new Map<string, Opened>()
  const inside = new Map([[below === '/' ? '' : below, top]])
  for (const { path, kind: of, size: count } of entries) {
    const tree: Tree = { kind: of, size: count }
    if (of === 'value') tree.value = wireValue(await state.get(path))
    const opened = { tree, children: new Map<string, Opened>() }
    const cut = path.lastIndexOf('/')
    inside.get(path.slice(0, cut))?.set(
      path
        .slice(cut + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
      opened,
    )
    inside.set(path, opened.children)
  }
  return recordOf(top)
}

function recordOf(children: ReadonlyMap<string, Opened>): Record<string, Tree> {
  return Object.fromEntries(
    [...children].map(([key, { tree, children: below }]) => [
      key,
      below.size === 0 ? tree : { ...tree, children: recordOf(below) },
    ]),
  )
}

const search = operation({
  name: 'search',
  summary: 'Find a text in keys and values',
  guidance:
    'Searches the keys and values of a state for a text, ignoring case, and returns paths with values. To see ' +
    'who wrote one of them use blame.',
  ...reading,
  input: () => ({
    text: z.string().min(1).max(1000).describe('The text to look for'),
    below: pathField.default('/').describe('Only what is below this path'),
    ...pageFields(50),
    ...stateFields,
  }),
  output: () =>
    pageAtOf(z.strictObject({ path: z.string(), value: jsonValue.optional().describe('Absent for a container') })),
  route: 'GET /api/state/{ref}/search',
  command: 'search <text>',
  tools: 'core',
  examples: [{ title: 'everything about flannel', input: { text: 'flannel' } }],
  async run(repo, { text, below, ...rest }) {
    const found = wirePage(stateAt(repo, rest).search(text, { below }), rest, ({ path: at, value }) => ({
      path: at,
      ...(value === undefined ? {} : { value: wireValue(value) }),
    }))
    return pageOrFresh(found, rest)
  },
})

export const browseOperations: readonly Operation[] = inGroup('state', [listPaths, getTree, search])
