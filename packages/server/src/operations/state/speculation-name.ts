/** A speculation by what a caller knows of it: its id, its label, or the beginning of either. */
import { isStateError, type Repository, type Speculation, type SpeculationInfo } from 'agentstategraph'
import { serverError } from '../../wire/errors.ts'

const SHOWN_AT_MOST = 5

export async function getSpeculation(repo: Repository, name: string): Promise<Speculation> {
  try {
    return await repo.getSpeculation(name)
  } catch (error) {
    if (!isStateError(error, 'speculation-gone')) throw error
    const id = await findId(repo, name)
    if (id === undefined) throw error
    return repo.getSpeculation(id)
  }
}

/** The id of the open speculation of a name; where there is none, the name itself, so that what is done with it reports the end. */
export async function speculationNamed(repo: Repository, name: string): Promise<string> {
  try {
    return (await getSpeculation(repo, name)).id
  } catch (error) {
    if (isStateError(error, 'speculation-gone')) return name
    throw error
  }
}

async function findId(repo: Repository, name: string): Promise<string | undefined> {
  const open: readonly SpeculationInfo[] = await repo.speculations()
  const labelled = open.filter(({ label }) => label === name)
  const found =
    labelled.length > 0 ? labelled : open.filter(({ id, label }) => id.startsWith(name) || label?.startsWith(name))
  if (found.length <= 1) return found[0]?.id
  const matches = found.slice(0, SHOWN_AT_MOST).map(({ id, label }) => (label === undefined ? id : `${id} (${label})`))
  throw serverError('speculation-ambiguous', { name, matches })
}
