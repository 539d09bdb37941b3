import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: '100%',
    // Loading the library anew for each of many files takes longer than most of them.
    isolate: false,
  },
})
