import { escaped } from '#lib/ground/markup'
import { type NameId, nameIdOf, requireNow, type StoredName, timeOf } from '#lib/people/saml/assertion.server'
import type { IdentityProvider } from '#lib/people/saml/provider-metadata.server'
import { requireIssuer, SUCCESS, statusCodeOf } from '#lib/people/saml/response.server'
import { CLOCK_SKEW, type ServiceProvider } from '#lib/people/saml/service-provider.server'
import { attributeOf, child, children, isNamed, namespaces, textOf } from '#lib/people/saml/xml.server'

/* The messages of single logout (SAML core §3.7). The library creates none for POST, and accepts unsigned requests. */

type Envelope = { id: string; destination: string; entityId: string; inResponseTo?: string }

function message(name: string, { id, destination, entityId, inResponseTo }: Envelope, content: string) {
  const answered = inResponseTo === undefined ? '' : ` InResponseTo="${escaped(inResponseTo)}"`
  return (
    `<samlp:${name} xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}" ID="${id}" Version="2.0"` +
    ` IssueInstant="${new Date().toISOString()}" Destination="${escaped(destination)}"${answered}>` +
    `<saml:Issuer>${escaped(entityId)}</saml:Issuer>${content}</samlp:${name}>`
  )
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escaped(value)}"`

export function logoutRequest(envelope: Envelope, { nameId, sessionIndex }: StoredName): string {
  const { value, format, nameQualifier, spNameQualifier } = nameId
  const attributes =
    attribute('Format', format) +
    attribute('NameQualifier', nameQualifier) +
    attribute('SPNameQualifier', spNameQualifier)
  const index =
    sessionIndex === undefined ? '' : `<samlp:SessionIndex>${escaped(sessionIndex)}</samlp:SessionIndex>`
  return message(
    'LogoutRequest',
    envelope,
    `<saml:NameID${attributes}>${escaped(value)}</saml:NameID>${index}`,
  )
}

export const logoutResponse = (envelope: Envelope): string =>
  message('LogoutResponse', envelope, `<samlp:Status><samlp:StatusCode Value="${SUCCESS}"/></samlp:Status>`)

type Expected = { name: string; self: ServiceProvider; provider: IdentityProvider }

/** Throws unless the signed message has this name, issuer and destination. */
function requireMessage(root: Element, { name, self, provider }: Expected): void {
  if (!isNamed(root, 'protocol', name)) throw new Error(`the message is not a ${name}`)
  if (attributeOf(root, 'Destination') !== self.logout) throw new Error('the message has another destination')
  requireIssuer(textOf(child(root, 'assertion', 'Issuer')), provider)
}

type LogoutRequest = { id: string; nameId: NameId; indexes: string[]; expires: number }

const FRESH = 5 * 60 * 1000

/** Reads from a signed request whose sessions end. An old request is refused, because it may be replayed. */
export function readLogoutRequest(
  root: Element,
  self: ServiceProvider,
  provider: IdentityProvider,
): LogoutRequest {
  requireMessage(root, { name: 'LogoutRequest', self, provider })
  requireNow(root)
  const id = attributeOf(root, 'ID')
  const issued = timeOf(root, 'IssueInstant')
  if (!id || issued === undefined) throw new Error('the request has no id, or no time')
  if (Math.abs(Date.now() - issued) > FRESH + CLOCK_SKEW)
    throw new Error('the request has expired, or its time is in the future')
  return {
    id,
    nameId: nameIdOf(root),
    indexes: children(root, 'protocol', 'SessionIndex').flatMap((index) => textOf(index) ?? []),
    expires: issued + FRESH + CLOCK_SKEW,
  }
}

/** Reads a signed response: its request id, and whether the user is signed out everywhere. */
export function readLogoutResponse(
  root: Element,
  self: ServiceProvider,
  provider: IdentityProvider,
): { inResponseTo: string; isDone: boolean } {
  requireMessage(root, { name: 'LogoutResponse', self, provider })
  return {
    inResponseTo: attributeOf(root, 'InResponseTo') ?? '',
    isDone: statusCodeOf(root)?.getAttribute('Value') === SUCCESS,
  }
}
