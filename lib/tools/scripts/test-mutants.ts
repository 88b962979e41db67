import { globSync } from 'node:fs'
import { Stryker } from '@stryker-mutator/core'

/* `npm run test:mutants -- ROOM` changes the code of a room at one place at a time and reports which changes no test notices. */

/** The tests of a room that are not in a file of the room's name beside it. */
const testsOf: Record<string, string[]> = {
  'auth/caller': [
    'access/access',
    'auth/mandatory-two-factor',
    'auth/sessions',
    'auth/tokens',
    'federation/people',
    'identity/own-password',
    'scopes/visibility',
    'strategies/access-token',
    'undo/ended-credentials',
  ],
  'auth/sessions': ['auth/sessions', 'auth/attacks-by-a-stolen-session'],
  'events/events': ['events/events', 'events/stream', 'events/without-place'],
  // Not unseen-names: a server in another process runs without the mutant.
  'events/places': ['events/places', 'events/without-place', 'http/idempotency'],
  'nat/ip-creation': ['nat/create-ips', 'nat/ip-changes', 'undo/undo-batches'],
  'nat/rules': ['machines/natrules', 'nat/rules'],
  'pipeline/authorize': ['auth/authorization', 'auth/mandatory-two-factor', 'identity/own-password'],
  'pipeline/idempotency': ['http/idempotency', 'plans/repeated'],
  'pipeline/proof': ['auth/attacks-by-a-stolen-session', 'sign-in/passkeys'],
  'scopes/preview': ['identity/user-limits', 'scopes/impact', 'scopes/refusals', 'scopes/visibility'],
  'scopes/refusals': ['scopes/impact', 'scopes/refusals'],
  'scopes/visibility': ['scopes/visibility', 'identity/roles', 'nat/rule-filters'],
}

const rooms = process.argv.slice(2).map((room) => room.replace(/^lib\//, '').replace(/(\.\w+)*$/, ''))

const filesOf = (room: string): string[] =>
  globSync([`lib/*/${room}.ts`, `lib/*/${room}.{schema,server}.ts`, `lib/*/${room}/*.ts`])

const mutate = rooms.flatMap(filesOf).filter((file) => !file.includes('.test.'))

const testFiles = rooms
  .flatMap((room) => testsOf[room] ?? [room.includes('/') ? room : `${room}/*`])
  .map((room) => `lib/*/${room}{,.server,.engines}.test.ts`)

if (mutate.length === 0) {
  console.error('Name rooms: files of a room, such as scopes/visibility, or whole rooms, such as scopes')
  process.exit(1)
}

process.env.MUTANTS_TESTS = globSync(testFiles).join()
await new Stryker({
  mutate,
  testRunner: 'vitest',
  vitest: { configFile: 'lib/tools/testing/mutants.config.ts', pool: 'forks', related: false },
  reporters: ['clear-text', 'dots'],
  clearTextReporter: { reportTests: false, logTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  tempDirName: 'dist/mutants',
  cleanTempDir: 'always',
  ignorePatterns: ['.next', 'data', 'deploy', 'dist', 'e2e', 'test-results'],
  concurrency: 1,
  // Generous: that the machine is busy with something else must not count as a killed mutant.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 20,
  incremental: true,
  incrementalFile: `dist/mutants-${rooms.join('-').replaceAll('/', '-')}.json`,
  // Stryker would rewrite the file by an interface that TypeScript 7 no longer has.
  tsconfigFile: 'none',
}).runMutationTest()
