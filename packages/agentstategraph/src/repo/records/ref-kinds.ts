/** The kinds of refs that lead to what landed, by how their names begin. */

export const branchPrefix = 'branch/'
export const tagPrefix = 'tag/'
/** Threads of graphs are read, compared and merged like branches, and listed on their own. */
export const threadPrefix = 'thread/'

/** What a thread has beside its head while something happens in it. */
export const runPrefix = 'run/'
/** Runs that go on beside a thread, each under the thread's name and one of its own. */
export const besidePrefix = 'beside/'

/** Whether a ref is one that people and programs find commits by. Drafts and what the system keeps are not. */
export function leadsToLanded(ref: string): boolean {
  return ref.startsWith(branchPrefix) || ref.startsWith(tagPrefix) || ref.startsWith(threadPrefix)
}
