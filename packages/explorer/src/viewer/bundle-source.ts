/** Answers the questions of the views from a bundle that was opened in this page. Nothing can be written here. */
import {
  type Bundle,
  type CommitFilter,
  encode,
  isStateError,
  type Blame as LibraryBlame,
} from 'agentstategraph/browser/internal'
import type { Answers, Fields } from '../source/answers.ts'
import { Refusal } from '../source/refusal.ts'
import type { Blame, Change, Commit, Described, Page, Ref } from '../source/shapes/state.ts'
import type { Source } from '../source/source.ts'

type Read = (fields: Fields) => Promise<unknown>

/** Listings of the library, as far as a page of one is read. */
interface Pages<T> {
  page(options: {
    limit: number
    after?: string | undefined
  }): Promise<{ items: readonly T[]; next?: string | undefined }>
}

export function bundleSource(bundle: Bundle): Source {
  // The state of a bundle is that of the main branch, or where that did not move, of the newest commit.
  const at = ({ ref, as_of }: Fields): Bundle => {
    if (as_of !== undefined) return bundle.at(`${String(ref)}@{${String(as_of)}}`)
    return ref === undefined || ref === '' || ref === 'main' ? bundle : bundle.at(String(ref))
  }
  const path = ({ path: place }: Fields): string => String(place ?? '/')

  async function query(fields: Fields): Promise<Page<Commit>> {
    const { ref, limit, cursor, confidence_min: min, confidence_max: max, approved, as_of: _, ...rest } = fields
    const confidence = min === undefined && max === undefined ? {} : { confidence: { min, max } }
    const filter = { ...rest, ...confidence } as CommitFilter
    const commits = ref === '*' ? bundle.query(filter) : at(fields).log(filter)
    const isAsked = (commit: Commit): boolean => approved === undefined || isApproved(commit) === (approved !== 'no')
    let after = cursor as string | undefined
    const found: Commit[] = []
    do {
      const page = await pageOf(commits, { limit, cursor: after }, commitOf)
      found.push(...page.items.filter(isAsked))
      after = page.next_cursor
    } while (after !== undefined && found.length === 0)
    return after === undefined ? { items: found } : { items: found, next_cursor: after }
  }

  const reads: Readonly<Partial<Record<keyof Answers, Read>>> = {
    query,
    get_commit: async ({ id }) => describedOf(await bundle.at(String(id)).describe()),
    list_branches: () => refs(bundle, 'branch/'),
    list_tags: () => refs(bundle, 'tag/'),
    list_paths: fields =>
      pageOf(at(fields).list(path(fields), { depth: Number(fields['depth'] ?? 1) }), fields, one => one),
    get: async fields => ({ path: path(fields), value: encode(await at(fields).get(path(fields))) }),
    search: fields =>
      pageOf(at(fields).search(String(fields['text']), { below: String(fields['below'] ?? '/') }), fields, one => ({
        ...one,
        value: one.value === undefined ? undefined : encode(one.value),
      })),
    blame: async fields => {
      if (fields['chain'] !== true) return blameOf(await at(fields).blame(path(fields)))
      const { considered, observed, intents, next, ...blame } = await at(fields).blame(path(fields), { chain: true })
      const chain = {
        considered: considered.map(({ label, whyNot, changes }) => ({
          label,
          why_not: whyNot,
          changes: changes.map(changeOf),
        })),
        observed: observed.map(one => encode({ ...one })),
        intents,
        next: next.map(commitOf),
      }
      return { ...blameOf(blame), chain }
    },
    history: fields => pageOf(at(fields).history(path(fields)), fields, blameOf),
  }

  return {
    async ask(name, fields) {
      const read = reads[name]
      if (read === undefined) throw new Refusal('A bundle cannot answer that.', 'unsupported')
      try {
        return (await read(fields)) as never
      } catch (error) {
        if (!isStateError(error)) throw error
        throw new Refusal(error.message, error.code, error.hint)
      }
    },
    work: async () => {
      throw new Refusal('A bundle cannot answer that.', 'unsupported')
    },
    stream: () => {
      throw new Refusal('A bundle has no streams.', 'unsupported')
    },
    async follow() {},
    can: name => Object.hasOwn(reads, name),
    filters: ['approved'],
  }
}

function isApproved({ approval }: Commit): boolean {
  return approval !== undefined
}

async function refs(bundle: Bundle, prefix: string): Promise<Page<Ref>> {
  const cells = await bundle.handle.journal.log.refs(prefix)
  const items: Ref[] = []
  for (const { name } of cells) {
    const short = name.slice(prefix.length)
    items.push({ name: short, id: (await bundle.at(short).head()).id })
  }
  return { items }
}

async function pageOf<T, U>(listing: Pages<T>, { limit, cursor }: Fields, shown: (item: T) => U): Promise<Page<U>> {
  const { items, next } = await listing.page({ limit: Number(limit ?? 100), after: cursor as string | undefined })
  return next === undefined ? { items: items.map(shown) } : { items: items.map(shown), next_cursor: next }
}

type LibraryCommit = Awaited<ReturnType<Bundle['head']>>
type LibraryDescribed = Awaited<ReturnType<Bundle['describe']>>
type LibraryChange = LibraryDescribed['changes'][number]

function commitOf(commit: LibraryCommit): Commit {
  const { alternatives, expects, tools, answers, ...rest } = commit
  return {
    ...rest,
    alternatives: alternatives.map(({ label, whyNot }) => ({ label, why_not: whyNot })),
    expects: expects.map(one => encode(one)),
    tools: tools.map(one => encode(one)),
    ...(answers === undefined ? {} : { answers: answers.map(one => encode(one)) }),
  } as unknown as Commit
}

function describedOf({ changes, trimmed, chain, ...commit }: LibraryDescribed): Described {
  return {
    ...commitOf(commit),
    changes: changes.map(changeOf),
    ...(trimmed ? { trimmed } : {}),
    ...(chain === undefined ? {} : { delegation: chain }),
  }
}

function blameOf({ path, value, deleted, trimmed, draft, chain, ...commit }: LibraryBlame): Blame {
  return {
    ...commitOf(commit),
    path,
    ...(deleted === undefined ? { value: encode(value) } : { deleted }),
    ...(trimmed === undefined ? {} : { trimmed }),
    ...(draft === undefined ? {} : { draft }),
    ...(chain === undefined ? {} : { delegation: chain }),
  } as unknown as Blame
}

function changeOf(change: LibraryChange): Change {
  const values: Record<string, unknown> = {}
  if ('before' in change) values['before'] = encode(change.before)
  if ('after' in change) values['after'] = encode(change.after)
  return { ...change, ...values } as Change
}
