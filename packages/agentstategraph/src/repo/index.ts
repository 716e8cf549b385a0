/** Functions over a journal: what repositories are made of. */

export { type Check, type Landing, land } from './land.ts'
export { type WriteOptions, type Writer, type Written, write, writer } from './write.ts'
