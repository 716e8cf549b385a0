/** Changes and conflicts as users see them: with values, not stored forms. */

export type Change =
  | { readonly op: 'add'; readonly path: string; readonly after: unknown }
  | { readonly op: 'remove'; readonly path: string; readonly before: unknown }
  | { readonly op: 'change'; readonly path: string; readonly before: unknown; readonly after: unknown }
  | { readonly op: 'move'; readonly path: string; readonly from: string; readonly after: unknown }

/** A side is absent when the path does not exist there. */
export interface Conflict {
  readonly path: string
  readonly base?: unknown
  readonly ours?: unknown
  readonly theirs?: unknown
}
