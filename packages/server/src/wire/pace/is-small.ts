import { findKeys } from 'agentstategraph/internal'

/** Whether a value is so small that converting or printing it takes no time that others would notice. */
const MOST_PARTS = 2000
const MOST_CHARACTERS = 2 ** 16

export function isSmall(value: unknown): boolean {
  return roomAfter(value, { parts: MOST_PARTS, characters: MOST_CHARACTERS })
}

interface Room {
  parts: number
  characters: number
}

function roomAfter(value: unknown, room: Room): boolean {
  if (--room.parts < 0) return false
  if (typeof value === 'string') {
    room.characters -= value.length
    return room.characters >= 0
  }
  if (typeof value !== 'object' || value === null) return true
  if (ArrayBuffer.isView(value)) {
    room.characters -= value.byteLength
    return room.characters >= 0
  }
  if (Array.isArray(value)) return value.every(part => roomAfter(part, room))
  if (value instanceof Map || value instanceof Set) {
    room.parts -= value.size
    return room.parts >= 0
  }
  if ((findKeys(value)?.length ?? 0) > room.parts) return false
  for (const key in value) {
    room.characters -= key.length
    if (room.characters < 0 || !roomAfter((value as Record<string, unknown>)[key], room)) return false
  }
  return true
}
