/** Why a schema refused a field, in words for whoever typed it. */
import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
}

/** What limits count in: characters of a text, items of a list; a number counts itself. */
const units: Readonly<Record<string, string>> = { array: ' items', string: ' characters' }

export function issueReason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeReason(issue.expected, issue.message)
    case 'too_small': {
      const { origin, minimum, inclusive } = issue
      const unit = units[origin]
      if (unit !== undefined) return minimum === 1 ? 'it is empty' : `it has fewer than ${minimum}${unit}`
      return inclusive === false ? `it has to be more than ${minimum}` : `it is less than ${minimum}`
    }
    case 'too_big': {
      const { origin, maximum, inclusive } = issue
      const unit = units[origin]
      if (unit !== undefined) return `it has more than ${maximum}${unit}`
      return inclusive === false ? `it has to be less than ${maximum}` : `it is more than ${maximum}`
    }
    case 'invalid_value':
      return choiceReason(issue.values)
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined ? choiceReason(issue.options) : issue.message
    default:
      return issue.message
  }
}

function choiceReason(choices: readonly unknown[]): string {
  return `it has to be ${choices.length === 1 ? '' : 'one of '}${choices.map(String).join(', ')}`
}

/** The issue names what came in its message alone. */
function typeReason(expected: string, message: string): string {
  const found = /received (\w+)$/.exec(message)?.[1] ?? ''
  if (found === 'undefined') return 'it is missing'
  const wanted = `it has to be ${kinds[expected] ?? expected}`
  const came = kinds[found]
  const isKind = came === kinds[expected] || (expected === 'int' && found === 'number')
  return came === undefined || isKind ? wanted : `${wanted}, not ${came}`
}
