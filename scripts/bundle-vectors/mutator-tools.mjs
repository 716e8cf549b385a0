/**
 * What mutators are made of: a change to records, to a line, to a text inside, and a bundle made again around it.
 */
import { canonical, ended, endedLines, remade } from './bundle-lines.mjs'

export const every = ['tiny', 'log', 'redacted', 'witnessed']
export const states = ['tiny', 'signed', 'paths']
export const logs = ['log', 'rotatedWithin']

export const find = (records, type, has) =>
  records.find(record => record.type === type && (has === undefined || has in record))
export const seal = records => records.filter(({ type }) => type === 'entry').at(-1)
export const lines = records => records.map(record => `${canonical(record)}\n`)
export const isCommit = record => record.type === 'entry' && record.commit !== undefined
export const zeros = Buffer.alloc(32).toString('base64')
/** The same bytes to a lenient reader: the last character before the padding has a spare bit set. */
export const looseBase64 = text =>
  text.replace(/([A-Za-z0-9+/])=$/, (_, char) => `${String.fromCharCode(char.charCodeAt(0) + 1)}=`)

export const set = (object, field, value) => {
  object[field] = value
}
export const strip = (object, field) => {
  delete object[field]
}
export const insert = (all, at, record) => {
  all.splice(at, 0, record)
}
export const emptyNode = { type: 'node', node: '["map",{},{}]' }

/** A change to the records; the last line is made to fit. */
export const edited = change => records => {
  const copies = structuredClone(records)
  return ended(change(copies) ?? copies)
}
/** A change to one field of the first record of a type. */
export const put = (type, field, value) =>
  edited(all => set(find(all, type), field, typeof value === 'function' ? value(find(all, type)[field]) : value))
/** A change to the text of a line, made before the last line is made to fit. */
export const relined = (type, change) => records => {
  const texts = lines(records.slice(0, -1))
  const at = records.findIndex(record => record.type === type)
  texts[at] = change(texts[at])
  return endedLines(texts)
}
/** A change to the text of an entry, of a commit, of a node. */
export const retext = (type, field, change) =>
  edited(all => {
    const record = find(all, type, field)
    record[field] = change(record[field])
  })
export const reparsed = change => text => {
  const value = JSON.parse(text)
  return canonical(change(value) ?? value)
}
/** What somebody without the key does who makes everything fit again; the head is not signed then. */
export const forged = change => async records => ended(await remade(records, change))
export const resealed =
  (change, ...signers) =>
  async records =>
    ended(await remade(records, change, signers))
export const inSeal = change => entry => void (entry.body?.status === 'sealed' && change(entry.body))
export const head = change => put('checkpoint', 'head', change)
