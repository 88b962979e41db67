import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { unknownPassword } from '#lib/caller/auth/passwords.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise, seesRole, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { statement, together } from '#lib/db/statements.server'
import { env } from '#lib/ground/env.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { LinkDocument } from '#lib/ground/http/view'
import { setExternalNames } from '#lib/people/external-ids/external-ids.server'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { type PreparedPassword, preparePassword } from '#lib/people/identity/user-passwords.server'
import { userView } from '#lib/people/identity/users.server'
import { addressOf, type Draft, draftOf } from '#lib/people/scim/drafts'
import type { Message, Projection } from '#lib/people/scim/list-query.schema'
import { operationsOf } from '#lib/people/scim/operations'
import { projected } from '#lib/people/scim/projection'
import { patched } from '#lib/people/scim/user-patch'
import {
  findScimUser,
  fullName,
  type ScimUserRow,
  scimBase,
  userResource,
} from '#lib/people/scim/users.server'
import { attributeOf, isFields, requireKeepable, textOf, wrongValue } from '#lib/people/scim/values'
import type { Context, Sent } from '#lib/record/events/operation.server'

/* Changes of users. Each is the operation of the API, with its rules, privileges and event. */

type Writing = Context & { db: Trx; query: Projection; prepared: PreparedPassword }
type Found = { found: ScimUserRow }

export const scimUserTarget = {
  ids: { user: 'USER-0' },
  find: (context: ReadContext, { user }: { user: number }) => findScimUser(context, user),
} as const

/** The hash of a password in the message, before the transaction. */
export const prepareScimUser = (sent: Sent & { params: { user?: number } }): Promise<PreparedPassword> =>
  preparePassword({ ...sent, document: { password: passwordIn(sent.request, sent.document) } })

function passwordIn({ method }: Exchange, document: unknown): string | undefined {
  if (!isFields(document)) return undefined
  try {
    if (method === 'PATCH') return patched({ emails: [] }, operationsOf(document, 'user')).password
    return textOf(attributeOf(document, 'password'), 'password')
  } catch (error) {
    // The handler refuses the message.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Throws 412 if If-Match names another version (RFC 7644 §3.14). */
export function requireVersion(request: Exchange, version: string): void {
  const wanted = request.headers.get('if-match')
  if (!wanted || wanted.trim() === '*') return
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  if (!wanted.split(',').some((tag) => plain(tag) === plain(version)))
    throw new ApiError('412-PRECONDITION-FAILED')
}

/** The enterprise of this name, in any case if no other has the same. `present` is where the user is. Throws SCIM-5. */
async function organizationId({ caller, db }: ReadContext, name: string, present?: number): Promise<number> {
  const rows = await db
    .selectFrom('enterprises')
    .where('name_key', '=', fold(name))
    .where(seesEnterprise(caller, 'enterprises.id'))
    .select(['id', 'name'])
    .limit(MOST_ALIKE)
    .execute()
  const row =
    rows.find((each) => each.name === name) ??
    rows.find(({ id }) => id === present) ??
    (rows.length === 1 ? rows[0] : undefined)
  if (!row)
    throw wrongValue('organization', 'must be the name of an enterprise that you see, and name it alone')
  return row.id
}

/** Names of enterprises may differ only in case. */
const MOST_ALIKE = 100

const visibleRole = statement(
  'role by name',
  (db, { name, visibility }: { name: string; visibility: Visibility }) =>
    db.selectFrom('roles').where('name', '=', name).where(seesRole(visibility)).select('id'),
)

/** The role of users in no group. Throws SCIM-7. */
export async function defaultRole({ caller, db }: ReadContext): Promise<number> {
  const [row] = await visibleRole(db, { name: env().SCIM_DEFAULT_ROLE, visibility: visibilityOf(caller) })
  if (!row) throw new ApiError('SCIM-7')
  return row.id
}

/** A user here has at least a name: without parts it is the formatted one, the one to show, or the user name. */
function profileOf(draft: Draft) {
  const { userName, formatted, givenName, familyName, displayName, locale, emails } = draft
  if (userName === undefined) throw wrongValue('userName', 'must not be missing')
  const hasParts = givenName !== undefined || familyName !== undefined
  const [name, surname] = hasParts
    ? [givenName ?? familyName ?? '', givenName === undefined ? '' : (familyName ?? '')]
    : [formatted ?? displayName ?? userName, '']
  return {
    nick: userName,
    name,
    surname,
    email: addressOf(emails),
    ...(locale !== undefined && { locale: localeOf(locale) }),
    ...(draft.active !== undefined && { active: draft.active }),
  }
}

/** A language and a country. A script between them is not kept. Throws SCIM-5. */
function localeOf(locale: string): string {
  const [, language, country] = /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}))?$/i.exec(locale) ?? []
  if (language === undefined)
    throw wrongValue('locale', 'must be a language as in en, or with a country as in en-US')
  return country === undefined ? language : `${language}_${country}`
}

const apiLink = (rel: string, path: string): LinkDocument => ({ rel, href: `/api${path}` })

const roleLink = (role: number): LinkDocument => apiLink('role', pathOf(kinds.role, { id: role }))

/** Names that differ from those that follow from the user are kept beside it. */
const namesOf = (draft: Draft, profile: { name: string; surname: string }) => ({
  externalId: draft.externalId,
  displayName: draft.displayName === fullName(profile) ? undefined : draft.displayName,
})

const shown = ({ request, query }: Writing, row: ScimUserRow): object =>
  projected(userResource(row, scimBase(request)), query)

export async function createScimUser(context: Writing & { body: Message }): Promise<object> {
  const { caller, db, body, prepared, operate } = context
  const draft = draftOf(body)
  const profile = profileOf(draft)
  const names = namesOf(draft, profile)
  requireKeepable(names)
  const enterprise =
    draft.organization === undefined ? caller.enterpriseId : await organizationId(context, draft.organization)
  // Without a password nobody can sign in with one, until the user or an administrator sets it.
  const password = draft.password ?? randomBytes(32).toString('base64url')
  const hash = draft.password === undefined ? await unknownPassword() : prepared.hash
  const made = (await operate({
    method: 'POST',
    path: collectionOf(kinds.user, { enterprise }),
    document: { ...profile, password, links: [roleLink(await defaultRole(context))] },
    prepared: { hash },
    isOwnChange: true,
  })) as UserDocument
  const [, row] = await together(
    setExternalNames(db, { owner: caller.id, kind: 'user', id: made.id }, names),
    findScimUser(context, made.id),
  )
  return shown(context, row)
}

/** The user as a draft, which operations change. */
const currentDraft = (row: ScimUserRow): Draft => ({
  externalId: row.external_id ?? undefined,
  userName: row.nick,
  givenName: row.name,
  familyName: row.surname || undefined,
  displayName: row.display_name ?? undefined,
  emails: row.email ? [{ value: row.email, type: 'work', primary: true }] : [],
  locale: row.locale,
})

/** Attributes that PUT omits are cleared. `active`, `locale` and `organization` stay (RFC 7644 §3.5.1 leaves it open). */
export const replaceScimUser = (context: Writing & Found & { body: Message }): Promise<object> =>
  saveUser(context, draftOf(context.body))

export const patchScimUser = (context: Writing & Found & { body: Message }): Promise<object> =>
  saveUser(context, patched(currentDraft(context.found), operationsOf(context.body, 'user')))

const userPath = (row: ScimUserRow): string =>
  pathOf(kinds.user, { enterprise: row.enterprise_id, id: row.id })

/** The document of a user with these links in place of others. */
function documentWith(row: ScimUserRow, changed: readonly LinkDocument[]) {
  const { links, ...fields } = userView(row)
  const kept = links
    .filter(({ rel }) => ['enterprise', 'role', 'scope'].includes(rel))
    .filter(({ rel }) => !changed.some((link) => link.rel === rel))
    .map(({ rel, href }) => apiLink(rel, href))
  return { ...fields, links: [...kept, ...changed] }
}

async function saveUser(context: Writing & Found, draft: Draft): Promise<object> {
  const { caller, db, found, request, prepared, operate } = context
  requireVersion(request, userResource(found, scimBase(request)).meta.version)
  const profile = profileOf(draft)
  const names = namesOf(draft, profile)
  requireKeepable(names)
  const { organization } = draft
  const enterprise =
    organization === undefined || organization === found.enterprise_name
      ? found.enterprise_id
      : await organizationId(context, organization, found.enterprise_id)
  // The scope of a user is one of their enterprise: it does not move along.
  const moved = [apiLink('enterprise', pathOf(kinds.enterprise, { id: enterprise }))]
  const { links, ...document } = documentWith(found, moved)
  await operate({
    method: 'PUT',
    path: userPath(found),
    document: {
      ...document,
      ...profile,
      links: enterprise === found.enterprise_id ? links : links.filter(({ rel }) => rel !== 'scope'),
      ...(draft.password !== undefined && { password: draft.password }),
    },
    prepared,
    isOwnChange: true,
  })
  if ((names.externalId ?? null) !== found.external_id || (names.displayName ?? null) !== found.display_name)
    await setExternalNames(db, { owner: caller.id, kind: 'user', id: found.id }, names)
  return shown(context, await findScimUser(context, found.id))
}

export async function removeScimUser(context: Context & Found): Promise<void> {
  const { found, request, operate } = context
  requireVersion(request, userResource(found, scimBase(request)).meta.version)
  await operate({ method: 'DELETE', path: userPath(found), isOwnChange: true })
}

/** Gives users a role, each by an operation of its own. */
export async function moveUsers(
  { operate }: Pick<Context, 'operate'>,
  rows: readonly ScimUserRow[],
  role: number,
): Promise<void> {
  for (const row of rows) {
    // Other requests get a turn between two moves.
    await setImmediate()
    await operate({
      method: 'PUT',
      path: userPath(row),
      document: documentWith(row, [roleLink(role)]),
      isOwnChange: true,
    })
  }
}

export const readScimUser = async ({
  found,
  query,
  request,
}: Found & Pick<Writing, 'query' | 'request'>): Promise<object> =>
  projected(userResource(found, scimBase(request)), query)
