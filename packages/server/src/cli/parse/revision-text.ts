/** Revisions as people type them: `HEAD` and `@` stand for the current branch, `HEAD^` for the commit before, and `main@{yesterday}` for where it was then. */
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { findMoment, momentHints } from './moment-text.ts'

/** The fields that take a revision, wherever they occur. */
const revisionFields: readonly string[] = ['ref', 'from', 'to', 'source', 'target', 'commit', 'since']

export function isRevisionField(operation: string, field: string): boolean {
  return revisionFields.includes(field) || (operation === 'get_commit' && field === 'id')
}

export function readRevision(text: string, branch: string, now: Date): string {
  const named = text
    .replaceAll('^', '~1')
    .replace(/^(?:HEAD|@)(?=$|~|@\{)/, branch)
    .replace(/^@\{/, `${branch}@{`)
  return named.replace(/@\{([^{}]*)\}/g, (_, moment: string) => {
    const found = findMoment(moment, now)
    if (found === undefined) throw usageRefusal(`${JSON.stringify(moment)} in ${text} is no moment`, momentHints.past)
    return `@{${found.toISOString()}}`
  })
}
