/**
 * Whether an array can be stored as a list: it has no holes and no other properties.
 *
 * Non-enumerable properties, such as `raw` of a template's strings, are not looked for: that would cost more than encoding
 * the list.
 */
export function isWholeList(list: readonly unknown[]): boolean {
  const { length } = list
  // Indexes come first among the keys, so the last key tells whether there are only indexes.
  const keys = Object.keys(list)
  const isWhole = keys.length === length && (length === 0 || keys[length - 1] === `${length - 1}`)
  return isWhole && Object.getOwnPropertySymbols(list).length === 0
}
