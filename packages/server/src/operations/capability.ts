/** What a caller can be allowed, as the library names it. None implies another. */
export const capabilities = [
  'read',
  'propose',
  'commit',
  'merge',
  'branch',
  'delete-branch',
  'tag',
  'seal',
  'export',
  'erase',
  'taint',
  'release',
  'approve',
  'policy',
  'migrate',
  'grant',
  'admin',
] as const

export type Capability = (typeof capabilities)[number]
