import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { swept } from '#lib/testing/search'

/**
 * Files that take longest although they are short. Vitest begins with the largest files, so these would end alone. They have databases of their
 * own, or leave little in the worker's. That of the plans reads all that is in it, so it takes a tenth of the time while there is little.
 */
const slow =
  /\/(all-datacenters|plans\.property|plans\/(?:tables|export)|unseen-names|bodies|attacks-guessing|past|recovery)\.(server|engines)\.test\.ts$/

/**
 * Nearly all statements of these tests run in other tests too, so on PostgreSQL a fifth of them runs a day. Their subject is what is read from a request or
 * written to an answer, a sign-in or a rule of the domain. TEST_SEARCH=long runs them all.
 */
const inTurns = [
  'lib/auth/attacks-around-two-factor',
  'lib/auth/attacks-guessing',
  'lib/auth/attacks-look-alikes',
  'lib/auth/attacks-with-late-bodies',
  'lib/auth/mandatory-two-factor',
  'lib/client/once',
  'lib/entrance/oauth',
  'lib/entrance/password-resets',
  'lib/events/secrets',
  'lib/federation/people',
  'lib/http/conditions',
  'lib/http/fuzz',
  'lib/identity/enterprise-properties',
  'lib/identity/mailed-codes',
  'lib/identity/own-password',
  'lib/identity/own-user',
  'lib/identity/tasks',
  'lib/identity/two-factor-codes',
  'lib/identity/two-factor-resets',
  'lib/identity/user-create',
  'lib/infrastructure/locations',
  'lib/machines/machine-rules',
  'lib/machines/natrules',
  'lib/machines/nics',
  'lib/nat/network-rules',
  'lib/oidc/people',
  'lib/plans/attacks',
  'lib/plans/export',
  'lib/plans/export-places',
  'lib/plans/plans.property',
  'lib/plans/tables',
  'lib/saml/attacks',
  'lib/scopes/refusals',
  'lib/server/whole-lists',
  'lib/sign-in/passkeys',
  'lib/strategies/access-token',
  'lib/strategies/basic',
  'lib/undo/history.property',
  'lib/undo/undo-batches',
].map((name) => `${name}.engines.test.ts`)
const ofToday = new Set(swept(inTurns))

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    return [...bySize.filter(isSlow), ...bySize.filter((file) => !isSlow(file))]
  }
}

type Engine = 'sqlite' | 'postgres'

/** Tests of the server, with a database for each worker. */
const server = (name: string, engine: Engine, groupOrder: number, include: string[], maxWorkers: number) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [
      ...configDefaults.exclude,
      ...(engine === 'postgres' ? inTurns.filter((file) => !ofToday.has(file)) : []),
    ],
    env: { TEST_ENGINE: engine },
    globalSetup: [
      'lib/testing/data-directory.setup.ts',
      ...(engine === 'postgres' ? ['lib/testing/postgres.setup.ts'] : []),
    ],
    setupFiles: ['lib/testing/worker.setup.ts'],
    sequence: { groupOrder },
    maxWorkers,
  },
})

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { '#components': fileURLToPath(new URL('../../components', import.meta.url)) } },
  test: {
    pool: 'forks',
    isolate: false,
    // Fewer collections of garbage, which would take a tenth of the processor time.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
    // Generous, so that a busy machine makes no test fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, '**/*.{server,engines,machine}.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      // A worker takes seconds of processor time to load the server.
      server('sqlite', 'sqlite', 1, ['lib/**/*.{server,engines}.test.ts'], 3),
      server('postgres', 'postgres', 2, ['lib/**/*.engines.test.ts'], 2),
      // What is about the kernel, the clock or the load of the machine has it alone.
      server('machine', 'sqlite', 3, ['lib/**/*.machine.test.ts'], 1),
      server('machine-postgres', 'postgres', 4, ['lib/**/*.engines.machine.test.ts'], 1),
    ],
  },
})
