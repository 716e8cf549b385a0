/**
 * Escapes stored text for a terminal. Agents wrote it: an escape sequence in a value could move the cursor, set the window title
 * or hide a line, and a bidirectional override could show a path backwards.
 */

// Control characters, line separators, bidirectional marks and invisible characters.
const unseen = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Escapes line breaks and tabs too, so the result is one line. */
export function visibleText(text: string): string {
  return text.replace(unseen, character => ({ '\n': '\\n', '\t': '\\t', '\r': '\\r' })[character] ?? escaped(character))
}

/** JSON with the same meaning and without such characters. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null'
  return text.replace(unseen, character => (character === '\n' ? character : escaped(character)))
}

const colourOrUnseen = new RegExp(`\\p{Cc}\\[\\d{1,2}m|${unseen.source}`, 'gu')

/** Escapes the same in lines that were made for a terminal; their line breaks and colours stay. */
export function visibleLines(text: string): string {
  return text.replace(colourOrUnseen, found => (isOurs(found) ? found : visibleText(found)))
}

function isOurs(found: string): boolean {
  return found === '\n' || (found.length > 1 && found.startsWith('\u001b'))
}
