import { open } from '#lib/pipeline/open.server'
import { serveMetadata } from '#lib/saml/metadata.server'

export const GET = open(
  {
    summary: 'SAML 2.0: the metadata of this service provider, for the identity provider to read',
    refuses: ['404-NOT-FOUND'],
    answers: 'application/samlmetadata+xml',
  },
  serveMetadata,
)
