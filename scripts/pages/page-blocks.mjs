/**
 * Finds the code blocks of a Markdown page.
 *
 * It knows fences and languages, and nothing about what code means.
 */

/** Lists the blocks of a page; a `text` block counts as the output of the code block right before it. */
export function listBlocks(page, markdown) {
  const fences = [...markdown.matchAll(/^(?<fence>`{3,})(?<language>[^\n`]*)\n(?<code>[\s\S]*?)^\k<fence>[ \t]*$/gm)]
  return fences.map((match, index) => {
    const next = fences[index + 1]
    const end = match.index + match[0].length
    const isFollowed = next?.groups.language.trim() === 'text' && isGap(markdown.slice(end, next.index))
    return {
      page,
      line: markdown.slice(0, match.index).split('\n').length,
      language: match.groups.language.trim(),
      code: match.groups.code,
      printed: isFollowed ? next.groups.code : undefined,
    }
  })
}

/** A line such as "prints" may stand between code and output; a new paragraph of prose may not. */
function isGap(between) {
  return between.trim().split('\n').length <= 1 && between.trim().length <= 40
}

/** Tells where a block is, as a reader would look it up. */
export function placeOf(block) {
  return `${block.page}:${block.line}`
}
