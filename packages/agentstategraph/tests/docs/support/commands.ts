/**
 * Which shell commands the pages may show, and whether they would work.
 *
 * Nothing is executed: a command is looked up in the scripts and tools that
 * are there. A command nobody can look up does not belong on a page.
 */

/** What there is to be called: the scripts of package.json, the tools of the workspace, the packages it holds. */
export interface Callable {
  readonly scripts: readonly string[]
  readonly tools: readonly string[]
  readonly packages: readonly string[]
}

/** Finds the lines of a shell block that would not work. */
export function findWrongCommands(code: string, callable: Callable): string[] {
  return code
    .split('\n')
    .map(line => line.replace(/\s#.*$|^#.*$/, '').trim())
    .filter(line => line !== '' && !canCall(line.split(/\s+/), callable))
}

function canCall([program, verb = '', name = '']: readonly string[], callable: Callable): boolean {
  if (program === 'cd') return true
  if (program === 'git') return verb === 'clone'
  if (program === 'npx') return callable.tools.includes(verb)
  if (program !== 'npm') return false
  if (verb === 'start' || verb === 'test') return callable.scripts.includes(verb)
  if (verb === 'run') return callable.scripts.includes(name)
  if (verb === 'install' || verb === 'i') return name === '' || callable.packages.includes(name)
  return verb === 'ci'
}
