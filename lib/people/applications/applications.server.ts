import { isCaller } from '#lib/caller/auth/caller.server'
import type { Change, ReadContext, Referring, WriteContext } from '#lib/caller/auth/context.server'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  insertApplication,
  privilegesOfApplication,
  removeApplications,
  renewSecret,
  secretOfApplication,
} from '#lib/caller/oauth/applications.server'
import { HOUR } from '#lib/caller/oauth/failures.server'
import { isRsaPublicKey } from '#lib/caller/oauth/signatures.server'
import { fold } from '#lib/db/fold'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import type {
  ApplicationDocument,
  ApplicationInput,
  SignatureFailureDocument,
} from '#lib/people/applications/applications.schema'
import { readPrivilege } from '#lib/people/identity/roles.server'
import { findUser, type UserPath, type UserRow, userTarget } from '#lib/people/identity/users.server'

type ApplicationPath = UserPath & { application: number }

/** An application of a user who is visible to the caller. Throws EN-0, USER-0, USER-23. */
async function findApplication(context: ReadContext, params: ApplicationPath) {
  const user = await findUser(context, params)
  const application = await context.db
    .selectFrom('applications')
    .where('id', '=', params.application)
    .where('user_id', '=', user.id)
    .selectAll()
    .executeTakeFirst()
  if (!application) throw new ApiError('USER-23')
  return { ...application, user }
}

type Application = Awaited<ReturnType<typeof findApplication>>

function applicationView(
  application: Omit<Application, 'user' | 'api_secret'>,
  user: Application['user'],
  { privileges, secret }: { privileges: Privilege[]; secret?: string },
): ApplicationDocument {
  const owner = pathOf(kinds.user, { enterprise: user.enterprise_id, id: user.id })
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

/** Only the owner sees the secret, after a proof of identity; administrators do not. */
export async function readApplication({
  caller,
  db,
  isProved = false,
  found: { user, ...application },
}: ReadContext & { isProved?: boolean; found: Application }): Promise<ApplicationDocument> {
  const showsSecret = user.id === caller.id && isProved
  return applicationView(application, user, {
    privileges: await privilegesOfApplication(db, application.id),
    ...(showsSecret && { secret: secretOfApplication(application) }),
  })
}

export const applicationTarget = {
  ids: { ...userTarget.ids, application: 'USER-23' },
  wildcard: userTarget.wildcard,
  find: findApplication,
  view: (found: Application, { caller, db }: ReadContext) => readApplication({ caller, db, found }),
} as const

/** All applications of a user, or the one behind a request token. */
export async function listApplications({
  db,
  found: user,
  query,
}: ReadContext & { found: UserRow; query: { oauth_token?: string | undefined } }): Promise<Listing> {
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

/** The privileges that the links refer to. Throws PRIVILEGE-0. */
export const applicationReferences = async (
  _context: ReadContext,
  { links = {} }: Partial<ApplicationInput>,
): Promise<Privilege[] | undefined> => links.privilege?.map(({ id }) => readPrivilege(id).name)

/** An application has no privilege that its user or the caller lacks. Without links it gets all privileges that both have. */
async function grantable(
  { caller, db }: ReadContext,
  userRole: number,
  named: Privilege[] | undefined,
): Promise<Privilege[]> {
  const rows = await db
    .selectFrom('role_privileges')
    .where('role_id', '=', userRole)
    .select('privilege')
    .execute()
  const held = new Set<string>(rows.map(({ privilege }) => privilege))
  const both = allPrivileges.filter((name) => held.has(name) && caller.privileges.has(name))
  const lacking = named?.filter((name) => !both.includes(name)) ?? []
  if (lacking.length > 0)
    throw new ApiError(fault('GEN-15', `The user does not hold: ${lacking.join(', ')}`, 'privilege'))
  return named ? both.filter((name) => named.includes(name)) : both
}

export async function createApplication({
  caller,
  db,
  found: user,
  body,
  references: named,
}: Change<UserRow, ApplicationInput> &
  Referring<typeof applicationReferences>): Promise<ApplicationDocument> {
  const context = { caller, db }
  const publicKey = body.publicKey.trim() || null
  if (publicKey !== null && !isRsaPublicKey(publicKey))
    throw new ApiError(
      fault('CONSTR-PATTERN', 'publicKey must be an RSA key of 2048 bits or more', 'publicKey'),
    )
  const privileges = await grantable(context, user.role_id, named)
  const columns = {
    user_id: user.id,
    name: body.name,
    name_key: fold(body.name),
    description: body.description,
    public_key: publicKey,
  }
  const { application, secret } = await insertApplication(db, columns, privileges)
  return applicationView(application, user, { privileges, secret })
}

/** Replaces the secret, for the owner only. Requests signed with the old secret are refused from now on. */
export async function rotateSecret({
  caller,
  db,
  found: { user, ...application },
  note,
}: WriteContext & { found: Application; note: (field: string, was: undefined, is: string) => void }) {
  if (user.id !== caller.id) throw new ApiError('GEN-15')
  const secret = await renewSecret(db, application.id)
  note('apiSecret', undefined, 'changed')
  const privileges = await privilegesOfApplication(db, application.id)
  return applicationView({ ...application, secret_exposed_at: null }, user, {
    privileges,
    secret,
  })
}

/** Deletes the application and revokes every authorization for it. */
export const removeApplication = ({
  db,
  found: { id },
}: WriteContext & { found: Application }): Promise<void> => removeApplications(db, [id])

/** An application of the caller: other users do not see the signed content. */
export const ownApplicationTarget = {
  ids: applicationTarget.ids,
  wildcard: applicationTarget.wildcard,
  find: ({ caller, db }: ReadContext, { user, application }: ApplicationPath) =>
    db
      .selectFrom('applications')
      .where('id', '=', application)
      .where('user_id', '=', caller.id)
      .where('user_id', '=', user)
      .select('id')
      .executeTakeFirstOrThrow(() => new ApiError('USER-23')),
  seenBy: isCaller,
} as const

/** The latest failures of an application. */
export async function listFailures({
  db,
  found: own,
}: ReadContext & { found: { id: number } }): Promise<Listing> {
  const rows = await db
    .selectFrom('oauth_failures')
    .where('application_id', '=', own.id)
    .where('failed_at', '>', Date.now() - HOUR)
    .selectAll()
    .orderBy('id', 'desc')
    .execute()
  const collection = rows.map(
    (row): SignatureFailureDocument => ({
      links: [],
      id: row.id,
      failed: new Date(row.failed_at).toISOString(),
      signatureMethod: row.method,
      baseString: row.base_string,
      clockOffset: row.clock_offset,
    }),
  )
  return { links: [], totalSize: collection.length, collection }
}
