/**
 * The cases of the graph suite, and the place they run on.
 *
 * A case defines a graph, runs it and checks the outcome. Most run without a repository, in memory or in any store; cases
 * that open a place a second time need one that lasts.
 */
import type { Repository } from '../repository/index.ts'

/** A place where graphs run. */
export interface GraphPlace {
  /** Returns a repository, or undefined to run without one. A lasting place returns the same content each time. */
  open(): Repository | undefined | Promise<Repository | undefined>
}

/** One promise of graphs on a backend, as a test. */
export interface GraphCase {
  readonly name: string
  /** Skip the case on a place without a repository, or on one whose data does not survive closing. */
  readonly needs?: 'repository' | 'lasting'
  /** Throws when the promise is broken. The place must be fresh. */
  run(place: GraphPlace): Promise<void>
}

/** The options of `compile` that say where runs are stored. */
export interface Keeping {
  readonly repo?: Repository | undefined
}

/** Makes a case that runs with and without a repository. */
export function graphCase(name: string, test: (keeping: Keeping) => Promise<void>): GraphCase {
  return {
    name,
    async run(place) {
      const repo = await place.open()
      try {
        await test({ repo })
      } finally {
        await repo?.close()
      }
    },
  }
}

/** Makes a case that needs a repository. */
export function repositoryCase(name: string, test: (repo: Repository) => Promise<void>): GraphCase {
  return { ...graphCase(name, ({ repo }) => test(given(repo))), needs: 'repository' }
}

/** Makes a case that opens the place again and again; each repository is closed before the next is opened. */
export function lastingCase(
  name: string,
  test: (visit: <T>(work: (repo: Repository) => Promise<T>) => Promise<T>) => Promise<void>,
): GraphCase {
  return {
    name,
    needs: 'lasting',
    run: place =>
      test(async work => {
        const repo = given(await place.open())
        try {
          return await work(repo)
        } finally {
          await repo.close()
        }
      }),
  }
}

function given(repo: Repository | undefined): Repository {
  if (repo === undefined) throw new Error('This case needs a place with a repository.')
  return repo
}
