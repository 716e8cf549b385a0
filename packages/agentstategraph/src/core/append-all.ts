/** Adds all of one list to another. Spread into `push`, each would be an argument, and a hundred thousand overflow the stack. */
export function appendAll<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item)
}
