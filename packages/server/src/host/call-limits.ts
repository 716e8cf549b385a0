/** What one call of an operation may cost, with the defaults. It imports nothing, so that help can show the defaults. */

/** What one call of an operation may cost. */
export interface CallLimits {
  /** How long the work of a call may fill the thread, in milliseconds. Waiting does not count. */
  readonly workMs: number
  /** The same for maintenance, which reads a whole namespace. */
  readonly maintenanceMs: number
  /** The largest answer of a call that reads. Streams have no such limit. */
  readonly answerBytes: number
}

export const defaultCallLimits: CallLimits = {
  workMs: 10_000,
  maintenanceMs: 30 * 60_000,
  answerBytes: 8 * 2 ** 20,
}
