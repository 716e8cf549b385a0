import { expect, it } from 'vitest'
import {
  draftOfWriter,
  indexOfPointer,
  maxDrafts,
  maxPackNodes,
  pointerOf,
  seqOfPointer,
  seqOfWriter,
  writerOf,
} from './node.ts'

it.each([0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 33 - 1])(
  'a pointer and a writer give back the entry %d and their number',
  seq => {
    for (const index of [0, 1, maxPackNodes - 1]) {
      const pointer = pointerOf(seq, index)
      expect([seqOfPointer(pointer), indexOfPointer(pointer)]).toEqual([seq, index])
    }
    for (const draft of [0, 1, maxDrafts]) {
      const writer = writerOf(seq, draft)
      expect([seqOfWriter(writer), draftOfWriter(writer)]).toEqual([seq, draft])
    }
  },
)

it('the writers of commits stay small integers however long a journal is, and pointers never are', () => {
  for (const seq of [1, 2 ** 11, 2 ** 15, 2 ** 30 - 1]) {
    expect(writerOf(seq, 0)).toBe(seq)
    expect(Number.isInteger(pointerOf(seq, 1))).toBe(false)
  }
})
