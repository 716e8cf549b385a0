/** What a principal can be allowed. Each is one thing, and none implies another. */

export const capabilities = [
  'read',
  'propose',
  'commit',
  'merge',
  'branch',
  'delete-branch',
  'tag',
  'seal',
  'export',
  'erase',
  'taint',
  'release',
  'approve',
  'policy',
  'migrate',
  'grant',
  'admin',
] as const

/** One kind of permission. */
export type Capability = (typeof capabilities)[number]

/** One action that needs authorization. */
export interface AccessRequest {
  readonly capability: Capability
  /** The name of the branch, tag or thread it is done to; absent when it concerns none. */
  readonly branch?: string | undefined
  /** The places it changes or reads; absent when it concerns no place. */
  readonly paths?: readonly (readonly string[])[] | undefined
  /** Whether it concerns everything there is, so that a right to a part of it is not enough. */
  readonly concernsAll?: true
}

const whole: readonly Capability[] = ['seal', 'export', 'erase', 'policy', 'admin']

/** Whether something is asked for that is done to the repository as a whole, and not to one branch or place. */
export function concernsAll(request: Omit<AccessRequest, 'paths'> & Partial<AccessRequest>): boolean {
  const { capability, branch, paths } = request
  if (request.concernsAll === true) return true
  return branch === undefined && paths === undefined && whole.includes(capability)
}
