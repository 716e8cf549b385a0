/** Keys as the segments of a path, which is a JSON Pointer. */
export function segmentOf(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function keyOf(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

export function lastKey(path: string): string {
  return keyOf(path.slice(path.lastIndexOf('/') + 1))
}
