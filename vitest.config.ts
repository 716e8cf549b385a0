import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/tests/**/*.test.ts',
      'scripts/**/*.test.mjs',
      'bench/*.test.mjs',
      'release/*.test.mjs',
    ],
    pool: 'forks',
    // Left to itself, vitest keeps one core for itself, which is half of two.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
