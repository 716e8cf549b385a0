/** Functions over a journal: what repositories are made of. */

export { type Check, type Landing, land } from './land.ts'
export { type Landed, type WriteOptions, type Writer, write, writer } from './write.ts'
