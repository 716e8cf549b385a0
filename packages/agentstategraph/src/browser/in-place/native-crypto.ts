/** A page hashes with code of our own: WebCrypto answers with promises, and not over plain http. */

export const nativeCrypto: undefined = undefined
