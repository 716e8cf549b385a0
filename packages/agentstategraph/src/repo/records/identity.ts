/** Whose handle it is. It is made from a key or a session and is never an argument. */

export interface Identity {
  readonly principal: string
  /** The key that it was made from: once that is over, so is the handle. */
  readonly key?: string | undefined
  /** The session it works in. */
  readonly session?: string | undefined
  /** The only grant it acts under: that of its session. Without one, all that the principal holds outside its sessions. */
  readonly grant?: string | undefined
}
