import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/* lib/ and components/ have wings, and wings have rooms. Imports between them go one way, and each table belongs to a room. */

const project = join(import.meta.dirname, '../../..')

const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => !/\.test\.tsx?$|^lib\/tools\/(?!styles)/.test(file),
)

const sourceOf = (file: string): string => readFileSync(join(project, file), 'utf8')

/** The wings from top to bottom. Each imports only wings below it. */
const wings = {
  lib: 'openapi server state request cloud people record caller db client words gateway ground tools'.split(
    ' ',
  ),
  components: 'showcase home people cloud scopes events table import frame base kit'.split(' '),
}

/** Wings that are one room, whatever folders they have. */
const whole = /^lib\/(openapi|server|db|client|words|gateway)\b/

/** `lib/people` of a file in `lib/people/identity/`. Files directly in lib/, components/ and anywhere in app/ belong to that folder. */
const wingOf = (file: string): string =>
  /^(?:lib|components)\/[^/]+(?=\/)/.exec(file)?.[0] ?? file.replace(/\/.*/, '')

/** `lib/people/identity`. Files directly in a wing belong to the wing. */
const roomOf = (file: string): string =>
  (!whole.test(file) && /^(?:lib|components)\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0]) || wingOf(file)

const importsOf = (file: string): string[] =>
  [...sourceOf(file).matchAll(/(?:from |import |import\()'(#|\.\.?\/)([^']+)'/g)].map(
    ([, start = '', path = '']) => (start === '#' ? path : normalize(join(dirname(file), start, path))),
  )

/** For each place, the places that it imports. */
function importsBetween(placeOf: (file: string) => string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const file of files)
    for (const target of importsOf(file)) {
      const [from, to] = [placeOf(file), placeOf(`${target}.ts`)]
      if (from !== to) imports.set(from, (imports.get(from) ?? new Set()).add(to))
    }
  return imports
}

const imports = importsBetween(roomOf)

test.each(Object.entries(wings))('each wing of %s imports only wings below it', (top, order) => {
  const between = importsBetween(wingOf)
  expect(order.toSorted()).toEqual(
    readdirSync(join(project, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  )
  const upwards = order.flatMap((wing, place) =>
    [...(between.get(`${top}/${wing}`) ?? [])]
      .filter((other) => other === 'app' || other.startsWith(top))
      .filter((other) => !order.slice(place).some((below) => other === `${top}/${below}`))
      .map((other) => `${top}/${wing} ${other}`),
  )
  expect(upwards).toEqual([])
})

/** Pairs that import each other, each with its reason. */
const mutual: Record<string, string> = {}

test('no two rooms import each other', () => {
  const pairs = [...imports].flatMap(([room, others]) =>
    [...others]
      .filter((other) => room < other && imports.get(other)?.has(room))
      .map((other) => `${room} ${other}`),
  )
  expect(pairs.sort()).toEqual(Object.keys(mutual).sort())
})

type Imports = ReadonlyMap<string, ReadonlySet<string>>

function reaches(imports: Imports, from: string, seen = new Set<string>()): Set<string> {
  for (const next of imports.get(from) ?? [])
    if (!seen.has(next)) {
      seen.add(next)
      reaches(imports, next, seen)
    }
  return seen
}

const inCircle = (imports: Imports): string[] =>
  [...imports.keys()].filter((from) => reaches(imports, from).has(from)).sort()

test('the rooms of the server import no circle', () => {
  expect(inCircle(imports).filter((room) => room.startsWith('lib/'))).toEqual([])
})

test('no files import each other, nor in a circle', () => {
  const known = new Set(files)
  const fileAt = (path: string) => [path, `${path}.ts`, `${path}.tsx`].find((name) => known.has(name))
  const ofFiles = new Map(
    files.map((file) => [file, new Set(importsOf(file).flatMap((path) => fileAt(path) ?? []))]),
  )
  expect(inCircle(ofFiles)).toEqual([])
})

const tables = new Set(
  [...sourceOf('lib/db/tables.server.ts').matchAll(/^ {2}(\w+): \w+Row$/gm)].map(([, name]) => name),
)

/** The tables that a file writes: by name, or by a loop over a list of names. */
function tablesWrittenIn(file: string): string[] {
  const source = sourceOf(file)
  const named = [...source.matchAll(/(?:insertInto\(|updateTable\(|deleteFrom\(|insertRow\(\w+,)\s*'(\w+)'/g)]
  const looped = source.matchAll(/\[([^[\]]*)\] as const\)\s*\{?\s*await \w+\s*\.deleteFrom\(table\)/g)
  const lists = [...looped].flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)])
  const names = [...named, ...lists].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => tables.has(name))
}

/** The room that writes each table. Of `users`, lib/caller/auth writes the credentials, and lib/people/identity the rest. */
const owners: Record<string, string> = {
  'lib/caller/auth': 'access_tokens ended_sessions sessions users',
  'lib/request/entrance': 'password_resets',
  'lib/record/events':
    'event_seals event_steps event_streams events journal_beginning past_rows seal_progress',
  'lib/people/external-ids': 'external_names',
  'lib/people/federation': 'session_providers sign_in_flows user_identities',
  'lib/people/identity': 'enterprises invitations role_privileges roles two_factor_resets users',
  'lib/cloud/infrastructure': 'datacenters devices racks remote_services virtual_datacenters',
  'lib/cloud/machines': 'private_ips templates virtual_appliances virtual_machines',
  'lib/record/jobs': 'job_claims job_steps jobs',
  'lib/record/mail': 'end_makers end_notices mails',
  'lib/cloud/nat': 'nat_blocks nat_counts nat_ips nat_networks nat_rules nat_setasides nat_use_days',
  'lib/caller/oauth': 'application_privileges applications oauth_failures oauth_nonces oauth_tokens',
  'lib/request/pipeline': 'idempotency_keys',
  'lib/state/plans': 'plan_parts plans',
  'lib/caller/preferences': 'preferences',
  'lib/people/saml': 'used_assertions',
  'lib/people/scim': 'scim_refusals',
  'lib/caller/scopes': 'scope_entities scopes',
  'lib/people/sign-in':
    'mailed_codes passkey_challenges passkeys refused_steps refused_strangers scratch_codes sign_in_failures sign_in_places',
  'lib/cloud/translations': 'device_rules device_states translation_changes unconfirmed_changes',
  'lib/people/webhooks': 'webhook_cursor webhook_deliveries webhooks',
}

/** Files that write tables of other rooms, each with the reason. */
const guests: Record<string, { tables: string; because: string }> = {
  'lib/caller/auth/console-cookie.server.ts': {
    tables: 'session_providers',
    because: 'A session that ends takes with it what it kept of a provider.',
  },
  'lib/people/federation/flows.server.ts': {
    tables: 'used_assertions',
    because: 'One round removes all that has expired of sign-ins at providers.',
  },
  'lib/people/identity/email-changes.server.ts': {
    tables: 'mailed_codes password_resets',
    because: 'A new address revokes the codes and links that were mailed to the old one.',
  },
  'lib/people/identity/own-password.server.ts': {
    tables: 'password_resets',
    because: 'A new password revokes the links to set one.',
  },
  'lib/people/identity/user-changes.server.ts': {
    tables: 'virtual_machines',
    because: 'Machines of a deleted user stay, without an owner.',
  },
  'lib/caller/scopes/changes.server.ts': {
    tables: 'templates',
    because: 'Templates of a deleted scope stay, without a scope.',
  },
  'lib/people/sign-in/two-factor.server.ts': {
    tables: 'password_resets session_providers sessions two_factor_resets user_identities',
    because: 'A deleted user takes along everything that they sign in with.',
  },
}

test('a table is written by the room that owns it', () => {
  const written = files
    .filter((file) => file.startsWith('lib/') && !file.startsWith('lib/db/migrations/'))
    .flatMap((file) => [...tablesWrittenIn(file)].map((table) => ({ file, room: roomOf(file), table })))
  const isGuest = ({ file, table }: (typeof written)[number]) =>
    guests[file]?.tables.split(' ').includes(table)
  const byRoom = Map.groupBy(
    written.filter((writer) => !isGuest(writer)),
    ({ room }) => room,
  )
  const found = [...byRoom].map(([room, all]) => [
    room,
    [...new Set(all.map(({ table }) => table))].sort().join(' '),
  ])
  expect(Object.fromEntries(found)).toEqual(owners)
  const byGuests = Map.groupBy(written.filter(isGuest), ({ file }) => file)
  const guestTables = [...byGuests].map(([file, all]) => [
    file,
    all
      .map(({ table }) => table)
      .sort()
      .join(' '),
  ])
  expect(Object.fromEntries(guestTables)).toEqual(
    Object.fromEntries(Object.entries(guests).map(([file, guest]) => [file, guest.tables])),
  )
})

test('code that uses the database is tested on both engines', () => {
  const onOneEngine = globSync('lib/**/*.{server,machine}.test.ts', { cwd: project }).filter(
    (file) => !file.includes('.engines.'),
  )
  expect(onOneEngine.filter((file) => /'(?:#lib\/db\/|kysely')/.test(sourceOf(file)))).toEqual([])
})
