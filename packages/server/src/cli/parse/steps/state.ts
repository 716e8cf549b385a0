/** What people want next after reading and changing the state. */
import { isRecord } from '../../../wire/wired.ts'
import { type Done, firstOf, type Steps, shortWord, word } from './done.ts'

function firstPath({ items, changes }: Done['result']): unknown {
  return firstOf({ items, changes })?.['path']
}

function shown(result: Done['result']): string | undefined {
  const id = firstOf(result)?.['id']
  return typeof id === 'string' ? `show ${shortWord(id)}` : undefined
}

/** Where no commit passed the filters: who wrote at all, or what was written last. */
function listed({ input, result }: Done): string | undefined {
  return shown(result) ?? (input['agent'] === undefined ? 'log -n 5' : 'activity')
}

export const stateSteps: Steps = {
  get: ({ input: { path = '/' } }) => (path === '/' ? 'tree' : `blame ${word(path)}`),
  set: ({ input: { path } }) => `blame ${word(path)}`,
  delete: () => 'undo --dry-run',
  commit: () => 'show HEAD',
  list_paths: ({ result }) => `get ${word(firstPath(result) ?? '/')}`,
  get_tree: ({ result }) => {
    const children = isRecord(result['children']) ? Object.keys(result['children']) : []
    return `get ${word(`/${children[0] ?? ''}`)}`
  },
  search: ({ result }) => (firstOf(result) === undefined ? 'paths' : `blame ${word(firstPath(result))}`),
  log: listed,
  query: listed,
  get_commit: ({ result }) => `blame ${word(firstPath(result) ?? '/')}`,
  blame: ({ result: { path } }) => `history ${word(path)}`,
  history: ({ result }) => shown(result),
  blame_tree: ({ result }) => `blame ${word(firstOf(result)?.['path'] ?? '/')}`,
  revert: () => 'show HEAD',
  rollback: () => 'show HEAD',
  cherry_pick: () => 'show HEAD',
  activity: () => 'log -n 5',
  calibration: () => 'log -n 5',
  propose_intent: ({ result: { id } }) => `intent authorize ${word(id)} --reason 'Why it may begin'`,
  authorize_intent: ({ input: { id } }) => `intent start ${word(id)} --reason 'It begins'`,
  start_intent: ({ input: { id } }) => `intent complete ${word(id)} --reason 'What came of it'`,
  complete_intent: ({ input: { id } }) => `intent show ${word(id)}`,
  fail_intent: ({ input: { id } }) => `intent show ${word(id)}`,
  block_intent: ({ input: { id } }) => `intent show ${word(id)}`,
  resolve_intent: ({ input: { id } }) => `intent show ${word(id)}`,
  get_intent: () => 'intent tree',
  list_intents: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? 'intent tree' : `intent show ${word(first['id'])}`
  },
  rename_branch: () => 'branch list',
  list_tags: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? 'tag create v1' : `get / --ref ${word(first['name'])}`
  },
  delete_tag: () => 'tag list',
  diff: ({ input: { to } }) => `log ${word(to)} -n 5`,
  branch: ({ result: { name } }) => `switch ${word(name)}`,
  list_branches: ({ result }) => `log ${word(firstOf(result)?.['name'] ?? 'main')} -n 5`,
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
  spec_modify: ({ input: { id } }) => `spec compare ${word(id)}`,
  spec_get: ({ input: { id } }) => `spec compare ${word(id)}`,
  compare: ({ input: { speculations } }) => {
    const [first] = Array.isArray(speculations) ? speculations : []
    return `spec commit ${word(first)} -m 'Why this one'`
  },
  commit_spec: () => 'show HEAD',
  discard: () => 'spec list',
  list_specs: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? 'spec new --label try' : `spec compare ${word(first['label'] ?? first['id'])}`
  },
  intent_tree: () => 'log -n 5',
  observe: () => 'calibration',
  commit_graph: ({ result: { commits } }) => {
    const [first] = Array.isArray(commits) ? commits.filter(isRecord) : []
    return first === undefined ? undefined : `show ${shortWord(first['id'])}`
  },
}
