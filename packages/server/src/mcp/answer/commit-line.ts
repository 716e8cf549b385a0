/** A commit in one line: which, when, who, what for, and what this answer adds to it. */
import { commitFields } from '../../wire/commit.ts'
import { isRecord } from '../../wire/wired.ts'
import type { Defs, JsonSchema } from '../json-schema.ts'

const shown = ['id', 'timestamp', 'agent']
/** What a write says of the commit that it made. */
const ofWrites = ['changed', 'receipt', 'warnings', 'approval']

/** Whether properties are those of a commit. */
export function isCommit(properties: Defs): boolean {
  return Object.keys(commitFields).every(key => key in properties)
}

export function lineOf(
  commit: Readonly<Record<string, unknown>>,
  isWritten: boolean,
): Readonly<Record<string, unknown>> {
  const { intent, timestamp } = commit
  const line = Object.entries(commit).filter(([key]) => isShown(key, isWritten))
  return {
    ...Object.fromEntries(line),
    // A second is enough to read by; get_commit has the rest.
    ...(typeof timestamp === 'string' ? { timestamp: timestamp.replace(/\.\d+Z$/, 'Z') } : {}),
    ...(isRecord(intent) ? { description: intent['description'] } : {}),
  }
}

export function lineProperties(properties: Defs, isWritten: boolean): Defs {
  const line = Object.entries(properties).filter(([key]) => isShown(key, isWritten))
  const description: JsonSchema = { type: 'string' }
  return { ...Object.fromEntries(line), description }
}

/** What is no field of a commit belongs to the answer: its path and value, how a merge went, what a signer gave. */
function isShown(key: string, isWritten: boolean): boolean {
  return ofWrites.includes(key) ? isWritten : shown.includes(key) || !(key in commitFields)
}
