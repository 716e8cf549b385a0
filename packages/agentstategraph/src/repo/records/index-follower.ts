/** What the open repository knows of the work that indexes its journal. */
export interface IndexFollower {
  /** Indexes at once what waits, and resolves when that is done. */
  flush(): Promise<void>
  /** Ends what was begun, if that is little, and stops following. */
  close(): Promise<void>
}
