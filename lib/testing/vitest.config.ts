import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const engine = (name: 'sqlite' | 'postgres', groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include: ['lib/**/*.server.test.ts', 'app/**/*.server.test.ts'],
    env: { TEST_ENGINE: name },
    globalSetup: [
      'lib/testing/data-directory.setup.ts',
      ...(name === 'postgres' ? ['lib/testing/postgres.setup.ts'] : []),
    ],
    setupFiles: ['lib/testing/worker.setup.ts'],
    sequence: { groupOrder },
    // A test waits for PostgreSQL as long as PostgreSQL waits for it.
    maxWorkers: name === 'postgres' ? 3 : 2,
  },
})

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { '#components': fileURLToPath(new URL('../../components', import.meta.url)) } },
  test: {
    pool: 'forks',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, '**/*.server.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      engine('sqlite', 1),
      engine('postgres', 2),
    ],
  },
})
