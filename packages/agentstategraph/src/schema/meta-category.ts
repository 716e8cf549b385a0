/** The category of a commit that changes `/_meta`. A store that receives the commit checks it. */

import { coreError } from '../core/index.ts'
import type { Why } from '../repo/index.ts'

/** Throws when a reason gives such a commit another category. */
export function assertCategory(why: Why, category: 'Migrate' | 'Rollback'): void {
  const given = typeof why === 'object' ? why?.category : undefined
  if (given === undefined || given === category) return
  const reason = `a commit that changes /_meta has the category ${category}, which other stores check`
  throw coreError('option-invalid', { field: 'category', reason })
}
