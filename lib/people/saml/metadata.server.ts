import { isSamlOn } from '#lib/caller/auth/modes.server'
import { env } from '#lib/ground/env.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { escaped } from '#lib/ground/markup'
import type { OwnKey } from '#lib/people/saml/pem.server'
import { type ServiceProvider, selfOf } from '#lib/people/saml/service-provider.server'
import { namespaces } from '#lib/people/saml/xml.server'

/* Our metadata, for the identity provider (SAML metadata §2.4.4). They need no contact with the provider. */

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings'

/** Encryption that the library can decrypt, the safest first. */
const encryptions = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
]

function keyDescriptors({ certificate }: OwnKey): string {
  const content = certificate.replaceAll(/-----[^-]+-----|\s/g, '')
  const descriptor = (use: 'signing' | 'encryption', methods: string) =>
    `<KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${content}</ds:X509Certificate>` +
    `</ds:X509Data></ds:KeyInfo>${methods}</KeyDescriptor>`
  const methods = encryptions.map((algorithm) => `<EncryptionMethod Algorithm="${algorithm}"/>`)
  return descriptor('signing', '') + descriptor('encryption', methods.join(''))
}

const metadataOf = ({ entityId, acs, logout, key }: ServiceProvider): string => {
  const endpoint = (binding: 'HTTP-POST' | 'HTTP-Redirect', address: string) =>
    `Binding="${BINDINGS}:${binding}" Location="${escaped(address)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<EntityDescriptor xmlns="${namespaces.metadata}" xmlns:ds="${namespaces.signature}" entityID="${escaped(entityId)}">`,
    `<SPSSODescriptor AuthnRequestsSigned="${key !== undefined}"`,
    ` WantAssertionsSigned="${env().SAML_SIGNED !== 'response'}" protocolSupportEnumeration="${namespaces.protocol}">`,
    key ? keyDescriptors(key) : '',
    `<SingleLogoutService ${endpoint('HTTP-Redirect', logout)}/>`,
    `<SingleLogoutService ${endpoint('HTTP-POST', logout)}/>`,
    `<AssertionConsumerService ${endpoint('HTTP-POST', acs)} index="0" isDefault="true"/>`,
    '</SPSSODescriptor></EntityDescriptor>',
  ].join('')
}

export async function serveMetadata(request: Exchange): Promise<Answer> {
  if (!isSamlOn()) throw new ApiError('404-NOT-FOUND')
  return answerOf(metadataOf(selfOf(request)), {
    headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
