import { hash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { type Db, database } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { visibleUsers } from '#lib/people/identity/users.server'
import { type Attribute, type Attributes, idAttribute } from '#lib/people/scim/conditions.server'
import { ENTERPRISE, USER } from '#lib/people/scim/schema-urns'

/* Users as SCIM shows them (RFC 7643 §4.1, §4.3), and what their rows can be searched by. */

/** The later of the user's last change and that of the names that the directory gave them. */
const lastModified = sql<number | null>`(case when external.changed_at > coalesce(users.modified_at, 0)
  then external.changed_at else users.modified_at end)`

/** The visible users, with the names that the directory of the owner gave them. */
export const scimUsers = (db: Db, visibility: Visibility, owner: number) =>
  visibleUsers(db, visibility)
    .leftJoin('external_names as external', (join) =>
      join
        .onRef('external.resource_id', '=', 'users.id')
        .on('external.owner_id', '=', owner)
        .on('external.kind', '=', 'user'),
    )
    .select(['external.external_id', 'external.display_name'])
    .select(['users.created_at', lastModified.as('modified_at')])

type Wanted = { user: number; owner: number; visibility: Visibility }

const visibleScimUser = statement('scim user', (db, { user, owner, visibility }: Wanted) =>
  scimUsers(db, visibility, owner).where('users.id', '=', user),
)

export type ScimUserRow = Awaited<ReturnType<typeof findScimUser>>

/** Throws USER-0. */
export async function findScimUser({ caller, db }: ReadContext, user: number) {
  const [row] = await visibleScimUser(db, { user, owner: caller.id, visibility: visibilityOf(caller) })
  if (!row) throw new ApiError('USER-0')
  return row
}

export const scimBase = (request: Exchange): string => `${baseOf(request)}/scim/v2`

export const fullName = ({ name, surname }: { name: string; surname: string }): string =>
  `${name} ${surname}`.trim()

/** RFC 7644 §3.14: a weak tag. */
export const versionOf = (content: unknown): string =>
  `W/"${hash('sha256', JSON.stringify(content), 'base64url').slice(0, 27)}"`

const shownMoment = (time: number | string): string => new Date(Number(time)).toISOString()

/** BCP 47 has a hyphen where POSIX has an underscore. */
export const shownLocale = (locale: string): string => locale.replace('_', '-')

export function userResource(row: ScimUserRow, base: string) {
  const formatted = fullName(row)
  const content = {
    schemas: [USER, ENTERPRISE],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.nick,
    name: { formatted, givenName: row.name, ...(row.surname && { familyName: row.surname }) },
    displayName: row.display_name ?? formatted,
    ...(row.email && { emails: [{ value: row.email, type: 'work', primary: true }] }),
    locale: shownLocale(row.locale),
    active: row.active === 1,
    groups:
      row.role_name === null
        ? []
        : [
            {
              value: String(row.role_id),
              $ref: `${base}/Groups/${row.role_id}`,
              display: row.role_name,
              type: 'direct',
            },
          ],
    [ENTERPRISE]: { organization: row.enterprise_name },
  }
  const { created_at: created, modified_at: modified } = row
  const meta = {
    resourceType: 'User',
    ...(created !== null && { created: shownMoment(created) }),
    ...(modified !== null && { lastModified: shownMoment(modified) }),
    location: `${base}/Users/${row.id}`,
    version: versionOf(content),
  }
  return { ...content, meta }
}

/** The folded name or surname, in `users.search_key`: nick, name, surname and e-mail address, one a line. */
function searchPart(part: 'name' | 'surname'): RawBuilder<string> {
  const lines = sql.ref<string>('users.search_key')
  const isName = part === 'name'
  if (database().engine === 'postgres') return sql`split_part(${lines}, chr(10), ${sql.lit(isName ? 2 : 3)})`
  const rest = (text: RawBuilder<string>) => sql<string>`substr(${text}, instr(${text}, char(10)) + 1)`
  const behind = isName ? rest(lines) : rest(rest(lines))
  return sql`substr(${behind}, 1, instr(${behind}, char(10)) - 1)`
}

const hasEmail = sql<SqlBool>`(users.email <> '')`

const byFullName = (text: string) => sql<SqlBool>`users.name_key in (${text}, ${`${text} `})`

/** The attributes of users that filters and `sortBy` may name. */
export function userAttributes(owner: number): Attributes {
  const fullKey = sql`trim(users.name_key)`
  const displayKey = sql`coalesce(external.display_key, ${fullKey})`
  const named = sql`select resource_id from external_names where owner_id = ${owner} and kind = 'user'`
  const email: Attribute = {
    type: 'text',
    value: sql`nullif(lower(users.email), '')`,
    equal: (text) => sql`lower(users.email) = ${text}`,
  }
  const role: Attribute = { type: 'text', value: sql`cast(roles.id as text)`, isExact: true }
  return {
    id: idAttribute('users.id'),
    externalid: {
      type: 'text',
      value: sql.ref('external.external_id'),
      isExact: true,
      equal: (text) => sql`users.id in (${named} and external_id = ${text})`,
    },
    username: {
      type: 'text',
      value: sql.ref('users.nick_key'),
      equal: (text) => sql`users.nick_key = ${text}`,
    },
    'name.formatted': { type: 'text', value: fullKey, equal: byFullName },
    'name.givenname': { type: 'text', value: searchPart('name') },
    'name.familyname': { type: 'text', value: searchPart('surname') },
    displayname: {
      type: 'text',
      value: displayKey,
      equal: (text) =>
        sql`(users.id in (${named} and display_key = ${text} union all select id from users where ${byFullName(text)}) and ${displayKey} = ${text})`,
    },
    emails: email,
    'emails.value': email,
    'emails.type': { type: 'text', value: sql`case when ${hasEmail} then 'work' end` },
    'emails.primary': { type: 'boolean', value: hasEmail },
    locale: { type: 'text', value: sql`lower(replace(users.locale, '_', '-'))` },
    active: { type: 'boolean', value: sql`(users.active = 1)` },
    groups: role,
    'groups.value': role,
    'groups.display': { type: 'text', value: sql.ref('roles.name_key') },
    'enterprise:organization': { type: 'text', value: sql.ref('enterprises.name_key') },
    'meta.resourcetype': { type: 'text', value: sql`'user'` },
    'meta.created': { type: 'moment', value: sql.ref('users.created_at') },
    'meta.lastmodified': {
      type: 'moment',
      value: lastModified,
      later: (than) => sql`users.id in (select id from users where ${than(sql.ref('modified_at'))}
        union all select resource_id from external_names where owner_id = ${owner} and kind = 'user' and ${than(sql.ref('changed_at'))})`,
    },
  }
}
