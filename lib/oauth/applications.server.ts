import { randomBytes, randomUUID } from 'node:crypto'
import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import { allPrivileges, isPrivilege, type Privilege } from '#lib/auth/privileges'
import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { ApiError, fault } from '#lib/http/errors'
import type { Listing } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import { readPrivilege } from '#lib/identity/roles.server'
import { findUser, type UserPath } from '#lib/identity/users.server'
import { decrypt, encrypt } from '#lib/keys/keys.server'
import type { ApplicationDocument, ApplicationInput } from '#lib/oauth/applications.schema'
import { isRsaPublicKey } from '#lib/oauth/signatures.server'

export const applicationSecretContext = (id: number) => `applications/${id}/secret`

const SECRET_LENGTH = 40

/** 40 characters, 240 bits. */
const newSecret = (): string => randomBytes((SECRET_LENGTH * 3) / 4).toString('base64url')

export type ApplicationPath = UserPath & { application: number }

/** An application of a user whom the caller sees. Throws EN-0, USER-0, USER-23. */
async function findApplication(asked: ReadContext, params: ApplicationPath) {
  const user = await findUser(asked, params)
  const application = await asked.db
    .selectFrom('applications')
    .where('id', '=', params.application)
    .where('user_id', '=', user.id)
    .selectAll()
    .executeTakeFirst()
  if (!application) throw new ApiError('USER-23')
  return { ...application, user }
}

type Found = Awaited<ReturnType<typeof findApplication>>

/** What the application was given, whatever its user holds now. */
export async function privilegesOfApplication(db: Db, id: number): Promise<Privilege[]> {
  const rows = await db
    .selectFrom('application_privileges')
    .where('application_id', '=', id)
    .select('privilege')
    .execute()
  const given = new Set(rows.map(({ privilege }) => privilege).filter(isPrivilege))
  return allPrivileges.filter((name) => given.has(name))
}

function applicationView(
  application: Omit<Found, 'user'>,
  user: Found['user'],
  { privileges, secret }: { privileges: Privilege[]; secret?: string },
): ApplicationDocument {
  const owner = `/admin/enterprises/${user.enterprise_id}/users/${user.id}`
  const named = privileges.map((name) => {
    const id = allPrivileges.indexOf(name) + 1
    return link('privilege', `/config/privileges/${id}`, 'privilege', name)
  })
  return {
    links: [
      link('self', `${owner}/applications/${application.id}`, 'application', application.name),
      link('user', owner, 'user', user.nick),
      ...named,
    ],
    id: application.id,
    name: application.name,
    description: application.description,
    apiKey: application.api_key,
    ...(secret !== undefined && { apiSecret: secret }),
    ...(application.secret_exposed_at !== null && { secretExposed: true }),
    ...(application.public_key !== null && { publicKey: application.public_key }),
  }
}

/** Shows the secret to its owner alone, with a proof of who that is; not to an administrator. */
export async function readApplication({
  caller,
  db,
  isProved = false,
  params,
}: ReadContext & { isProved?: boolean; params: ApplicationPath }): Promise<ApplicationDocument> {
  const { user, ...application } = await findApplication({ caller, db }, params)
  const mayKnow = user.id === caller.id && isProved
  return applicationView(application, user, {
    privileges: await privilegesOfApplication(db, application.id),
    ...(mayKnow && { secret: decrypt(application.api_secret, applicationSecretContext(application.id)) }),
  })
}

/** How many applications sign with a secret that stood in an event. */
export async function countExposedSecrets(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('applications')
    .where('secret_exposed_at', 'is not', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** All applications of a user, or the one behind a request token. */
export async function listApplications({
  caller,
  db,
  params,
  query,
}: ReadContext & { params: UserPath; query: { oauth_token?: string | undefined } }): Promise<Listing> {
  const user = await findUser({ caller, db }, params)
  const token = query.oauth_token
  const rows = await db
    .selectFrom('applications')
    .where('user_id', '=', user.id)
    .$if(token !== undefined, (all) =>
      all.where((on) =>
        on.exists(
          on
            .selectFrom('oauth_tokens')
            .whereRef('oauth_tokens.application_id', '=', 'applications.id')
            .where('oauth_tokens.token', '=', token ?? '')
            .where('oauth_tokens.expires_at', '>', Date.now())
            .select('oauth_tokens.id'),
        ),
      ),
    )
    .selectAll()
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  const collection = await Promise.all(
    rows.map(async (row) =>
      applicationView(row, user, { privileges: await privilegesOfApplication(db, row.id) }),
    ),
  )
  return { links: [], totalSize: rows.length, collection }
}

/** What the links name. Throws PRIVILEGE-0. */
export const applicationReferences = async (
  _asked: ReadContext,
  { links = {} }: Partial<ApplicationInput>,
): Promise<Privilege[] | undefined> => links.privilege?.map(({ id }) => readPrivilege(id).name)

/** An application has no privilege that its user, or who registers it, lacks; without a link it has all that both have. */
async function grantable(
  asked: ReadContext,
  userRole: number,
  named: Privilege[] | undefined,
): Promise<Privilege[]> {
  const rows = await asked.db
    .selectFrom('role_privileges')
    .where('role_id', '=', userRole)
    .select('privilege')
    .execute()
  const held = new Set<string>(rows.map(({ privilege }) => privilege))
  const both = allPrivileges.filter((name) => held.has(name) && asked.caller.privileges.has(name))
  const lacking = named?.filter((name) => !both.includes(name)) ?? []
  if (lacking.length > 0) throw new ApiError(fault('GEN-15', `The user does not hold: ${lacking.join(', ')}`))
  return named ? both.filter((name) => named.includes(name)) : both
}

export async function createApplication({
  caller,
  db,
  params,
  body,
}: WriteContext & { params: UserPath; body: ApplicationInput }): Promise<ApplicationDocument> {
  const asked = { caller, db }
  const user = await findUser(asked, params)
  const publicKey = body.publicKey.trim() || null
  if (publicKey !== null && !isRsaPublicKey(publicKey))
    throw new ApiError(fault('CONSTR-PATTERN', 'publicKey must be an RSA key of 2048 bits or more'))
  const named = await applicationReferences(asked, body)
  const privileges = await grantable(asked, user.role_id, named)
  const secret = newSecret()
  const columns = {
    user_id: user.id,
    name: body.name,
    name_key: fold(body.name),
    description: body.description,
    api_key: randomUUID(),
    public_key: publicKey,
    secret_exposed_at: null,
  }
  // The secret is bound to the id, which is known afterwards.
  const { id } = await db
    .insertInto('applications')
    .values({ ...columns, api_secret: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const api_secret = await storeSecret(db, id, secret)
  if (privileges.length > 0)
    await db
      .insertInto('application_privileges')
      .values(privileges.map((privilege) => ({ application_id: id, privilege })))
      .execute()
  return applicationView({ id, ...columns, api_secret }, user, { privileges, secret })
}

async function storeSecret(trx: Trx, id: number, secret: string): Promise<string> {
  const api_secret = encrypt(secret, applicationSecretContext(id))
  await trx
    .updateTable('applications')
    .set({ api_secret, secret_exposed_at: null })
    .where('id', '=', id)
    .execute()
  return api_secret
}

/** Gives it a new secret, for its owner alone; requests that are signed with the old one are refused from now on. */
export async function rotateSecret({
  caller,
  db,
  params,
  note,
}: WriteContext & { params: ApplicationPath; note: (field: string, was: undefined, is: string) => void }) {
  const { user, ...application } = await findApplication({ caller, db }, params)
  if (user.id !== caller.id) throw new ApiError('GEN-15')
  const secret = newSecret()
  const api_secret = await storeSecret(db, application.id, secret)
  note('apiSecret', undefined, 'changed')
  const privileges = await privilegesOfApplication(db, application.id)
  return applicationView({ ...application, api_secret, secret_exposed_at: null }, user, {
    privileges,
    secret,
  })
}

const dependents = ['application_privileges', 'oauth_tokens', 'oauth_failures'] as const

/** Deletes it, and ends everything that was authorized for it. */
export async function removeApplication({
  caller,
  db,
  params,
}: WriteContext & { params: ApplicationPath }): Promise<void> {
  const { id } = await findApplication({ caller, db }, params)
  for (const table of dependents) await db.deleteFrom(table).where('application_id', '=', id).execute()
  await db.deleteFrom('applications').where('id', '=', id).execute()
}

/** Before a user is deleted: removes their applications, and their authorizations for other applications. */
export async function removeApplicationsOf(trx: Trx, userId: number): Promise<void> {
  const own = trx.selectFrom('applications').where('user_id', '=', userId).select('id')
  for (const table of dependents) await trx.deleteFrom(table).where('application_id', 'in', own).execute()
  await trx.deleteFrom('oauth_tokens').where('user_id', '=', userId).execute()
  await trx.deleteFrom('applications').where('user_id', '=', userId).execute()
}
