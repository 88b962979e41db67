import { CLOCK_SKEW } from '#lib/people/saml/service-provider.server'
import { attributeOf, child, children, childrenOf, isNamed, textOf } from '#lib/people/saml/xml.server'

/* Reads a signed assertion and checks its audience and validity (SAML core §2.3.3, SAML profiles §4.1.4.2-3). */

export type NameId = {
  value: string
  format: string | undefined
  nameQualifier: string | undefined
  spNameQualifier: string | undefined
}

/** The names by which the provider knows a session, stored for sign-out there. */
export type StoredName = Pick<Assertion, 'nameId' | 'sessionIndex'>

export type Assertion = {
  id: string
  issuer: string | undefined
  nameId: NameId
  sessionIndex: string | undefined
  /** The values of each attribute, by its name and by its friendly name. */
  attributes: ReadonlyMap<string, string[]>
  /** When the assertion expires (epoch milliseconds). */
  expires: number
}

/** The recipient, audience and request that the assertion must name. */
type Expected = { acs: string; entityId: string; requestId: string }

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** A time in UTC (SAML core §1.3.3), as epoch milliseconds. */
export function timeOf(element: Element, name: string): number | undefined {
  const text = attributeOf(element, name)
  if (text === undefined) return undefined
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new Error(`${name} is not a time in UTC`)
  return time
}

/** Throws before NotBefore, and from the time of the `end` attribute on. */
export function requireNow(element: Element, end = 'NotOnOrAfter'): void {
  const now = Date.now()
  if ((timeOf(element, 'NotBefore') ?? 0) > now + CLOCK_SKEW) throw new Error('it is not valid yet')
  if ((timeOf(element, end) ?? Number.POSITIVE_INFINITY) <= now - CLOCK_SKEW)
    throw new Error('it is no longer valid')
}

/** Requires a bearer confirmation that is meant for this address, answers our request and is valid now. */
function requireConfirmed(subject: Element, { acs, requestId }: Expected): number {
  const confirmations = children(subject, 'assertion', 'SubjectConfirmation').flatMap((confirmation) => {
    const data = child(confirmation, 'assertion', 'SubjectConfirmationData')
    return data && attributeOf(confirmation, 'Method') === BEARER ? [data] : []
  })
  const data = confirmations.find((each) => attributeOf(each, 'Recipient') === acs)
  if (!data) throw new Error('the subject is confirmed for another recipient')
  if (attributeOf(data, 'InResponseTo') !== requestId) throw new Error('the subject answers another request')
  requireNow(data)
  const end = timeOf(data, 'NotOnOrAfter')
  if (end === undefined) throw new Error('the confirmation of the subject does not expire')
  return end
}

const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** Every restriction must name us; an unknown condition is not fulfilled (SAML core §2.5.1). */
function requireConditions(assertion: Element, { entityId }: Expected): void {
  const conditions = child(assertion, 'assertion', 'Conditions')
  if (!conditions) throw new Error('the assertion has no conditions')
  requireNow(conditions)
  const known = (element: Element) => CONDITIONS.some((name) => isNamed(element, 'assertion', name))
  if (!childrenOf(conditions).every(known)) throw new Error('the assertion has an unknown condition')
  const restrictions = children(conditions, 'assertion', 'AudienceRestriction')
  const isForUs = (restriction: Element) =>
    children(restriction, 'assertion', 'Audience').some((audience) => textOf(audience) === entityId)
  if (restrictions.length === 0 || !restrictions.every(isForUs))
    throw new Error('the assertion is for another audience')
}

/** The NameID of a subject or of a logout request. Throws if the NameID is missing or encrypted. */
export function nameIdOf(subject: Element): NameId {
  const element = child(subject, 'assertion', 'NameID')
  const value = textOf(element)
  if (!element || !value) throw new Error('the subject has no name')
  return {
    value,
    format: attributeOf(element, 'Format'),
    nameQualifier: attributeOf(element, 'NameQualifier'),
    spNameQualifier: attributeOf(element, 'SPNameQualifier'),
  }
}

function attributesOf(assertion: Element): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const all = children(assertion, 'assertion', 'AttributeStatement').flatMap((statement) =>
    children(statement, 'assertion', 'Attribute'),
  )
  for (const kind of ['Name', 'FriendlyName'])
    for (const attribute of all) {
      const name = attributeOf(attribute, kind)
      const values = children(attribute, 'assertion', 'AttributeValue').flatMap(
        (value) => textOf(value) ?? [],
      )
      // A name wins over a friendly name, so that another attribute cannot impersonate the first.
      if (name !== undefined && !found.has(name)) found.set(name, values)
    }
  return found
}

/** Throws unless the assertion is valid now, for us and for our request. */
export function readAssertion(assertion: Element, expected: Expected): Assertion {
  const id = attributeOf(assertion, 'ID')
  const subject = child(assertion, 'assertion', 'Subject')
  const [statement, ...more] = children(assertion, 'assertion', 'AuthnStatement')
  if (!id || !subject) throw new Error('the assertion has no id, or no subject')
  requireConditions(assertion, expected)
  const expires = requireConfirmed(subject, expected)
  for (const each of statement ? [statement, ...more] : []) requireNow(each, 'SessionNotOnOrAfter')
  return {
    id,
    issuer: textOf(child(assertion, 'assertion', 'Issuer')),
    nameId: nameIdOf(subject),
    sessionIndex: statement && attributeOf(statement, 'SessionIndex'),
    attributes: attributesOf(assertion),
    expires,
  }
}
