/**
 * Parses the texts of entries and commits, which may come from anywhere. The shapes are those of docs/bundle.md.
 */

import { isId, utf8Length } from '../../core/index.ts'
import type { CommitRecord, EntryRecord } from '../../store/index.ts'
import { readStrict } from '../strict-text.ts'
import { fieldsOf, fits, isInteger, isText, listOf, shape } from './format.ts'

const MAX_TEXT_BYTES = 64 * 1024
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Whether a value is an id as texts have it, in base64url. */
export function isIdText(value: unknown): value is string {
  return isText(value) && isId(value)
}

/** Whether a value is a time as texts have it, of a moment that exists: `Date.parse` would read 30 February as 2 March. */
export function isTime(value: unknown): value is string {
  if (!isText(value) || !TIME.test(value)) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && new Date(time).toISOString() === value
}

const isTexts = listOf(isText)
const isIds = listOf(isIdText)
const isSome = (isList: (value: unknown) => boolean) => (value: unknown) => isList(value) && (value as []).length > 0
const isPlace = (value: unknown): boolean => value === null || isInteger(value)
const isMove = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && isText(value[0]) && isPlace(value[1]) && isPlace(value[2])

const requestShape = shape({ key: isIdText, digest: isIdText })

const entryShape = shape({
  v: value => value === 2,
  kind: isText,
  time: isTime,
  agent: isText,
  moves: listOf(isMove),
  'commit?': isIdText,
  'pack?': isIdText,
  'changed?': isTexts,
  'body?': () => true,
  'name?': isText,
  'request?': value => fits(fieldsOf(value) ?? {}, requestShape),
})

const intentShape = shape({
  id: isText,
  category: isText,
  description: isText,
  'parent?': isText,
  'tags?': isSome(isTexts),
})

const commitShape = shape({
  v: value => value === 2,
  tree: isIdText,
  system: isIdText,
  parents: isIds,
  time: isTime,
  agent: isText,
  intent: value => fits(fieldsOf(value) ?? {}, intentShape),
  salt: isText,
  'actors?': isSome(isTexts),
  'drafts?': isSome(isIds),
  'principal?': isText,
  'session?': isText,
  'reasoning?': isText,
  'schema?': isText,
  'trace?': isText,
  'authority?': isSome(isTexts),
  'confidence?': value => isInteger(value) && value >= 0 && value <= 1_000_000,
  'detail?': isIdText,
  'merge?': () => true,
})

/** The entry of a text; undefined when the text is not one. */
export function findEntryRecord(text: string): EntryRecord | undefined {
  const fields = strictFields(text)
  if (fields === undefined || !fits(fields, entryShape)) return undefined
  if ('commit' in fields !== 'pack' in fields) return undefined
  return { ...(fields as unknown as EntryRecord), time: Date.parse(fields['time'] as string) }
}

/** The commit of a text; undefined when the text is not one. */
export function findCommitRecord(text: string): CommitRecord | undefined {
  const fields = strictFields(text)
  if (fields === undefined || !fits(fields, commitShape)) return undefined
  return { ...(fields as unknown as CommitRecord), time: Date.parse(fields['time'] as string) }
}

function strictFields(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > MAX_TEXT_BYTES || utf8Length(text) > MAX_TEXT_BYTES) return undefined
  return fieldsOf(readStrict(text))
}
