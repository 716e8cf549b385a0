/**
 * What a case of the graph suite is, and what it works on.
 *
 * A case defines a graph, runs it and says what has to come of it. It runs the same whether nothing is kept, in memory or in
 * a store of your own; only those that open a place a second time need one that lasts.
 */
import type { Repository } from '../repository/index.ts'

/** A place where graphs run. */
export interface GraphPlace {
  /** Returns a repository, or undefined to run without one. A lasting place gives the same content each time. */
  open(): Repository | undefined | Promise<Repository | undefined>
}

export interface GraphCase {
  readonly name: string
  /** Skip the case on a place without a repository, or on one that forgets when its repository is closed. */
  readonly needs?: 'repository' | 'lasting'
  /** Throws when the promise is broken. The place must be fresh. */
  run(place: GraphPlace): Promise<void>
}

/** What `compile` is told about where the runs are kept. */
export interface Keeping {
  readonly repo?: Repository | undefined
}

/** Makes a case that runs on whatever there is. */
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

/** Makes a case about what a repository adds. */
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
