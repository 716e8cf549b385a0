/**
 * States, commits and epochs as resources, for clients that show them. Everything here is also reachable through tools.
 *
 * A resource at a commit never changes and may be cached; one at a branch may change at any time.
 */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Repository } from 'agentstategraph'
import { epochs } from 'agentstategraph/trust'
import type { CallLimits } from '../../host/call-limits.ts'
import { runAsCall } from '../../host/limited-run.ts'
import { pacedJson } from '../../host/paced-json.ts'
import { wireCommit } from '../../wire/commit.ts'
import { faultOf } from '../../wire/faults/fault.ts'
import { wireValue } from '../../wire/json-value.ts'
import { type Pace, pacedValue } from '../../wire/pace/paced-value.ts'
import { plainLine } from '../answer/plain-line.ts'
import { commitUri, epochUri, findTarget, resourceTemplates, stateUri, type Target } from './uri.ts'

const LISTED_AT_MOST = 100
const LISTED_COMMITS = 20
const SHOWN_ID = 12
const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const commitId = /^[0-9a-f]{64}$/

type RepoOf = (context: ServerContext) => Promise<Repository>

interface Kind {
  readonly name: string
  readonly template: string
  readonly title: string
  readonly description: string
  readonly list?: (repo: Repository) => Promise<readonly { readonly uri: string; readonly name: string }[]>
}

const kinds: readonly Kind[] = [
  {
    name: 'state',
    template: resourceTemplates.state,
    title: 'The value at a path of a ref',
    description: 'The value at a path of a branch, tag or commit, as JSON. A "/" inside a ref or a key is written %2F.',
  },
  {
    name: 'whole-state',
    template: resourceTemplates.wholeState,
    title: 'The whole state of a ref',
    description: 'Everything at a branch, tag or commit, as JSON.',
    async list(repo) {
      const branches = await repo.branches({ limit: LISTED_AT_MOST })
      return branches.map(({ name }) => ({ uri: stateUri(name), name: `State of ${name}` }))
    },
  },
  {
    name: 'commit',
    template: resourceTemplates.commit,
    title: 'A commit',
    description: 'Who changed the state, when, why, how sure they were and on whose authority. It never changes.',
    async list(repo) {
      const { items } = await repo.query({}).page({ limit: LISTED_COMMITS })
      return items.map(({ id }) => ({ uri: commitUri(id), name: `Commit ${id.slice(0, SHOWN_ID)}` }))
    },
  },
  {
    name: 'epoch',
    template: resourceTemplates.epoch,
    title: 'An epoch',
    description: 'A piece of work with its intents, and its seal when it is sealed.',
    async list(repo) {
      const { items } = await epochs(repo).list().page({ limit: LISTED_AT_MOST })
      return items.map(({ id }) => ({ uri: epochUri(id), name: `Epoch ${id}` }))
    },
  },
]

export function registerResources(
  server: McpServer,
  repoOf: RepoOf,
  limits: CallLimits,
  onUnexpected: (what: string, error: unknown) => void,
): void {
  /** Converts every error to what the client may see. */
  async function told<T>(uri: string, work: Parameters<typeof runAsCall<T>>[1]): Promise<T> {
    try {
      return await runAsCall(limits, work)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const { code, kind, message } = faultOf(error)
      const words = plainLine(`${code}: ${message}`)
      if (kind === 'internal') {
        onUnexpected(words, error)
        throw new ProtocolError(ProtocolErrorCode.InternalError, words)
      }
      if (kind === 'not-found' || kind === 'usage') throw new ResourceNotFoundError(uri, words)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, words, { uri, code })
    }
  }
  for (const { name, template, title, description, list } of kinds) {
    const listed =
      list &&
      ((context: ServerContext) =>
        told(template, async (_pace, limited) => ({ resources: [...(await list(limited(await repoOf(context))))] })))
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: listed }),
      { title, description, mimeType: 'application/json' },
      ({ href }, _variables, context) =>
        told(href, async (pace, limited) => readResource(href, limited(await repoOf(context)), limits, pace)),
    )
  }
}

async function readResource(
  uri: string,
  repo: Repository,
  { answerBytes }: CallLimits,
  pace: Pace,
): Promise<ReadResourceResult> {
  const target = findTarget(uri)
  if (target === undefined) throw new ResourceNotFoundError(uri)
  const text = await pacedJson(await read(target, repo, pace), answerBytes)
  return {
    contents: [{ uri, mimeType: 'application/json', text }],
    ttlMs: isImmutable(target) ? YEAR_MS : 0,
    cacheScope: 'private',
  }
}

async function read(target: Target, repo: Repository, pace: Pace): Promise<unknown> {
  switch (target.kind) {
    case 'state':
      return pacedValue(await repo.at(target.ref).get(target.path), pace)
    case 'commit':
      // Only a commit id: a branch could have any name.
      return wireCommit(await repo.at({ id: target.id }).head())
    case 'epoch':
      return wireValue(await epochs(repo).get(target.id))
  }
}

function isImmutable(target: Target): boolean {
  return target.kind === 'commit' || (target.kind === 'state' && commitId.test(target.ref))
}
