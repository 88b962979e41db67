import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { databaseFile } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { queryPostgres } from '#lib/tools/testing/postgres'

/*
 * Each file of tests begins with the database of a first start, whatever the files before it left. Connections, threads and compiled
 * statements of the worker stay. Ids go on where they were, so that nothing kept by id meets another row.
 */

let kept = false

let renewed = 0

/** Which database of this worker it is: what a test keeps of one is not in the next. */
export const databaseNumber = (): number => renewed

/** Keeps the rows of this moment: `renewDatabase` brings them back. Nothing in a process that a test has started. */
export async function keepRows(): Promise<void> {
  if (process.env.TEST_WORKER !== String(process.pid)) return
  const { DATABASE_URL } = env()
  await (DATABASE_URL ? keepPostgres(DATABASE_URL) : keepSqlite())
  kept = true
}

/** Brings back the kept rows, and no others; nothing if none are kept. */
export async function renewDatabase(): Promise<void> {
  if (!kept) return
  renewed += 1
  const { DATABASE_URL } = env()
  await (DATABASE_URL ? renewPostgres(DATABASE_URL) : renewSqlite())
}

const keptFile = (): string => join(env().DATA_DIR, 'kept.db')

async function keepSqlite(): Promise<void> {
  const file = new DatabaseSync(databaseFile(env().DATA_DIR), { readOnly: true })
  await backup(file, keptFile())
  file.close()
}

async function renewSqlite(): Promise<void> {
  const path = databaseFile(env().DATA_DIR)
  const file = new DatabaseSync(path)
  const sequences = file.prepare('select name, seq from sqlite_sequence').all()
  const from = new DatabaseSync(keptFile(), { readOnly: true })
  await backup(from, path, { rate: 1e6 })
  from.close()
  const keep = file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
  file.exec('begin immediate; delete from sqlite_sequence')
  for (const { name = '', seq = 0 } of sequences) keep.run(name, seq)
  file.exec('commit')
  file.close()
}

/** The kept rows are in a schema of their own, a table for each. */
const keepPostgres = (url: string): Promise<unknown> =>
  queryPostgres(
    url,
    `create schema kept;
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('create table kept.%1$I as table public.%1$I', name);
      end loop;
    end $$`,
  )

/** Without triggers and foreign keys. A long table is truncated, which would take longer for the many short ones. */
const renewPostgres = (url: string): Promise<unknown> =>
  queryPostgres(
    url,
    `set session_replication_role = replica;
    do $$ declare name text; used boolean; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        if pg_relation_size(format('public.%I', name)) > 65536 then
          execute format('truncate public.%I cascade', name);
        else
          execute format('delete from public.%I', name);
        end if;
      end loop;
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('insert into public.%1$I overriding system value table kept.%1$I', name);
      end loop;
    end $$`,
  )
