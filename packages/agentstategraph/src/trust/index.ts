/** Epochs that an outsider can verify. */
export {}
