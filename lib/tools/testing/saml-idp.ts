import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify'
import { escaped } from '#lib/ground/markup'
import { selfSigned } from '#lib/people/saml/self-signed.server'

/* A foreign identity provider, signed by samlify. For the tests, and for the demo. */

// samlify requires a validator of schemas, and has none.
setSchemaValidator({ validate: () => Promise.resolve('read as it is') })

export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

export const algorithms = Constants.algorithms.signature

const bindings = { redirect: Constants.namespace.binding.redirect, post: Constants.namespace.binding.post }
type Binding = keyof typeof bindings

export type IdpOptions = {
  /** The address of the provider. */
  origin: string
  /** How it takes messages. */
  takes?: readonly Binding[]
  key?: KeyObject
  algorithm?: string
  entityId?: string
  /** The provider requires signed requests. */
  strict?: boolean
  /** The algorithms of encrypted assertions: for the key, and for the content. */
  encryption?: { keyEncryptionAlgorithm?: string; dataEncryptionAlgorithm?: string }
}

/** The content of an answer. */
export type Said = {
  /** The metadata of the service provider that it is for. */
  to: string
  requestId: string | undefined
  nick: string
  attributes?: Readonly<Record<string, string | undefined>>
  sessionIndex?: string
  signed?: 'assertion' | 'response' | 'both'
  encrypted?: boolean
  /** Values of samlify's template that are other ones than they should be; undefined: not there. */
  values?: Record<string, string | undefined>
}

/** Whom a request for sign-out names. */
export type Leaving = Pick<Said, 'to' | 'nick' | 'sessionIndex' | 'values'> & {
  binding: Binding
  signed?: boolean
  relayState?: string
}

const MINUTES = 60_000

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * MINUTES).toISOString()

const attributeStatement = (attributes: Readonly<Record<string, string | undefined>>): string => {
  const all = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined
      ? []
      : `<saml:Attribute Name="${escaped(name)}"><saml:AttributeValue>${escaped(value)}</saml:AttributeValue></saml:Attribute>`,
  )
  return all.length > 0 ? `<saml:AttributeStatement>${all.join('')}</saml:AttributeStatement>` : ''
}

const authnStatement = (sessionIndex: string): string =>
  `<saml:AuthnStatement AuthnInstant="${inMinutes(0)}" SessionIndex="${escaped(sessionIndex)}"><saml:AuthnContext>` +
  '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
  '</saml:AuthnContext></saml:AuthnStatement>'

let serial = 0

const newId = (): string => {
  serial += 1
  return `_idp${process.pid}-${serial}`
}

export type Idp = ReturnType<typeof newIdp>

export function newIdp({
  origin,
  takes = ['redirect', 'post'],
  key = newKey(),
  algorithm = algorithms.RSA_SHA256,
  entityId = `${origin}/metadata`,
  strict = false,
  encryption = {},
}: IdpOptions) {
  const services = (path: string) =>
    takes.map((binding) => ({ Binding: bindings[binding], Location: `${origin}/${path}` }))
  const settings = {
    entityID: entityId,
    privateKey: pemOf(key),
    signingCert: selfSigned(key, 'Identity provider'),
    singleSignOnService: services('sso'),
    singleLogoutService: services('slo'),
    requestSignatureAlgorithm: algorithm,
    wantAuthnRequestsSigned: strict,
    wantLogoutRequestSigned: strict,
    wantLogoutResponseSigned: strict,
    nameIDFormat: [Constants.namespace.format.unspecified],
    generateID: newId,
  }
  const plain = IdentityProvider(settings)
  const encrypting = IdentityProvider({ ...settings, ...encryption, isAssertionEncrypted: true })

  /** A response, as XML. */
  async function answer({
    to,
    requestId,
    nick,
    attributes = {},
    sessionIndex = newId(),
    signed = 'assertion',
    encrypted = false,
    values = {},
  }: Said): Promise<string> {
    const wanted = to.replace(/WantAssertionsSigned="\w+"/, `WantAssertionsSigned="${signed !== 'response'}"`)
    const sp = ServiceProvider({ metadata: wanted, wantMessageSigned: signed !== 'assertion' })
    const acs = String(sp.entityMeta.getAssertionConsumerService('post'))
    const said = {
      ID: newId(),
      AssertionID: newId(),
      Issuer: entityId,
      IssueInstant: inMinutes(0),
      Destination: acs,
      SubjectRecipient: acs,
      Audience: sp.entityMeta.getEntityID(),
      InResponseTo: requestId,
      StatusCode: Constants.StatusCode.Success,
      NameIDFormat: Constants.namespace.format.unspecified,
      NameID: nick,
      ConditionsNotBefore: inMinutes(-1),
      ConditionsNotOnOrAfter: inMinutes(5),
      SubjectConfirmationDataNotOnOrAfter: inMinutes(5),
      ...values,
    }
    const fill = (template: string) => ({
      id: said.ID,
      context: SamlLib.replaceTagsByValue(
        template
          .replace('{AuthnStatement}', authnStatement(sessionIndex))
          .replace('{AttributeStatement}', attributeStatement(attributes)),
        said,
      ),
    })
    const idp = encrypted ? encrypting : plain
    const { context } = await idp.createLoginResponse(
      sp,
      { extract: { request: { id: requestId ?? '' } } },
      'post',
      {},
      { customTagReplacement: fill, encryptThenSign: encrypted },
    )
    return Buffer.from(context, 'base64').toString()
  }

  /** A request that ends sessions: the address of a redirect, or the fields of a form. */
  function logoutRequest({
    to,
    binding,
    nick,
    sessionIndex,
    signed = true,
    relayState = '',
    values,
  }: Leaving): string {
    const sp = ServiceProvider({ metadata: to, wantLogoutRequestSigned: signed })
    const said = {
      ID: newId(),
      Issuer: entityId,
      IssueInstant: inMinutes(0),
      Destination: String(sp.entityMeta.getSingleLogoutService(binding)),
      NameIDFormat: Constants.namespace.format.unspecified,
      NameID: nick,
      SessionIndex: sessionIndex,
      ...values,
    }
    const fill = (template: string) => ({
      id: said.ID,
      context: SamlLib.replaceTagsByValue(template, said),
    })
    return plain.createLogoutRequest(sp, binding, {}, { relayState, customTagReplacement: fill }).context
  }

  return {
    logoutRequest,
    origin,
    entityId,
    key,
    certificate: settings.signingCert,
    metadata: plain.getMetadata(),
    entity: plain,
    answer,
  }
}

/** The service provider of these metadata. It signs its messages, and requires signatures. */
export const serviceProvider = (metadata: string) =>
  ServiceProvider({ metadata, wantLogoutRequestSigned: true, wantLogoutResponseSigned: true })
