/** Converts the caller's resolutions of conflicts to those of the tree. */

import { formatPath, parsePath } from '../../core/index.ts'
import type { Handle, MergeOptions } from '../../repo/index.ts'
import type { Resolution } from '../../tree/index.ts'
import { codecOf } from '../values/codec.ts'

export type Resolutions = MergeOptions['resolutions']

export function storedResolutions(handle: Handle, resolutions: Resolutions): ReadonlyMap<string, Resolution> {
  const codec = codecOf(handle)
  return new Map(
    Object.entries(resolutions ?? {}).map(([path, resolution]): [string, Resolution] => {
      const at = parsePath(path, handle.shared.limits)
      const stored = typeof resolution === 'string' ? resolution : { value: codec.encode(resolution.value, at) }
      return [formatPath(at), stored]
    }),
  )
}
