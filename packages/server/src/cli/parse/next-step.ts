/** After a command that worked, the one that people usually want next. It is shown on a terminal only. */
import { isRecord } from '../../wire/wired.ts'
import { shellWord } from '../terminal/command-text.ts'

type Fields = Readonly<Record<string, unknown>>

/** What was asked and what was answered. */
interface Done {
  readonly input: Fields
  readonly result: Fields
}

const SHORT_ID = 12

function word(value: unknown): string {
  return shellWord(String(value))
}

function itemsOf({ items }: Fields): readonly Fields[] {
  return Array.isArray(items) ? items.filter(isRecord) : []
}

function firstPath({ items, changes }: Fields): unknown {
  const listed = [items, changes].flatMap(list => (Array.isArray(list) ? list : [])).find(isRecord)
  return listed?.['path']
}

const steps: Readonly<Record<string, (done: Done) => string | undefined>> = {
  get: ({ input: { path = '/' } }) => (path === '/' ? 'tree' : `blame ${word(path)}`),
  set: ({ input: { path } }) => `blame ${word(path)}`,
  delete: () => 'undo --dry-run',
  commit: () => 'show HEAD',
  list_paths: ({ result }) => `get ${word(firstPath(result) ?? '/')}`,
  get_tree: ({ result }) => {
    const children = isRecord(result['children']) ? Object.keys(result['children']) : []
    return `get ${word(`/${children[0] ?? ''}`)}`
  },
  search: ({ result }) => `blame ${word(firstPath(result) ?? '/')}`,
  log: ({ result }) => shown(result),
  query: ({ result }) => shown(result),
  get_commit: ({ result }) => `blame ${word(firstPath(result) ?? '/')}`,
  blame: ({ result: { path } }) => `history ${word(path)}`,
  history: ({ result }) => shown(result),
  diff: ({ input: { to } }) => `log ${word(to)} -n 5`,
  branch: ({ result: { name } }) => `switch ${word(name)}`,
  list_branches: ({ result }) => `log ${word(itemsOf(result)[0]?.['name'] ?? 'main')} -n 5`,
  delete_branch: ({ result: { name } }) => `undo --ref ${word(name)}`,
  tag: ({ result: { name } }) => `get / --ref ${word(name)}`,
  merge: () => 'log --graph',
  preview_merge: ({ input: { source } }) => `merge ${word(source)}`,
  undo: ({ result: { seq, entry, refs } }) => {
    const [first] = Array.isArray(refs) ? refs.filter(isRecord) : []
    return seq === undefined ? `undo ${String(entry)} --ref ${word(first?.['name'])}` : undefined
  },
  speculate: ({ result: { id, label } }) => `spec set ${word(label ?? id)} /path value -m 'What to try'`,
  spec_set: ({ input: { id } }) => `spec compare ${word(id)}`,
  compare: ({ input: { speculations } }) => {
    const [first] = Array.isArray(speculations) ? speculations : []
    return `spec commit ${word(first)} -m 'Why this one'`
  },
  commit_spec: () => 'show HEAD',
  discard: () => 'spec list',
  list_specs: ({ result }) => {
    const [first] = itemsOf(result)
    return first === undefined ? 'spec new --label try' : `spec compare ${word(first['label'] ?? first['id'])}`
  },
  intent_tree: () => 'log -n 5',
  observe: () => 'calibration',
  create_epoch: ({ result: { id } }) => `epoch seal ${word(id)} 'What it holds'`,
  seal_epoch: ({ result: { id } }) => `epoch export ${word(id)} --out ${word(`${String(id)}.jsonl`)}`,
  list_epochs: ({ result }) => {
    const [first] = itemsOf(result)
    return first === undefined ? "epoch create q1 'First quarter'" : `epoch show ${word(first['id'])}`
  },
  verify: () => 'stats',
  stats: () => 'verify',
  create_namespace: ({ result: { name } }) => `principal add agent/a --namespace ${word(name)}`,
  list_namespaces: ({ result: { namespaces } }) => {
    const last = Array.isArray(namespaces) ? namespaces.at(-1) : undefined
    return last === 'default' ? 'namespace create team' : `get / --namespace ${word(last)}`
  },
  delete_namespace: () => 'namespace list',
  grant: ({ result: { to }, input: { namespace } }) =>
    `explain ${word(to)} commit${namespace === undefined ? '' : ` --namespace ${word(namespace)}`}`,
  commit_graph: ({ result: { commits } }) => {
    const [first] = Array.isArray(commits) ? commits.filter(isRecord) : []
    return first === undefined ? undefined : `show ${String(first['id']).slice(0, SHORT_ID)}`
  },
  add_principal: ({ input: { namespace }, result: { id } }) =>
    `grant add ${word(id)} read commit${namespace === undefined ? '' : ` --namespace ${word(namespace)}`}`,
}

function shown(result: Fields): string | undefined {
  const id = itemsOf(result)[0]?.['id']
  return typeof id === 'string' ? `show ${id.slice(0, SHORT_ID)}` : undefined
}

/** The command line after `asg`. */
export function findNextStep(operation: string, input: Fields, result: unknown): string | undefined {
  return isRecord(result) ? steps[operation]?.({ input, result }) : undefined
}
