/** A fenced block: the page and line it begins on, its language, its text, and the text block that follows it. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
  /** What the reader is told the code prints; undefined when the page does not say. */
  readonly printed: string | undefined
}

export function listBlocks(page: string, markdown: string): Block[]
export function placeOf(block: Block): string
