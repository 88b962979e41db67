import type { JWTVerifyGetKey } from 'jose'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  discovery,
} from 'openid-client'
import { env } from '#lib/ground/env.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import { keysAt } from '#lib/people/oidc/keys.server'

/*
 * The provider's metadata (OpenID Connect Discovery 1.0 §4), cached by the settings that name the provider. A failure is never cached: the
 * next request tries again.
 */

export type Provider = { config: Configuration; keys: JWTVerifyGetKey }

/** How far the provider's clock may be off, in seconds. */
export const CLOCK_SKEW = 60

const TIMEOUT_SECONDS = 5
const FRESH_FOR = 10 * 60_000
const NEXT_TRY = 30_000

type Known = { provider: Provider; jwksUri: string; until: number }

const known = new Map<string, Known>()
const asking = new Map<string, Promise<Provider>>()

const settingsKey = (): string => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CLIENT_AUTH } = env()
  return JSON.stringify([OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CLIENT_AUTH])
}

/**
 * How the client authenticates at the token and introspection endpoints. By default in the form, if the provider supports it, because
 * providers differ in whether they decode Basic as RFC 6749 §2.3.1 requires.
 */
const clientSecret = (secret: string): ClientAuth => {
  const [byHeader, byForm] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const offersForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const way = env().OIDC_CLIENT_AUTH ?? (offersForm ? 'post' : 'basic')
    return (way === 'post' ? byForm : byHeader)(server, ...rest)
  }
}

async function discover(key: string): Promise<Provider> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = env()
  const issuer = new URL(OIDC_ISSUER)
  const config = await discovery(
    issuer,
    OIDC_CLIENT_ID,
    { [clockTolerance]: CLOCK_SKEW },
    clientSecret(OIDC_CLIENT_SECRET),
    { timeout: TIMEOUT_SECONDS, execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [] },
  )
  const { jwks_uri: jwksUri } = config.serverMetadata()
  if (!jwksUri || (issuer.protocol === 'https:' && !jwksUri.startsWith('https:')))
    throw new Error('The provider names no trusted address for its keys')
  const before = known.get(key)
  const keys = before?.jwksUri === jwksUri ? before.provider.keys : keysAt(jwksUri, TIMEOUT_SECONDS * 1000)
  const provider = { config, keys }
  known.set(key, { provider, jwksUri, until: Date.now() + FRESH_FOR })
  return provider
}

/** Never cached, so that no browser is redirected to a provider that does not respond. */
export function askProvider(): Promise<Provider> {
  const key = settingsKey()
  const present = asking.get(key)
  if (present) return present
  const asked = discover(key)
    .catch((cause) => {
      throw new SignInProblem('unreachable', { cause })
    })
    .finally(() => asking.delete(key))
  asking.set(key, asked)
  return asked
}

/** The cached metadata. An old copy is still used if the provider does not respond. */
export async function knownProvider(): Promise<Provider> {
  const found = known.get(settingsKey())
  if (found && Date.now() < found.until) return found.provider
  try {
    return await askProvider()
  } catch (error) {
    if (!found) throw error
    found.until = Date.now() + NEXT_TRY
    return found.provider
  }
}

/**
 * The namespace of subjects in tokens for this audience. A provider with only pairwise subjects names the same person differently for
 * each audience (OpenID Connect Core §8; Entra ID does), so each audience is its own namespace.
 */
export function spaceOfSubjects({ config }: Provider, audience: string): string {
  const { issuer, subject_types_supported: types } = config.serverMetadata()
  const isPairwise = types !== undefined && types.length > 0 && !types.includes('public')
  return isPairwise && audience !== env().OIDC_CLIENT_ID ? `${issuer} ${audience}` : issuer
}
