/**
 * What a fault tells, within a size: a refusal must not be larger than any answer may be, however much there is to tell.
 *
 * A field is there whole or not at all, but for a list, which ends where there is no more room. `left_off` says how many items and
 * fields are missing.
 */
import { isPlainObject, setOwn } from 'agentstategraph/internal'
import { wireValue } from '../json-value.ts'
import { isSmall } from '../pace/is-small.ts'

/** The size of the data in characters of JSON. */
const MOST_DATA = 2 ** 18
const MOST_TEXT = 4000

export function cutText(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)} …`
}

type Fields = Readonly<Record<string, unknown>>

/** The data without what is undefined, and without what has no room. */
export function cutData(data: unknown): unknown {
  const room: Room = { characters: MOST_DATA }
  if (!isMap(data)) return findCopy(data, room)
  const cut: Record<string, unknown> = {}
  let leftOff = 0
  for (const [key, part] of Object.entries(data)) {
    if (part === undefined) continue
    const copy = Array.isArray(part) ? part.slice(0, 0) : findCopy(part, room)
    if (Array.isArray(part)) leftOff += part.length - fill(copy as unknown[], part, room)
    if (copy === undefined) leftOff++
    else setOwn(cut, key, copy)
  }
  return leftOff === 0 ? cut : { ...cut, left_off: leftOff }
}

/** Adds the items that have room; returns how many. */
function fill(list: unknown[], items: readonly unknown[], room: Room): number {
  for (const item of items) {
    const copy = findCopy(item, room)
    if (copy === undefined) break
    list.push(copy)
  }
  return list.length
}

interface Room {
  characters: number
}

/** A copy of the whole value without what is undefined in it; undefined, and no room taken, when there is none. */
function findCopy(value: unknown, room: Room): unknown {
  const { characters } = room
  const copy = copied(value, room)
  if (room.characters >= 0) return copy
  room.characters = characters
  return undefined
}

/** Ends early, with less than no room left, when there is not enough. */
function copied(value: unknown, room: Room): unknown {
  room.characters -= 2
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const part of value) {
      if (room.characters < 0) break
      list.push(copied(part, room))
    }
    return list
  }
  if (isMap(value)) {
    const map: Record<string, unknown> = {}
    for (const [key, part] of Object.entries(value)) {
      if (room.characters < 0) break
      if (part === undefined) continue
      room.characters -= key.length + 4
      setOwn(map, key, copied(part, room))
    }
    return map
  }
  room.characters -= sizeOf(value, room.characters)
  return value
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value)
}

function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length > most ? value.length : JSON.stringify(value).length
  if (typeof value !== 'object' || value === null) return String(value).length
  return isSmall(value) ? JSON.stringify(wireValue(value)).length : most + 1
}
