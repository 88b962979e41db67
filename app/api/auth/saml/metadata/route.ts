import { serveMetadata } from '#lib/people/saml/metadata.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(serveMetadata, {
  summary: 'SAML 2.0: the metadata of this service provider, for the identity provider to read',
  answers: { as: 'application/samlmetadata+xml' },
  refuses: ['404-NOT-FOUND'],
})
