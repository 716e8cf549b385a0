import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/tests/**/*.test.ts',
      'scripts/**/*.test.mjs',
      'bench/*.test.mjs',
    ],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
