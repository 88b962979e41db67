import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { searchTime, swept } from '#lib/tools/testing/search'

/** Files that take longest although they are short. Vitest begins with the largest files, so these would run alone at the end. */
const slow =
  /\/(all-datacenters|plans\.property|plans\/(?:tables|export)|unseen-names|bodies|attacks-guessing|past|recovery)\.(server|engines)\.test\.ts$/

/**
 * Nearly all statements of these tests run in other tests too, so on PostgreSQL a fifth of them runs a day. Their subject is the parsing of
 * requests, the writing of answers, a sign-in or a rule of the domain. TEST_SEARCH=long runs them all.
 */
const inTurns = [
  'lib/caller/auth/attacks-around-two-factor',
  'lib/caller/auth/attacks-guessing',
  'lib/caller/auth/attacks-look-alikes',
  'lib/caller/auth/attacks-with-late-bodies',
  'lib/caller/auth/mandatory-two-factor',
  'lib/client/once',
  'lib/request/entrance/oauth',
  'lib/request/entrance/password-resets',
  'lib/record/events/secrets',
  'lib/people/federation/people',
  'lib/ground/http/conditions',
  'lib/ground/http/fuzz',
  'lib/people/identity/enterprise-properties',
  'lib/people/identity/mailed-codes',
  'lib/people/identity/own-password',
  'lib/people/identity/own-user',
  'lib/people/identity/tasks',
  'lib/people/identity/two-factor-codes',
  'lib/people/identity/two-factor-resets',
  'lib/people/identity/user-create',
  'lib/cloud/infrastructure/locations',
  'lib/cloud/machines/machine-rules',
  'lib/cloud/machines/natrules',
  'lib/cloud/machines/nics',
  'lib/cloud/nat/network-rules',
  'lib/people/oidc/people',
  'lib/state/plans/attacks',
  'lib/state/plans/export',
  'lib/state/plans/export-places',
  'lib/state/plans/plans.property',
  'lib/state/plans/tables',
  'lib/people/saml/attacks',
  'lib/caller/scopes/refusals',
  'lib/server/whole-lists',
  'lib/people/sign-in/passkeys',
  'lib/request/strategies/access-token',
  'lib/request/strategies/basic',
  'lib/state/undo/history.property',
  'lib/state/undo/undo-batches',
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

/** Tests of the server, with a database for each worker, which each file finds as a first start leaves it. */
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
      'lib/tools/testing/data-directory.setup.ts',
      ...(engine === 'postgres' ? ['lib/tools/testing/postgres.setup.ts'] : []),
    ],
    setupFiles: ['lib/tools/testing/worker.setup.ts'],
    sequence: { groupOrder },
    maxWorkers,
  },
})

export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  resolve: { alias: { '#components': fileURLToPath(new URL('../../../components', import.meta.url)) } },
  test: {
    pool: 'forks',
    isolate: false,
    // Fewer collections of garbage, which would take a tenth of the processor time.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
    // Generous, so that a busy machine makes no test fail.
    testTimeout: searchTime(60_000),
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
      // Tests of the kernel, the clock or the load need the machine to themselves.
      server('machine', 'sqlite', 3, ['lib/**/*.machine.test.ts'], 1),
      server('machine-postgres', 'postgres', 4, ['lib/**/*.engines.machine.test.ts'], 1),
    ],
  },
})
