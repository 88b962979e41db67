import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Trx, transaction } from '#lib/db/db.server'
import {
  type Engine,
  isLockTimeout,
  isStartConflict,
  type MigrationTypes,
  migrationTypes,
} from '#lib/db/dialect.server'
import { unwatch, watch } from '#lib/db/journal.server'
import { statements as first } from '#lib/db/migrations/001-first.server'
import { statements as second } from '#lib/db/migrations/002-events-and-free-ips.server'
import { statements as third } from '#lib/db/migrations/003-sign-in-failures.server'
import { statements as fourth } from '#lib/db/migrations/004-sessions-and-mail.server'
import { statements as fifth } from '#lib/db/migrations/005-sign-in-by-others.server'
import { statements as sixth } from '#lib/db/migrations/006-preferences.server'
import { statements as seventh } from '#lib/db/migrations/007-nat-filters.server'
import { statements as eighth } from '#lib/db/migrations/008-nat-blocks.server'
import { statements as ninth } from '#lib/db/migrations/009-words.server'
import { statements as tenth } from '#lib/db/migrations/010-private-addresses.server'
import { statements as eleventh } from '#lib/db/migrations/011-secrets-and-names-in-events.server'
import { statements as thirteenth } from '#lib/db/migrations/013-proofs.server'
import { statements as fourteenth } from '#lib/db/migrations/014-guessing.server'
import { statements as fifteenth } from '#lib/db/migrations/015-nick-identity.server'
import { statements as sixteenth } from '#lib/db/migrations/016-identities.server'
import { statements as eighteenth } from '#lib/db/migrations/018-machine-lists.server'
import { statements as twentyFirst } from '#lib/db/migrations/021-free-ips.server'
import { statements as twentySecond } from '#lib/db/migrations/022-natural-order.server'
import { statements as twentyThird } from '#lib/db/migrations/023-idempotency.server'
import { statements as twentyFourth } from '#lib/db/migrations/024-rules-by-address.server'
import { statements as twentyFifth } from '#lib/db/migrations/025-use-days.server'
import { statements as twentySixth } from '#lib/db/migrations/026-users-by-role.server'
import { statements as twentySeventh } from '#lib/db/migrations/027-middle-blocks.server'
import { statements as twentyEighth } from '#lib/db/migrations/028-journal.server'
import { statements as thirtieth } from '#lib/db/migrations/030-webhooks.server'
import { statements as thirtySecond } from '#lib/db/migrations/032-address-history.server'
import { statements as thirtyThird } from '#lib/db/migrations/033-seals.server'
import { statements as thirtyFourth } from '#lib/db/migrations/034-event-streams.server'
import { statements as thirtyFifth } from '#lib/db/migrations/035-access-tokens.server'
import { statements as passkeys } from '#lib/db/migrations/036-passkeys.server'
import { statements as plans } from '#lib/db/migrations/038-plans.server'
import { statements as translations } from '#lib/db/migrations/039-translations.server'
import { statements as unconfirmedChanges } from '#lib/db/migrations/040-unconfirmed-changes.server'
import { statements as wordDeletions } from '#lib/db/migrations/041-word-deletions.server'
import { statements as programs } from '#lib/db/migrations/045-programs.server'
import { statements as journalClock } from '#lib/db/migrations/046-journal-clock.server'
import { statements as fairQueues } from '#lib/db/migrations/048-fair-queues.server'
import { statements as jobs } from '#lib/db/migrations/052-jobs.server'
import { statements as endedRows } from '#lib/db/migrations/054-ended-rows.server'
import { statements as assignable } from '#lib/db/migrations/055-assignable.server'
import { statements as setAsides } from '#lib/db/migrations/056-set-asides.server'
import { statements as movedRows } from '#lib/db/migrations/057-moved-rows.server'
import { statements as scim } from '#lib/db/migrations/058-scim.server'
import { statements as inventory } from '#lib/db/migrations/060-inventory.server'
import { statements as jobProgress } from '#lib/db/migrations/061-job-progress.server'
import { statements as disabledRules } from '#lib/db/migrations/062-disabled-rules.server'
import { statements as ends } from '#lib/db/migrations/063-ends.server'
import { statements as rangedRules } from '#lib/db/migrations/064-ranged-rules.server'
import {
  statements as notes,
  ofIps as notesOfIps,
  ofRules as notesOfRules,
} from '#lib/db/migrations/065-notes.server'
import { statements as ipEnds } from '#lib/db/migrations/066-ip-ends.server'
import { statements as ruleEnds } from '#lib/db/migrations/067-rule-ends.server'
import { declareSchema, NewerSchema, readSchema } from '#lib/db/schema.server'
import { logTranslations, unlogTranslations } from '#lib/db/translation-log.server'
import { log } from '#lib/ground/log.server'

/*
 * Not Kysely's Migrator: on SQLite it takes no lock between processes, it writes its tables before the transaction of the migrations
 * begins, and it does not know the version table of existing databases.
 */

type Statement = string | ((trx: Trx) => Promise<void>)
type Migration = (types: MigrationTypes) => readonly Statement[]

/**
 * The previous version of the program may keep writing during these migrations, because they add only parts that it can ignore: a table, an
 * index, a column with a default. After any other migration, writes of older programs are refused.
 */
const expanding = new Set<Migration>()

function adding(migration: Migration): Migration {
  expanding.add(migration)
  return migration
}

/** In the order of their versions. There is no way back, and a released migration never changes. */
const migrations: Migration[] = [
  first,
  second,
  third,
  fourth,
  fifth,
  sixth,
  seventh,
  eighth,
  ninth,
  tenth,
  eleventh,
  thirteenth,
  fourteenth,
  fifteenth,
  sixteenth,
  eighteenth,
  twentyFirst,
  twentySecond,
  twentyThird,
  twentyFourth,
  twentyFifth,
  twentySixth,
  twentySeventh,
  twentyEighth,
  thirtieth,
  thirtySecond,
  thirtyThird,
  thirtyFourth,
  thirtyFifth,
  passkeys,
  plans,
  translations,
  unconfirmedChanges,
  wordDeletions,
  adding(programs),
  adding(journalClock),
  // The access token or OAuth token that started an unconfirmed change. The automatic undo has only the privileges of this token.
  adding(() => [
    'alter table unconfirmed_changes add column access_token_id bigint',
    'alter table unconfirmed_changes add column oauth_token_id bigint',
  ]),
  adding(fairQueues),
  // The RP id for which a passkey was made (WebAuthn §5.4.2). It becomes known of older passkeys when they are used.
  adding(() => ['alter table passkeys add column rp_id text']),
  // The space of plans is bounded for users and enterprises.
  adding(() => [
    'alter table plans add column bytes bigint not null default 0',
    'create index plans_by_user on plans (user_id)',
  ]),
  // Of PostgreSQL only, whose processes would keep aborting each other's transactions (db.server.ts).
  adding(({ lanes }) => lanes),
  adding(jobs),
  // Events about an enterprise, for its readers, and the rows of an event in their order, which PostgreSQL would sort.
  adding(() => [
    'create index events_about on events (about_enterprise_id, timestamp, id)',
    `create index events_was on events (was_enterprise_id, timestamp, id)
      where was_enterprise_id <> about_enterprise_id`,
    'drop index past_rows_until',
    'create index past_rows_until on past_rows (source, until, id, part)',
  ]),
  // The list of events without sign-ins, of which most installations have more than of changes, and that of sign-ins alone.
  adding(() => {
    const sessions = `'sign-in', 'sign-in-refused', 'sign-out', 'end-session', 'end-other-sessions', 'ask-password-reset'`
    return [
      `create index events_changes on events (timestamp, id) where action not in (${sessions})`,
      `create index events_sessions on events (timestamp, id) where action in (${sessions})`,
    ]
  }),
  adding(endedRows),
  adding(assignable),
  adding(setAsides),
  adding(movedRows),
  adding(scim),
  // Who sees a resource of the past now: users and roles move to other enterprises, and templates are shared no more.
  adding(() => [
    'create view present_users as select id, enterprise_id from users',
    'create view present_roles as select id, enterprise_id from roles',
    'create view present_templates as select id, scope_id from templates',
  ]),
  adding(inventory),
  // An enrolment in the console that no code has verified asks for no code at the sign-in, and the session is limited to the enrolment.
  adding(() => [
    'alter table users add column two_factor_in_console integer not null default 0',
    'alter table sessions add column owes_code integer not null default 0',
  ]),
  adding(({ key }) => [
    'alter table users add column invited integer not null default 0',
    `create table invitations (
      user_id bigint primary key references users,
      token_hash ${key} not null constraint invitations_token_key unique,
      expires_at bigint not null
    )`,
  ]),
  // "See the console as": a program of the version before shows its user's own view.
  adding(() => [
    'alter table sessions add column sees_user_id bigint',
    'alter table sessions add column sees_until bigint',
  ]),
  adding(jobProgress),
  // A view ends with the sessions of the user whom it shows, and does not come back with them.
  adding(() => ['alter table sessions add column sees_epoch bigint']),
  // For SCIM: when users were created and last changed, as far as the journal knows of older ones.
  adding(() => [
    'alter table users add column created_at bigint',
    'alter table users add column modified_at bigint',
    'alter table external_names add column changed_at bigint',
    `update users set
      created_at = (select max(until) / 1000 from past_rows where source = 'users' and id = users.id and part = '' and content is null),
      modified_at = (select max(until) / 1000 from past_rows where source = 'users' and id = users.id and part = '')`,
    'create index users_modified on users (modified_at)',
    'create index external_names_changed on external_names (owner_id, kind, changed_at)',
  ]),
  adding(disabledRules),
  // The list of enabled rules reads this index alone: 126 to 157 ms for 1,000,000 rules on SQLite, not 350.
  adding(() => [
    'drop index nat_rules_order',
    'create index nat_rules_order on nat_rules (datacenter_id, ip_key, id, disabled_at)',
  ]),
  adding(ends),
  adding(rangedRules),
  adding(notes),
  adding(notesOfIps),
  adding(ipEnds),
  adding(notesOfRules),
  adding(ruleEnds),
  // The user who set the end of a resource. It ends by their privileges of that moment.
  adding(() => [
    `create table end_makers (
      entity text not null,
      entity_id bigint not null,
      user_id bigint not null,
      primary key (entity, entity_id)
    )`,
  ]),
  // Gateways of the version before understand no ranges and no sources.
  adding(() => ['alter table device_states add column format_version integer not null default 1']),
  // The journal marks changes of the notes of NAT IPs and rules alone: the triggers are made again.
  adding(() => []),
  // Why an end could not happen, and the ends of a user who leaves, for the user who takes them over.
  adding(() => [
    'alter table end_makers add column refused text',
    'create index end_makers_by_user on end_makers (user_id)',
    'create index end_notices_by_user on end_notices (user_id)',
  ]),
]

/** The schema version that this program requires. */
export const schemaVersion = migrations.length
declareSchema(schemaVersion)

/** The oldest schema version whose programs may write after this migration. */
function oldestAfter(version: number): number {
  const migration = migrations[version - 1]
  return migration && expanding.has(migration) ? oldestAfter(version - 1) : version
}

/** Brings the schema up to date in one transaction. If several processes start together, one migrates and the others wait. Throws NewerSchema. */
export async function migrate(database: Database): Promise<void> {
  await migrateTo(database, schemaVersion)
  const { version, isNewer } = await readSchema(database)
  if (isNewer) throw new NewerSchema(version)
}

/** Migration 11 removes secrets from rows. Older copies stay in the free space of the file's pages. */
const ERASES = 11

/** The `user_version` of a file whose free space still holds secrets. It is set with the migration, so that a killed start forgets nothing. */
const HOLDS_SECRETS = 1

/** Migrates up to this version. */
export async function migrateTo(database: Database, last: number): Promise<void> {
  const before = await applyUpTo(database, last)
  // Without statistics PostgreSQL chooses poor plans for the migrated rows until its next automatic ANALYZE, a minute later.
  if (before > 0 && before < last && database.engine === 'postgres')
    await sql`analyze`.execute(unhurried(database).write)
  if (database.engine === 'sqlite' && (await holdsSecrets(database)))
    await rewriteFile(database).catch((err) =>
      log().warn({ err }, 'the file of the database still holds secrets in its free space: VACUUM it'),
    )
}

async function holdsSecrets({ write }: Database): Promise<boolean> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(write)
  return rows[0]?.user_version === HOLDS_SECRETS
}

/** Rewrites the file without free space. The copy is made on disk, because it may be larger than memory. */
async function rewriteFile({ write }: Database): Promise<void> {
  await write.connection().execute(async (connection) => {
    for (const statement of [
      'pragma temp_store = file',
      'vacuum',
      'pragma user_version = 0',
      'pragma wal_checkpoint(truncate)',
      'pragma temp_store = memory',
    ])
      await sql.raw(statement).execute(connection)
  })
}

/** The number of the migration that began the journal, and of the one that began the log of translations. */
const JOURNAL = 24
const TRANSLATIONS = 32

/** How often a process tries again while another one migrates: on SQLite for some minutes. */
const ATTEMPTS = 2000

/** Returns the previous schema version. */
async function applyUpTo(database: Database, last: number): Promise<number> {
  const { engine } = database
  const on = unhurried(database)
  await transaction(
    (trx) =>
      sql`create table if not exists migrations (version integer primary key, applied_at bigint not null)`.execute(
        trx,
      ),
    { on, again: isStartConflict, attempts: ATTEMPTS, anySchema: true },
  )
  const tables = await tablesToLock(on, last)
  const apply = async (trx: Trx) => {
    await requireTurn(trx, engine, tables)
    const done = await sql<{
      version: number | null
    }>`select max(version) as version from migrations`.execute(trx)
    const before = done.rows[0]?.version ?? 0
    if (before >= last) return before
    await unwatch(trx, engine)
    if (before >= TRANSLATIONS) await unlogTranslations(trx, engine)
    for (let version = before + 1; version <= last; version += 1) {
      for (const statement of migrations[version - 1]?.(migrationTypes[engine]) ?? []) {
        if (typeof statement === 'string') await sql.raw(statement).execute(trx)
        else await statement(trx)
      }
      await sql`insert into migrations (version, applied_at) values (${version}, ${Date.now()})`.execute(trx)
    }
    if (engine === 'sqlite' && before > 0 && before < ERASES && last >= ERASES)
      await sql.raw(`pragma user_version = ${HOLDS_SECRETS}`).execute(trx)
    if (last > migrations.indexOf(programs))
      await sql`update migrations set oldest = ${oldestAfter(last)} where version = ${last}`.execute(trx)
    if (last >= JOURNAL) await watch(trx, engine)
    if (last >= TRANSLATIONS) await logTranslations(trx, engine)
    return before
  }
  for (;;)
    try {
      return await transaction(apply, { on, attempts: ATTEMPTS, anySchema: true })
    } catch (err) {
      if (!isLockTimeout(err)) throw err
      log().warn({ err }, 'the migration waits for a long transaction of another program')
      await delay(LOCK_PAUSE)
    }
}

/** Programs that use the database wait so long (ms) for a migration that waits for a long transaction, and then go on for the pause. */
const LOCK_TIMEOUT = 2000
const LOCK_PAUSE = 4000

/** The tables of a PostgreSQL database that is to be migrated, in the order of their locks: first the one that transactions lock first. */
async function tablesToLock({ engine, write }: Database, last: number): Promise<string[]> {
  if (engine !== 'postgres') return []
  const { rows } = await sql<{ name: string }>`select quote_ident(tablename) as name from pg_tables
    where schemaname = current_schema() and pg_has_role(tableowner, 'usage') and tablename <> 'migrations' and tablename not like 'lane\\_%'
      and (select max(version) from migrations) < ${last}
    order by tablename <> 'users', tablename`.execute(write)
  return rows.map(({ name }) => name)
}

/**
 * Waits until no other process migrates, and no program uses the tables. The locks must come before the snapshot: after a lock that comes
 * later a serializable transaction cannot change rows that others have changed meanwhile, and the whole migration begins again, on a busy
 * database many times. SQLite has one writer at a time.
 */
async function requireTurn(trx: Trx, engine: Engine, tables: string[]): Promise<void> {
  if (engine !== 'postgres') return
  await sql`lock table migrations in exclusive mode`.execute(trx)
  if (tables.length === 0) return
  await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT}`).execute(trx)
  await sql.raw(`lock table ${tables.join(', ')} in access exclusive mode`).execute(trx)
  await sql`set local lock_timeout = 0`.execute(trx)
}

/** The connections of streams have no statement_timeout: a migration may take long. */
const unhurried = (database: Database): Database =>
  database.engine === 'postgres' ? { ...database, write: database.stream } : database

/** True if the schema has the version that this program requires. */
export async function isMigrated(database: Database): Promise<boolean> {
  return (await readSchema(database)).version === schemaVersion
}
