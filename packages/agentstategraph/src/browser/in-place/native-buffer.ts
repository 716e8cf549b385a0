/** A page has no `Buffer`. */

export const nativeBuffer: undefined = undefined
