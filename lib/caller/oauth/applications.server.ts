import { randomBytes, randomUUID } from 'node:crypto'
import { allPrivileges, type Caller, type Privilege } from '#lib/caller/auth/privileges'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { decrypt, encrypt } from '#lib/ground/keys/keys.server'

/* The rows of applications, their secrets and privileges. Their owners manage them in lib/applications. */

export const applicationSecretContext = (id: number) => `applications/${id}/secret`

export const secretOfApplication = ({ id, api_secret }: { id: number; api_secret: string }): string =>
  decrypt(api_secret, applicationSecretContext(id))

/** 40 characters, 240 bits. */
const newSecret = (): string => randomBytes(30).toString('base64url')

type NewApplication = {
  user_id: number
  name: string
  name_key: string
  description: string
  public_key: string | null
}

export async function insertApplication(trx: Trx, columns: NewApplication, privileges: Privilege[]) {
  const { api_secret: _none, ...application } = await trx
    .insertInto('applications')
    .values({ ...columns, api_key: randomUUID(), api_secret: '', secret_exposed_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  // The encryption binds the secret to the id, which is known only now.
  const secret = await renewSecret(trx, application.id)
  if (privileges.length > 0)
    await trx
      .insertInto('application_privileges')
      .values(privileges.map((privilege) => ({ application_id: application.id, privilege })))
      .execute()
  return { application, secret }
}

/** Stores a new secret and returns it. Requests signed with the old one are refused from now on. */
export async function renewSecret(trx: Trx, id: number): Promise<string> {
  const secret = newSecret()
  await trx
    .updateTable('applications')
    .set({ api_secret: encrypt(secret, applicationSecretContext(id)), secret_exposed_at: null })
    .where('id', '=', id)
    .execute()
  return secret
}

/** The privileges granted to an application, whether or not its user still holds them. */
export async function privilegesOfApplication(db: Db, id: number): Promise<Privilege[]> {
  const rows = await db
    .selectFrom('application_privileges')
    .where('application_id', '=', id)
    .select('privilege')
    .execute()
  const granted = new Set(rows.map(({ privilege }) => privilege))
  return allPrivileges.filter((name) => granted.has(name))
}

/** Limits the caller to the privileges of the application that holds this access token; null if the token was revoked. */
export async function limitedTo(
  caller: Caller,
  grant: number,
  db: Db = database().read,
): Promise<Caller | null> {
  const rows = await db
    .selectFrom('oauth_tokens')
    .leftJoin('application_privileges', (join) =>
      join.onRef('application_privileges.application_id', '=', 'oauth_tokens.application_id'),
    )
    .where('oauth_tokens.id', '=', grant)
    .select('privilege')
    .execute()
  if (rows.length === 0) return null
  const granted = new Set(rows.map(({ privilege }) => privilege))
  return { ...caller, privileges: new Set([...caller.privileges].filter((name) => granted.has(name))) }
}

/** How many applications still use a secret that an earlier version wrote into an event. */
export async function countExposedSecrets(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('applications')
    .where('secret_exposed_at', 'is not', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes applications and every authorization for them. */
export async function removeApplications(trx: Trx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['application_privileges', 'oauth_tokens', 'oauth_failures'] as const)
    await trx.deleteFrom(table).where('application_id', 'in', ids).execute()
  await trx.deleteFrom('applications').where('id', 'in', ids).execute()
}

/** Ends for good all authorizations by the user: applications no longer act for them, nor do sessions that began with such a token. */
export const endAuthorizationsOf = (trx: Trx, userId: number): Promise<unknown> =>
  trx.deleteFrom('oauth_tokens').where('user_id', '=', userId).execute()

/** Deletes a user's applications, and the tokens with which other users' applications act for the user. */
export async function removeApplicationsOf(trx: Trx, userId: number): Promise<void> {
  const own = await trx.selectFrom('applications').where('user_id', '=', userId).select('id').execute()
  await removeApplications(
    trx,
    own.map(({ id }) => id),
  )
  await endAuthorizationsOf(trx, userId)
}
