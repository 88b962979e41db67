/* Rows as documents, byte for byte those of the product. A row is an array, in the order of the columns beside its text. `api`: the API's address. */

export const quoted = (text: string): string => JSON.stringify(text)

export const link = (rel: string, href: string, type: string, title?: string | null): string =>
  `{"rel":"${rel}","href":"${href}","type":"application/vnd.service.${type}+json"${title ? `,"title":${quoted(title)}` : ''}}`

/** With a comma before it. Empty if the resource is missing. */
export const linkIf = (id: number | null, rel: string, path: string, title: string | null): string =>
  id === null ? '' : `,${link(rel, path + id, rel, title)}`

/** The stored tags are JSON. */
export const notes = (description: string, tags: string): string =>
  `,"description":${quoted(description)},"tags":${tags}`

export const SCOPE = `select scopes.id, scopes.name, scopes.all_datacenters, scopes.all_enterprises, scopes.parent_id,
  parents.id, parents.name, scopes.description, scopes.tags from scopes left join scopes as parents on parents.id = scopes.parent_id`

export type Scope = [
  ...[id: number, name: string, allDatacenters: number, allEnterprises: number, hiddenParent: number | null],
  ...[parentId: number | null, parent: string | null, description: string, tags: string],
]

export type Entity = [id: number, scope: number, enterprise: number | null, datacenter: number | null]

export function scopeText(api: string, row: Scope, entities: readonly Entity[]): string {
  const [id, name, allDatacenters, allEnterprises, , parentId, parent, description, tags] = row
  const path = `${api}/admin/scopes`
  const above = parentId === null ? '' : `,${link('scopeParent', `${path}/${parentId}`, 'scope', parent)}`
  const own = entities.flatMap(([entity, scope, enterprise, datacenter]) =>
    scope === id
      ? `{"links":[${link('scope', `${path}/${id}`, 'scope', name)}],"id":${entity}` +
        `,"idResource":${enterprise ?? datacenter},"type":"${enterprise === null ? 'DATACENTER' : 'ENTERPRISE'}"}`
      : [],
  )
  return (
    `{"links":[${link('edit', `${path}/${id}`, 'scope', name)}${above}],"id":${id},"name":${quoted(name)}` +
    `,"automaticAddDatacenter":${allDatacenters === 1},"automaticAddEnterprise":${allEnterprises === 1}` +
    `${notes(description, tags)},"scopeEntities":[${own.join()}]}`
  )
}

export const USER = `select users.id, users.nick, users.name, users.surname, users.description, users.email, users.locale,
  users.auth_type, users.active, users.first_login, users.locked, users.allowed_cidrs, users.invited, users.two_factor_provider,
  users.enterprise_id, enterprises.name, users.role_id, roles.name, scopes.id, scopes.name, users.tags
  from users inner join enterprises on enterprises.id = users.enterprise_id
  left join roles on roles.id = users.role_id left join scopes on scopes.id = users.scope_id`

export type User = [
  ...[id: number, nick: string, name: string, surname: string, description: string, email: string],
  ...[locale: string, authType: string, active: number, firstLogin: number, locked: number, cidrs: string],
  invited: number,
  ...[twoFactor: string | null, enterpriseId: number, enterprise: string, roleId: number, role: string],
  ...[scopeId: number | null, scope: string | null, tags: string],
]

export function userText(api: string, row: User): string {
  const [id, nick, name, surname, description, email, locale, authType, active, firstLogin, ...more] = row
  const [locked, cidrs, invited, twoFactor, enterpriseId, enterprise, roleId, role, scopeId, scope, tags] =
    more
  const home = `${api}/admin/enterprises/${enterpriseId}`
  const path = `${home}/users/${id}`
  return (
    `{"links":[${link('edit', path, 'user', nick)},${link('enterprise', home, 'enterprise', enterprise)}` +
    `,${link('role', `${api}/admin/roles/${roleId}`, 'role', role)}` +
    linkIf(scopeId, 'scope', `${api}/admin/scopes/`, scope) +
    `,${link('virtualmachines', `${path}/action/virtualmachines`, 'virtualmachines')}` +
    `,${link('pendingtasks', `${path}/action/pendingtasks`, 'tasks')}` +
    `,${link('applications', `${path}/applications`, 'applications')},${link('tokens', `${path}/tokens`, 'accesstokens')}` +
    `,${link('enable2fa', `${path}/action/enable2fa`, 'twofactorauthcredentials')}` +
    `${twoFactor === null ? '' : `,{"rel":"disable2fa","href":"${path}/action/disable2fa"}`}]` +
    `,"id":${id},"nick":${quoted(nick)},"name":${quoted(name)},"surname":${quoted(surname)}` +
    `,"description":${quoted(description)},"email":${quoted(email)},"locale":${quoted(locale)}` +
    `,"authType":${quoted(authType)},"active":${active === 1},"firstLogin":${firstLogin === 1}` +
    `,"locked":${locked === 1},"allowedCIDRs":${cidrs},"tags":${tags},"invited":${invited === 1}}`
  )
}

export const ENTERPRISE = `select enterprises.id, enterprises.name, enterprises.two_factor_mandatory, scopes.id, scopes.name, enterprises.description, enterprises.tags
  from enterprises left join scopes on scopes.id = enterprises.default_scope_id`

export type Enterprise = [
  id: number,
  name: string,
  twoFactor: number,
  ...[scopeId: number | null, scope: string | null, description: string, tags: string],
]

export function enterpriseText(api: string, row: Enterprise): string {
  const [id, name, twoFactor, scopeId, scope, description, tags] = row
  const path = `${api}/admin/enterprises/${id}`
  return (
    `{"links":[${link('edit', path, 'enterprise', name)},${link('users', `${path}/users`, 'users')}` +
    linkIf(scopeId, 'scope', `${api}/admin/scopes/`, scope) +
    `,${link('virtualdatacenters', `${api}/cloud/virtualdatacenters?enterprise=${id}`, 'virtualdatacenters')}` +
    `,${link('properties', `${path}/properties`, 'enterpriseproperties')}]` +
    `,"id":${id},"name":${quoted(name)},"twoFactorAuthenticationMandatory":${twoFactor === 1}${notes(description, tags)}}`
  )
}

export const EVENT = `select events.id, events.timestamp, events.action, events.entity_type, events.entity_id, events.entity_name,
  events.entity_path, events.document_path, events.undoable, events.undoes, events.changes, events.user_id,
  events.user_nick, events.enterprise_id, events.request_id, events.ip, enterprises.name, undoing.id
  from events left join enterprises on enterprises.id = events.enterprise_id
  left join events as undoing on undoing.undoes = events.id`

export type Event = [
  ...[id: number, timestamp: number, action: string, type: string, entity: number | null, name: string],
  ...[entityPath: string | null, documentPath: string | null, undoable: number, undoes: number | null],
  ...[changes: string, userId: number | null, nick: string | null, enterpriseId: number | null],
  ...[requestId: string, ip: string, enterprise: string | null, undoneBy: number | null],
]

/** An event about many resources counts their rows. */
function rowsOf(action: string, stored: string): number {
  if (!/-\w+s$/.test(action)) return 1
  const { count, numips } = JSON.parse(stored) as Record<string, { after?: string }>
  return Number((count ?? numips)?.after ?? 1)
}

/** Their events show no documents as they were. */
const undocumented = new Set(['accesstoken', 'webhook'])

export function eventText(api: string, row: Event): string {
  const [id, timestamp, action, type, entity, name, entityPath, documentPath, undoable, undoes, ...more] = row
  const [changes, userId, nick, enterpriseId, requestId, ip, enterprise, undoneBy] = more
  const path = `${api}/events/${id}`
  const home = `${api}/admin/enterprises/${enterpriseId}`
  const isShown = documentPath !== null && !undocumented.has(type)
  const isKnown = enterpriseId !== null && enterprise !== null
  return (
    `{"links":[${link('self', path, 'event')}` +
    `${isKnown && userId !== null ? `,${link('user', `${home}/users/${userId}`, 'user', nick)}` : ''}` +
    `${isKnown ? `,${link('enterprise', home, 'enterprise', enterprise)}` : ''}` +
    `${entityPath === null || action === 'delete' ? '' : `,${link('entity', api + entityPath, type, name)}`}` +
    `${isShown && action !== 'create' ? `,{"rel":"before","href":"${path}/before"}` : ''}` +
    `${isShown && action !== 'delete' ? `,{"rel":"after","href":"${path}/after"}` : ''}` +
    `${undoes === null ? '' : `,${link('undoes', `${api}/events/${undoes}`, 'event')}`}` +
    `${undoneBy === null ? '' : `,${link('undoneby', `${api}/events/${undoneBy}`, 'event')}`}` +
    `${undoable === 1 && undoneBy === null ? `,${link('undo', `${path}/action/undo`, 'event')}` : ''}]` +
    `,"id":${id},"timestamp":"${new Date(timestamp).toISOString()}","action":"${action}","entityType":"${type}"` +
    `${entity === null ? '' : `,"entityId":${entity}`},"entityName":${quoted(name)},"changes":${changesText(changes)}` +
    `${nick === null ? '' : `,"user":${quoted(nick)}`}${enterprise === null ? '' : `,"enterprise":${quoted(enterprise)}`}` +
    `,"requestId":"${requestId}","ip":"${ip}","count":${rowsOf(action, changes)}}`
  )
}

type Value = string | { id: number; name?: string } | { items: Value[] } | { fields: Record<string, Value> }

/** Stored names have the ids of their resources. */
function valueText(value: Value): string {
  if (typeof value === 'string') return value
  if ('items' in value) return value.items.map(valueText).join(', ')
  if ('id' in value) return value.name === undefined ? String(value.id) : `${value.name} (${value.id})`
  return JSON.stringify(
    Object.fromEntries(Object.entries(value.fields).map(([name, field]) => [name, valueText(field)])),
  )
}

function changesText(stored: string): string {
  const changes = JSON.parse(stored) as Record<string, { before?: Value; after?: Value }>
  const shown = Object.entries(changes).map(
    ([field, { before, after }]) =>
      `${quoted(field)}:{${[
        ...(before === undefined ? [] : [`"before":${quoted(valueText(before))}`]),
        ...(after === undefined ? [] : [`"after":${quoted(valueText(after))}`]),
      ].join()}}`,
  )
  return `{${shown.join()}}`
}
