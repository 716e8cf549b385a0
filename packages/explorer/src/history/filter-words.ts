/**
 * The filters of `query`, typed as words: `agent:agent/scaler path:/cluster confidence:<0.5 traffic`.
 *
 * Words without a name are searched in descriptions and reasoning.
 */
import type { Fields } from '../source/answers.ts'
import { readMoment } from './moment-words.ts'

/** Named filters, in the order in which the page explains them. */
export const filterNames = [
  'agent',
  'path',
  'category',
  'tag',
  'since',
  'until',
  'session',
  'intent',
  'epoch',
  'confidence',
  'authority',
  'deviated',
  'exact',
] as const

/** The fields of `query`, or the word that cannot be understood, in words for the person who typed it. */
export function readFilter(
  text: string,
  others: readonly string[] = [],
): { readonly fields: Fields } | { readonly fault: string } {
  const fields: Record<string, unknown> = {}
  const words: string[] = []
  for (const [word] of text.matchAll(/(?:[^\s"]|"[^"]*")+/g)) {
    const [, name, value = ''] = /^([a-z]+):(.*)$/s.exec(word) ?? []
    if (name === undefined) words.push(unquoted(word))
    else {
      const fault = addFilter(fields, name, unquoted(value), [...filterNames, ...others])
      if (fault !== undefined) return { fault }
    }
  }
  if (words.length > 0) fields['text'] = words.join(' ')
  return { fields }
}

function addFilter(
  fields: Record<string, unknown>,
  name: string,
  value: string,
  names: readonly string[],
): string | undefined {
  if (!names.includes(name)) {
    return `"${name}:" is no filter. There are ${names.join(', ')}; other words are searched in what was said.`
  }
  if (value === '') return `${name}: needs a value, as in ${name}:${exampleOf(name)}`
  if (name === 'confidence') return addConfidence(fields, value)
  if (name === 'tag') fields['tags'] = [...((fields['tags'] as string[] | undefined) ?? []), value]
  else if (name === 'since' || name === 'until') {
    const moment = readMoment(value, new Date())
    if (moment === undefined)
      return `${name}:${value} is no date. Write ${name}:2026-04-01, ${name}:2026-04-01T02:00, ${name}:02:00 or ${name}:2h.`
    fields[name] = moment.toISOString()
  } else if (name === 'deviated' || name === 'exact') {
    if (value !== 'yes' && value !== 'no') return `${name}:${value} is neither ${name}:yes nor ${name}:no.`
    fields[name] = value === 'yes'
  } else fields[name] = value
  return undefined
}

function addConfidence(fields: Record<string, unknown>, value: string): string | undefined {
  const [, sign, digits = ''] = /^([<>]?)=?(\d*\.?\d+)$/.exec(value) ?? []
  const bound = Number(digits)
  if (sign === undefined || bound > 1)
    return `confidence:${value} is no range. Write confidence:<0.5 or confidence:>0.9.`
  if (sign !== '<') fields['confidence_min'] = bound
  if (sign !== '>') fields['confidence_max'] = bound
  return undefined
}

function exampleOf(name: string): string {
  if (name === 'path') return '/cluster'
  if (name === 'confidence') return '<0.5'
  if (name === 'deviated' || name === 'exact') return 'yes'
  return name === 'since' || name === 'until' ? '2026-04-01' : `some-${name}`
}

function unquoted(text: string): string {
  return text.replaceAll('"', '')
}
