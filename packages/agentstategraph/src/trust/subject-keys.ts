/** Where subjects' keys are kept when nobody brings a place of his own. */

import type { SubjectKeys } from '../core/index.ts'

/** Keys in a folder of files that only their owner can read. Node only; any number of processes may share it. */
export async function subjectKeyFolder(folder: string): Promise<SubjectKeys> {
  // Loaded when it is asked for, because a browser cannot load it at all.
  const { openSubjectKeyFolder } = await import('../node/subject-key-folder.ts')
  return openSubjectKeyFolder(folder)
}
