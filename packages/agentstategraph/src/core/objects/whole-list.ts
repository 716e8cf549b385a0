/**
 * Whether an array is what a list can be: all its elements are there, and no property is beside them.
 *
 * Hidden properties are not asked for, such as `raw` of a template's strings: that would cost more than encoding the list.
 */
export function isWholeList(list: readonly unknown[]): boolean {
  const { length } = list
  // Indexes come first among the keys, so the last one tells whether all of them are there and nothing else is.
  const keys = Object.keys(list)
  const isWhole = keys.length === length && (length === 0 || keys[length - 1] === `${length - 1}`)
  return isWhole && Object.getOwnPropertySymbols(list).length === 0
}
