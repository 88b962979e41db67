import { env } from '#lib/env.server'
import type { Newcomer, Profile } from '#lib/federation/accounts.server'
import type { Assertion } from '#lib/saml/assertion.server'

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
/** The one format whose names last and are given to nobody else (SAML core §8.3.7). */
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** The user whom the assertion names: by NameID, unless an attribute is set for the nick (docs/api.md, "SAML 2.0"). */
function profileOf({ nameId, attributes }: Assertion): Profile {
  const {
    SAML_NICK_ATTRIBUTE,
    SAML_NAME_ATTRIBUTE,
    SAML_EMAIL_ATTRIBUTE,
    SAML_ROLE_ATTRIBUTE,
    SAML_ENTERPRISE_ATTRIBUTE,
  } = env()
  const firstOf = (name: string | undefined) => (name === undefined ? undefined : attributes.get(name)?.[0])
  const nick = SAML_NICK_ATTRIBUTE === undefined ? nameId.value : firstOf(SAML_NICK_ATTRIBUTE)
  if (!nick) throw new Error('the assertion lacks the attribute of the nick')
  // Another name at each sign-in is nobody's nick (SAML core §8.3.8).
  if (SAML_NICK_ATTRIBUTE === undefined && nameId.format === TRANSIENT)
    throw new Error('the NameID is transient, and SAML_NICK_ATTRIBUTE is not set')
  return {
    nick,
    name: firstOf(SAML_NAME_ATTRIBUTE),
    email: firstOf(SAML_EMAIL_ATTRIBUTE),
    role: firstOf(SAML_ROLE_ATTRIBUTE),
    enterprise: firstOf(SAML_ENTERPRISE_ATTRIBUTE),
  }
}

/** Who the assertion speaks of. Throws where it names nobody. */
export function personOf(assertion: Assertion): Newcomer {
  const { issuer = '', nameId } = assertion
  const { SAML_CREATE_USERS: create, SAML_LINK_EXISTING: link } = env()
  const profile = profileOf(assertion)
  const subject = nameId.format === PERSISTENT ? nameId.value : undefined
  return { provider: 'SAML', issuer, subject, nick: profile.nick, profile, create, link }
}
