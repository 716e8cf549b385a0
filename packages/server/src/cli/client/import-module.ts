/** Loads a module of the user. It is a file of its own in the bundle too, because a script with kept code cannot `import()`. */
export function importModule(url: string): Promise<unknown> {
  return import(url)
}
