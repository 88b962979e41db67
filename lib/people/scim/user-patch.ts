import { ApiError, type ErrorCode, fault } from '#lib/ground/http/errors'
import { type Draft, type Email, emailsOf, fewEmails } from '#lib/people/scim/drafts'
import { type Filter, parsePath } from '#lib/people/scim/filter'
import type { Operation } from '#lib/people/scim/operations'
import { attributeName, ENTERPRISE } from '#lib/people/scim/schema-urns'
import { booleanOf, isFields, textOf } from '#lib/people/scim/values'

/* PATCH of a user (RFC 7644 §3.5.2). */

/** Texts by the names of their attributes. */
const texts = {
  externalid: 'externalId',
  username: 'userName',
  'name.formatted': 'formatted',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
  displayname: 'displayName',
  locale: 'locale',
  password: 'password',
  'enterprise:organization': 'organization',
} as const satisfies Record<string, keyof Draft>

const readOnly = new Set(['id', 'schemas', 'meta', 'groups'])

/** Attributes of RFC 7643 §4.1 and §4.3 that users do not have here. They are ignored, as in POST: providers send them by default. */
const notKept =
  /^(name\.(middlename|honorificprefix|honorificsuffix)|(nickname|profileurl|title|usertype|preferredlanguage|timezone|phonenumbers|ims|photos|addresses|entitlements|roles|x509certificates)(\..*)?|enterprise:(employeenumber|costcenter|division|department|manager)(\..*)?)$/

const refused = (code: ErrorCode, message: string): ApiError => new ApiError(fault(code, message, 'path'))

/** The draft after the operations, in their order. Throws SCIM-1, SCIM-2, SCIM-4, SCIM-5. */
export const patched = (draft: Draft, operations: readonly Operation[]): Draft =>
  operations.reduce(afterOne, draft)

function afterOne(draft: Draft, { op, path, value }: Operation): Draft {
  if (path !== undefined) return afterPath(draft, { op, path, value })
  if (op === 'remove') throw refused('SCIM-2', 'A remove operation needs a path')
  if (!isFields(value)) throw refused('SCIM-5', 'An operation without a path needs an object as its value')
  return Object.entries(value).reduce((before, [name, part]) => {
    const isReadOnly = readOnly.has(attributeName(name))
    return isReadOnly ? before : afterPath(before, { op, path: name, value: part })
  }, draft)
}

type Targeted = Operation & { path: string }

function afterPath(draft: Draft, operation: Targeted): Draft {
  const { attribute, filter, sub } = parsePath(operation.path)
  const name = attributeName(attribute)
  if (name === 'emails' || name.startsWith('emails.')) {
    const part = sub ?? name.split('.')[1]
    return { ...draft, emails: emailsAfter(draft.emails, operation, { filter, part: part?.toLowerCase() }) }
  }
  if (notKept.test(name)) return draft
  if (filter || sub) throw refused('SCIM-1', `${attribute} has no elements`)
  return afterAttribute(draft, name, operation)
}

function afterAttribute(draft: Draft, name: string, operation: Targeted): Draft {
  const { op, value } = operation
  const sent = op === 'remove' ? undefined : value
  if (readOnly.has(name.split('.')[0] ?? '')) throw refused('SCIM-4', `${name} cannot be changed`)
  if (name === 'active') return { ...draft, active: booleanOf(sent, 'active') }
  if (name === 'name') return afterParts(draft, 'name.', operation)
  if (name === 'enterprise:') return afterParts(draft, `${ENTERPRISE}:`, operation)
  const field = Object.hasOwn(texts, name) ? texts[name as keyof typeof texts] : undefined
  if (!field) throw refused('SCIM-1', `Users have no attribute ${name}`)
  return { ...draft, [field]: textOf(sent, field) }
}

/** The parts that a complex attribute is sent with; the others stay (RFC 7644 §3.5.2.3). Removed, it loses all. */
function afterParts(draft: Draft, prefix: string, { op, value }: Targeted): Draft {
  if (op === 'remove' || value === undefined)
    return prefix === 'name.'
      ? { ...draft, formatted: undefined, givenName: undefined, familyName: undefined }
      : { ...draft, organization: undefined }
  if (!isFields(value)) throw refused('SCIM-5', 'The value must be an object')
  return Object.entries(value).reduce(
    (before, [name, part]) => afterPath(before, { op, path: prefix + name, value: part }),
    draft,
  )
}

type Chosen = { filter: Filter | undefined; part: string | undefined }

function emailsAfter(emails: Email[], { op, value }: Operation, { filter, part }: Chosen): Email[] {
  if (part !== undefined && !['value', 'type', 'primary', 'display'].includes(part))
    throw refused('SCIM-1', `emails has no ${part}`)
  const isMatch = (email: Email) => filter === undefined || matches(email, filter)
  if (op === 'remove') {
    if (part === undefined) return emails.filter((email) => !isMatch(email))
    return emails.map((email) => (isMatch(email) ? without(email, part) : email))
  }
  if (part === undefined && filter === undefined) {
    const sent = emailsOf(value)
    return op === 'replace' ? sent : added(emails, sent)
  }
  const [change = {}] = emailsOf(part === undefined ? value : { [part]: value })
  if (emails.some(isMatch)) return emails.map((email) => (isMatch(email) ? { ...email, ...change } : email))
  if (op === 'replace' && filter) throw refused('SCIM-2', 'No e-mail address matches the filter')
  return added(emails, [{ ...namedBy(filter), ...change }])
}

const without = (email: Email, part: string): Email =>
  Object.fromEntries(Object.entries(email).filter(([name]) => name !== part))

/** Only one address is the primary one (RFC 7643 §2.4). */
function added(emails: Email[], more: Email[]): Email[] {
  const others = emails.filter(({ value }) => !more.some((email) => email.value === value))
  const hasPrimary = more.some(({ primary }) => primary)
  return fewEmails([...others.map((email) => (hasPrimary ? { ...email, primary: false } : email)), ...more])
}

/** What a filter says of an element that is added: `type eq "work"`. */
function namedBy(filter: Filter | undefined): Email {
  if (!filter) return {}
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(namedBy)) as Email
  return filter.op === 'eq' ? (emailsOf({ [filter.path]: filter.value })[0] ?? {}) : {}
}

function matches(email: Email, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(email, each))
    case 'or':
      return filter.filters.some((each) => matches(email, each))
    case 'not':
      return !matches(email, filter.filter)
    case 'within':
      throw refused('SCIM-1', 'Brackets in brackets are not valid')
    default:
      return matchesOne(email[filter.path.toLowerCase() as keyof Email], filter)
  }
}

type One = Exclude<Filter, { op: 'and' | 'or' | 'not' | 'within' }>

function matchesOne(found: string | boolean | undefined, filter: One): boolean {
  if (filter.op === 'pr') return found !== undefined
  const [is, wanted] = [found, filter.value].map((each) => String(each ?? '').toLowerCase()) as [
    string,
    string,
  ]
  switch (filter.op) {
    case 'eq':
      return is === wanted
    case 'ne':
      return is !== wanted
    case 'co':
      return is.includes(wanted)
    case 'sw':
      return is.startsWith(wanted)
    case 'ew':
      return is.endsWith(wanted)
    case 'gt':
      return is > wanted
    case 'ge':
      return is >= wanted
    case 'lt':
      return is < wanted
    case 'le':
      return is <= wanted
  }
}
