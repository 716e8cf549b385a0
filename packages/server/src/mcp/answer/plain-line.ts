/**
 * Stored text inside a line that the server writes.
 *
 * A model trusts the first line of a result. Stored or sent text stays on that line: characters that could start a new line, move
 * a cursor or change the direction of writing are escaped.
 */

const MAX_LINE = 400

// Control characters, line and paragraph separators, zero-width and bidirectional marks, tags.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

export function plainLine(text: string, limit = MAX_LINE): string {
  const escaped = text.replace(
    unseen,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  )
  return escaped.length <= limit ? escaped : `${escaped.slice(0, limit - 1)}…`
}
