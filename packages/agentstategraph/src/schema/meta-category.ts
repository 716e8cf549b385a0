/** By which category a commit that changes `/_meta` is known: a store that takes it over asks for it. */

import { coreError } from '../core/index.ts'
import type { Why } from '../repo/index.ts'

/** Refuses a reason that calls such a commit something else. */
export function assertCategory(why: Why, category: 'Migrate' | 'Rollback'): void {
  const given = typeof why === 'object' ? why?.category : undefined
  if (given === undefined || given === category) return
  const reason = `what changes /_meta is always of category ${category}, by which other stores know that it may`
  throw coreError('option-invalid', { field: 'category', reason })
}
