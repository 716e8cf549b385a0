import type { Block } from './page-blocks.mjs'

export interface Walk {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly rewrite?: (code: string) => string
}

export function walkPage(blocks: readonly Block[], walk: Walk): Promise<string[]>
