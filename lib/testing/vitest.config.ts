import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest although they are short. Vitest begins with the largest files, so these would end alone. They have databases of their
 * own, or leave little in the worker's. That of the plans reads all that is in it, so it takes a tenth of the time while there is little.
 */
const slow =
  /\/(plans\.property|whole-list-memory|durability|workers|unseen-names|overload|bodies|connection-refused|attacks-guessing|past|recovery)\.(server|engines)\.test\.ts$/

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    return [...bySize.filter(isSlow), ...bySize.filter((file) => !isSlow(file))]
  }
}

const engine = (name: 'sqlite' | 'postgres', groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include: name === 'sqlite' ? ['lib/**/*.{server,engines}.test.ts'] : ['lib/**/*.engines.test.ts'],
    env: { TEST_ENGINE: name },
    globalSetup: [
      'lib/testing/data-directory.setup.ts',
      ...(name === 'postgres' ? ['lib/testing/postgres.setup.ts'] : []),
    ],
    setupFiles: ['lib/testing/worker.setup.ts'],
    sequence: { groupOrder },
    // A test waits for PostgreSQL as long as PostgreSQL waits for it.
    maxWorkers: 3,
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
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, '**/*.{server,engines}.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      engine('sqlite', 1),
      engine('postgres', 2),
    ],
  },
})
