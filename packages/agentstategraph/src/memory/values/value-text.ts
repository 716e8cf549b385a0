/** Renders any value as one short line. It never throws, and nothing in the value can break the line. */

import { decode, isTagged, type Stored } from '../../core/index.ts'
import { isList } from './matches-stored.ts'

/** The text of a stored value. Instances need no registered class. */
export function storedText(stored: Stored, maxLength: number): string {
  return shortened(textOfStored(stored), maxLength)
}

function textOfStored(stored: Stored): string {
  if (typeof stored !== 'object' || stored === null) return quoted(stored)
  if (isList(stored)) return `[${stored.map(textOfStored).join(', ')}]`
  const map = stored
  if (isTagged(stored)) return textOfTagged(map)
  return `{${Object.entries(map)
    .map(([key, value]) => `${escaped(key)}: ${textOfStored(value)}`)
    .join(', ')}}`
}

function textOfTagged(tagged: { readonly [tag: string]: Stored }): string {
  const [tag = '', payload] = Object.entries(tagged)[0] ?? []
  switch (tag) {
    case '$map':
      return `Map {${(payload as readonly (readonly Stored[])[]).map(pair => pair.map(textOfStored).join(' → ')).join(', ')}}`
    case '$set':
      return `Set {${(payload as readonly Stored[]).map(textOfStored).join(', ')}}`
    case '$class':
      return `${escaped(String((payload as readonly Stored[])[0]))} ${textOfStored((payload as readonly Stored[])[1]!)}`
    case '$error':
      return `Error ${textOfStored(payload!)}`
    case '$sealed':
      return '(encrypted)'
    default:
      return textOf(decode(tagged), [])
  }
}

/** The text of any live value. */
export function valueText(value: unknown, maxLength: number): string {
  try {
    return shortened(textOf(value, []), maxLength)
  } catch {
    // A getter or a proxy of the program threw.
    return '(unreadable)'
  }
}

function textOf(value: unknown, above: readonly object[]): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return `function ${escaped(value.name)}`
  if (typeof value !== 'object' || value === null) return quoted(value)
  if (above.includes(value)) return '(itself)'
  const inside = (item: unknown): string => textOf(item, [...above, value])
  if (Array.isArray(value)) return `[${value.map(inside).join(', ')}]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Error) return escaped(`${value.name}: ${value.message}`)
  if (value instanceof Map) return `Map {${[...value].map(pair => pair.map(inside).join(' → ')).join(', ')}}`
  if (value instanceof Set) return `Set {${[...value].map(inside).join(', ')}}`
  if (value instanceof URL || value instanceof RegExp) return escaped(String(value))
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return `${Object.prototype.toString.call(value).slice(8, -1)} of ${value.byteLength} bytes`
  }
  const name =
    Object.getPrototypeOf(value) === Object.prototype ? '' : `${escaped(String(value.constructor?.name ?? ''))} `
  return `${name}{${Object.entries(value)
    .map(([key, item]) => `${escaped(key)}: ${inside(item)}`)
    .join(', ')}}`
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? escaped(JSON.stringify(value)) : Object.is(value, -0) ? '-0' : String(value)
}

/** Escapes control characters, including those that JSON leaves as they are. */
function escaped(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
