import { ENTERPRISE } from '#lib/people/scim/schema-urns'
import {
  attributeOf,
  booleanOf,
  elementsOf,
  type Fields,
  isFields,
  textOf,
  wrongValue,
} from '#lib/people/scim/values'

/* A user as a client wants it: the attributes that it may set. */

export type Email = { value?: string; type?: string; primary?: boolean }

export type Draft = {
  externalId?: string | undefined
  userName?: string | undefined
  formatted?: string | undefined
  givenName?: string | undefined
  familyName?: string | undefined
  displayName?: string | undefined
  emails: Email[]
  locale?: string | undefined
  active?: boolean | undefined
  password?: string | undefined
  organization?: string | undefined
}

const MOST_EMAILS = 20

/** Users keep one address, so that more than a few are of no use. Throws SCIM-5. */
export function fewEmails<T>(emails: T[]): T[] {
  if (emails.length > MOST_EMAILS) throw wrongValue('emails', `must be ${MOST_EMAILS} at most`)
  return emails
}

export const emailsOf = (value: unknown): Email[] =>
  fewEmails(elementsOf(value, 'emails')).map((element) => {
    const [address, type] = ['value', 'type'].map((name) =>
      textOf(attributeOf(element, name), `emails.${name}`),
    )
    const primary = booleanOf(attributeOf(element, 'primary'), 'emails.primary')
    return {
      ...(address !== undefined && { value: address }),
      ...(type !== undefined && { type }),
      ...(primary !== undefined && { primary }),
    }
  })

/** The one address that a user has here: the primary one, else that of work, else the first. */
export const addressOf = (emails: readonly Email[]): string =>
  (
    emails.find(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails[0]
  )?.value ?? ''

/** Reads the document of POST and PUT. Throws SCIM-5. */
export function draftOf(document: Fields): Draft {
  const of = (name: string) => attributeOf(document, name)
  const text = (name: string) => textOf(of(name), name)
  const name = of('name')
  if (name !== undefined && !isFields(name)) throw wrongValue('name', 'must be an object')
  const part = (each: string) => textOf(attributeOf(name ?? {}, each), `name.${each}`)
  const extension = of(ENTERPRISE)
  return {
    externalId: text('externalId'),
    userName: text('userName'),
    formatted: part('formatted'),
    givenName: part('givenName'),
    familyName: part('familyName'),
    displayName: text('displayName'),
    emails: emailsOf(of('emails')),
    locale: text('locale'),
    active: booleanOf(of('active'), 'active'),
    password: text('password'),
    organization: isFields(extension)
      ? textOf(attributeOf(extension, 'organization'), 'organization')
      : text(`${ENTERPRISE}:organization`),
  }
}
