/** The pages whose blocks are one way, each going on where the one before has ended. */
export const walks: readonly string[] = [
  'library',
  'agent-developer',
  'http',
  'operator',
  'auditor',
  'author',
  'signing',
  'app',
].map(name => `docs/guides/${name}.md`)
