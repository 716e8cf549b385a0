/**
 * Pointers, writers and checks as bytes in a pack.
 */

import {
  draftOfWriter,
  indexOfPointer,
  type Pointer,
  pointerOf,
  seqOfPointer,
  seqOfWriter,
  type Writer,
  writerOf,
} from '../../tree/index.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

export const packVersion = 1
export const checkBytes = 8

export function writePointer(into: ByteWriter, pointer: Pointer): void {
  into.varint(seqOfPointer(pointer))
  into.varint(indexOfPointer(pointer))
}

export function readPointer(reader: ByteReader, own: number): Pointer {
  const seq = reader.varint()
  return pointerOf(seq === 0 ? own : seq, reader.varint())
}

/** A commit takes one number, a draft two, because most writers are commits. */
export function writeWriter(into: ByteWriter, writer: Writer): void {
  const draft = draftOfWriter(writer)
  into.varint(seqOfWriter(writer) * 2 + (draft > 0 ? 1 : 0))
  if (draft > 0) into.varint(draft)
}

export function readWriter(reader: ByteReader, own: number): Writer {
  const packed = reader.varint()
  const seq = Math.floor(packed / 2)
  return writerOf(seq === 0 ? own : seq, packed % 2 === 1 ? reader.varint() : 0)
}

/** Two FNV-1a lanes over the id and the bytes: any single changed byte changes the check. */
function lanesOf(id: string, bytes: Uint8Array): readonly [number, number] {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < id.length; i++) {
    a = Math.imul(a ^ id.charCodeAt(i), 0x01000193)
    b = Math.imul(b ^ id.charCodeAt(i), 0x85ebca6b)
  }
  for (let i = 0; i < bytes.length; i++) {
    a = Math.imul(a ^ bytes[i]!, 0x01000193)
    b = Math.imul(b ^ bytes[i]!, 0x85ebca6b)
  }
  return [a >>> 0, b >>> 0]
}

export function writeCheck(into: ByteWriter, id: string, bytes: Uint8Array): void {
  const [a, b] = lanesOf(id, bytes)
  into.uint32(a)
  into.uint32(b)
}

export function verifyCheck(reader: ByteReader, id: string, bytes: Uint8Array): void {
  const [a, b] = lanesOf(id, bytes)
  if (reader.uint32() !== a || reader.uint32() !== b) throw new RangeError('a check does not fit')
}
