/**
 * Stored text as a terminal may show it. What agents wrote is not ours: an escape sequence in a value could move the cursor, set a
 * window's title or hide a line, and a bidirectional override could show a path backwards. All of those are written out.
 */

// Control characters, line separators, what turns the direction of text, and what is not seen at all.
const unseen = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line: line breaks and tabs are written out too. */
export function visibleText(text: string): string {
  return text.replace(unseen, character => ({ '\n': '\\n', '\t': '\\t', '\r': '\\r' })[character] ?? escaped(character))
}

/** JSON that means the same and that a terminal shows as it is. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null'
  return text.replace(unseen, character => (character === '\n' ? character : escaped(character)))
}
