/** What was done, as a sentence: for operations whose result is little more than a name. */
import { visibleText } from '../terminal/visible-text.ts'
import { shortId } from './commit-line.ts'
import type { Fields, Printer } from './show.ts'

function text(value: unknown): string {
  return visibleText(String(value))
}

const sentences: Readonly<Record<string, (result: Fields) => string>> = {
  branch: ({ name, id }) => `Made the branch ${text(name)} at ${shortId(String(id))}`,
  delete_branch: ({ name }) => `Deleted the branch ${text(name)}`,
  tag: ({ name, id }) => `Made the tag ${text(name)} at ${shortId(String(id))}`,
  delete_tag: ({ name }) => `Deleted the tag ${text(name)}`,
  speculate: ({ id, label, branch }) =>
    `Made the speculation ${label === undefined ? text(id) : `${text(label)} (${text(id)})`} from ${text(branch)}`,
  spec_set: ({ id, edits }) =>
    `Changed ${text(edits)} ${edits === 1 ? 'place' : 'places'} in the speculation ${text(id)}`,
  discard: ({ id, label }) => `Discarded the speculation ${text(label ?? id)}`,
  observe: ({ commit, held }) =>
    `Noted: what ${shortId(String(commit))} expected ${held === true ? 'held' : 'did not hold'}`,
  resolve_intent: ({ id, outcome }) => `Noted: the intent ${text(id)} is ${text(outcome)}`,
  create_namespace: ({ name }) => `Made the namespace ${text(name)}`,
  delete_namespace: ({ name }) => `Deleted the namespace ${text(name)} with everything in it`,
  add_principal: ({ id, key }) => `Added ${text(id)}. Its key, shown only now:\n${text(key)}`,
  add_key: ({ id, key }) => `Added the key ${text(id)}, shown only now:\n${text(key)}`,
}

/** By operation, its printer. */
export const donePrinters: Readonly<Record<string, Printer>> = Object.fromEntries(
  Object.entries({ ...sentences, spec_modify: sentences['spec_set']! }).map(([name, sentence]) => [
    name,
    (result: unknown) => sentence(result as Fields),
  ]),
)
