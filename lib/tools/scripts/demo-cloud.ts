import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/* The common part of the demos: their settings, the sample cloud, and its users. */

process.env.DATA_DIR ??= './data/demo'
process.env.ADMIN_PASSWORD ??= 'demo demo demo'
process.env.LOG_LEVEL ??= 'warn'
// The name in authenticator apps too.
process.env.PRODUCT_NAME ??= 'Cloud console'

export const tell = (...lines: string[]): void => {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

export const startOver = 'Stop with Ctrl+C. To start over, also remove the directory '

/** Prepares the installation and fills it if it is empty. Returns the users who can sign in, in the order of their ids. */
export async function openDemo() {
  // Imported here, because the caller sets more settings first.
  const { database } = await import('#lib/db/db.server')
  const { prepare } = await import('#lib/server/prepare.server')
  const { ADMIN_NICK, ADMIN_PASSWORD = '', DATA_DIR } = await prepare()
  const { read } = database()
  if (!(await read.selectFrom('datacenters').select('id').limit(1).executeTakeFirst())) await fill(DATA_DIR)
  const { maker } = await import('#lib/tools/sample/cloud.server')
  const { reportSampleGateway } = await import('#lib/tools/sample/gateway.server')
  await reportSampleGateway({ ...maker, nick: ADMIN_NICK })
  const users = await read
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .where('users.active', '=', 1)
    .where('users.first_login', '=', 0)
    .select(['users.nick', 'users.name', 'users.surname', 'users.email', 'users.two_factor_provider'])
    .select(['roles.name as role', 'enterprises.name as enterprise'])
    .orderBy('users.id')
    .execute()
  return { admin: ADMIN_NICK, password: ADMIN_PASSWORD, directory: DATA_DIR, users }
}

export type DemoUser = Awaited<ReturnType<typeof openDemo>>['users'][number]

/** The first user of each role who signs in without a code. */
export function oneOfEachRole(users: DemoUser[]): DemoUser[] {
  const withoutCode = users.filter(({ two_factor_provider }) => two_factor_provider === null)
  return [...Map.groupBy(withoutCode, ({ role }) => role).values()].flatMap(([first]) => first ?? [])
}

/** Settings that the past does without: it sends no mail, and its sessions last for a visit. */
const unset = { SMTP_URL: '', SESSION_MAX_SECONDS: '', TOKEN_TTL_SECONDS: '' }

/** In a process of its own, which may set its clock and returns its memory. */
async function fill(directory: string): Promise<void> {
  tell(`Filling ${directory} with a sample cloud and 60 days of its past, once …`)
  const run = join(import.meta.dirname, 'run.js')
  const filling = spawn(process.execPath, [run, 'demo-fill'], {
    stdio: 'inherit',
    env: { ...process.env, ...unset, LOG_LEVEL: 'warn' },
  })
  const [code] = await once(filling, 'exit')
  if (code !== 0) process.exit(1)
}
