/** Getting to know what may not be read by other names for it: a place before a head, a moment, the beginning of an id. */
import { gc, setRetention } from '../../../src/maintenance/index.ts'
import type { Repository } from '../../../src/repository/index.ts'
import type { Question } from './bypass-reads.ts'
import { told } from './limited-reader.ts'

/** The head of main, and the commit before it, change only what is hidden; there is a name for each, and for their moments. */
const names = ['main', 'HEAD', 'main~0', 'main~1', 'HEAD~2', 'main~99', 'main@{2090-01-01T00:00:00Z}', 'secret/plan~1']

const routes: Readonly<Record<string, (reader: Repository, name: string) => unknown>> = {
  reads: (reader, name) => reader.at(name).get('/public'),
  'reads of the commit': (reader, name) => reader.at(name).head(),
  logs: (reader, name) => reader.at(name).log(),
  blame: (reader, name) => reader.at(name).blame('/public/greeting'),
  differences: (reader, name) => reader.diff(name, 'open/one'),
  reverts: (reader, name) => reader.revert(name),
  'commits that are brought over': (reader, name) => reader.on('open/one').cherryPick(name),
  merges: (reader, name) => reader.on('open/one').previewMerge(name),
  rollbacks: (reader, name) => reader.rollback(name, 'Try'),
  branches: (reader, name) => reader.branch(`open/${name.replaceAll(/\W/g, '-')}`, { from: name }),
  tags: (reader, name) => reader.tag(`open/${name.replaceAll(/\W/g, '-')}`, { from: name }),
  speculations: async (reader, name) =>
    (await reader.at(name).head()) && (await reader.speculate({ label: name })).base,
  observations: (reader, name) => reader.observe(name, { held: true }),
}

async function hide(repo: Repository): Promise<void> {
  for (const n of [1, 2]) await repo.set('/private/token', `x${n}`, 'Hidden')
}

async function answers(
  reader: Repository,
  names: readonly string[],
  route: (reader: Repository, name: string) => unknown,
) {
  const all: string[] = []
  for (const name of names) all.push(await told(() => route(reader, name)))
  return all
}

export const revisionQuestions: readonly Question[] = [
  ...Object.entries(routes).map(([what, route]) => ({
    name: `what is hidden behind other names, by ${what},`,
    prepare: hide,
    ask: (reader: Repository) => answers(reader, names, route),
  })),
  {
    name: 'the hash of a state that is no longer stored',
    async prepare(repo) {
      await hide(repo)
      await repo.set('/public/greeting', 'newer', 'Greet again')
      await setRetention(repo, { count: 1 })
      await gc(repo, { keepNewerMs: -1 })
    },
    ask: reader => answers(reader, ['main~1', 'main~2', 'main~3', 'main~4'], (by, name) => by.at(name).get('/public')),
  },
]
