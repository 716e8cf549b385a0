/** A page has no files: what is checked before an import is in memory. */

export { memoryBackend as temporary } from '../../store/memory/memory-backend.ts'
