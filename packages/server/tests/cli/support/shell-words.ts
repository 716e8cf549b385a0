/** The words of a command line as a shell splits them; quotes are single ones. */
export function shellWords(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''))
}
