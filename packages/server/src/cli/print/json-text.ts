/** JSON as a person reads it: indented, coloured by kind, short parts on one line. */
import type { Paint } from '../terminal/terminal.ts'
import { visibleJson } from '../terminal/visible-text.ts'

function scalarText(value: unknown, paint: Paint): string {
  const text = visibleJson(value)
  if (typeof value === 'string') return paint('green', text)
  if (value === null) return paint('dim', text)
  return paint('yellow', text)
}

const FITS = 80

export function jsonText(value: unknown, paint: Paint, indent = ''): string {
  if (typeof value !== 'object' || value === null) return scalarText(value, paint)
  const inside = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(part => jsonText(part, paint, inside))
    : Object.entries(value).map(([key, part]) => `${paint('cyan', visibleJson(key))}: ${jsonText(part, paint, inside)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const flat = visibleJson(value)
  if (flat.length <= FITS) {
    const gap = Array.isArray(value) ? '' : ' '
    return `${open}${gap}${parts.join(', ')}${gap}${close}`
  }
  return `${open}\n${parts.map(part => inside + part).join(',\n')}\n${indent}${close}`
}
