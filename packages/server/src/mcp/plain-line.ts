/**
 * Text of others in a line of ours.
 *
 * A model reads the first line of a result as ours. Whatever was stored or sent stays one line there, with every character
 * that could start a new one, move a cursor or turn the direction of writing shown as an escape.
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
