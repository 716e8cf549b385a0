/** The graph of commits by definition: sets of ancestors, and the common ones that no other common one leads to. */

interface HasParents {
  readonly parents: readonly number[]
}

/** A commit and all that led to it. */
export function ancestorsOf(commits: readonly HasParents[], from: number): Set<number> {
  const found = new Set([from])
  for (const n of found) for (const parent of commits[n]!.parents) found.add(parent)
  return found
}

/** The common ancestors of two commits that are no ancestors of another common one. */
export function basesOf(commits: readonly HasParents[], a: number, b: number): readonly number[] {
  const theirs = ancestorsOf(commits, b)
  const common = [...ancestorsOf(commits, a)].filter(n => theirs.has(n))
  return common.filter(n => !common.some(other => other !== n && ancestorsOf(commits, other).has(n)))
}
