import { readFile } from 'node:fs/promises'
import { env } from '#lib/ground/env.server'
import { log } from '#lib/ground/log.server'
import { isUnencrypted } from '#lib/ground/net/loopback'
import { SignInProblem } from '#lib/people/federation/problem.server'
import { certificatesIn, pemText } from '#lib/people/saml/pem.server'
import { type IdentityProvider, readProviderMetadata } from '#lib/people/saml/provider-metadata.server'

/* The identity provider that the settings name. Its metadata are cached and read again after ten minutes. */

const TEN_MINUTES = 10 * 60 * 1000
const MINUTE = 60 * 1000
const PATIENCE = 10_000
const MAX_BYTES = 5 * 1024 * 1024

type Cached = { source: string; provider: IdentityProvider; refreshAt: number }

let cached: Cached | undefined

/** Reads under way, by source. */
const pending = new Map<string, Promise<IdentityProvider>>()

/** An attacker on the network could replace keys sent over plain http. Loopback is allowed for tests. */
function requireSecure(address: string): void {
  if (isUnencrypted(address)) throw new Error('the metadata must be read over https')
}

async function download(address: string): Promise<string> {
  requireSecure(address)
  // A redirect could lead to an address that the operator did not set, or to plain http.
  const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' })
  if (!response.ok) throw new Error(`the request for the metadata failed with status ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error('the metadata are larger than 5 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function read(source: string): Promise<IdentityProvider> {
  const text = /^https?:/.test(source) ? await download(source) : await readFile(source, 'utf8')
  return readProviderMetadata(text)
}

/** Concurrent sign-ins share one read. */
function readOnce(source: string): Promise<IdentityProvider> {
  const reading = pending.get(source) ?? read(source).finally(() => pending.delete(source))
  pending.set(source, reading)
  return reading
}

/** If a refresh fails, the cached metadata stay in use until their validUntil. */
async function fromMetadata(source: string): Promise<IdentityProvider> {
  const before = cached?.source === source ? cached : undefined
  if (before && before.refreshAt > Date.now()) return before.provider
  try {
    const provider = await readOnce(source)
    const refreshAt = Math.min(Date.now() + TEN_MINUTES, provider.validUntil ?? Number.POSITIVE_INFINITY)
    cached = { source, provider, refreshAt }
    return provider
  } catch (cause) {
    if (!before || (before.provider.validUntil ?? Number.POSITIVE_INFINITY) <= Date.now())
      throw new SignInProblem('unreachable', { step: 'discovery', cause })
    log().warn({ err: cause }, 'the metadata of the identity provider could not be read again')
    cached = { ...before, refreshAt: Date.now() + MINUTE }
    return before.provider
  }
}

function fromSettings(entryPoint: string, setting: string): IdentityProvider {
  const [certificate, ...others] = certificatesIn(pemText(setting))
  if (!certificate) throw new Error('SAML_CERTIFICATE holds no certificate')
  return {
    entityId: undefined,
    signIn: { binding: 'redirect', location: entryPoint, responseLocation: entryPoint },
    signOut: undefined,
    certificates: [certificate, ...others],
    validUntil: undefined,
  }
}

/** Throws SignInProblem if the metadata cannot be read or are unusable. */
export async function findProvider(): Promise<IdentityProvider> {
  const { SAML_IDP_METADATA, SAML_ENTRY_POINT, SAML_CERTIFICATE } = env()
  if (SAML_IDP_METADATA !== undefined) return fromMetadata(SAML_IDP_METADATA)
  try {
    return fromSettings(SAML_ENTRY_POINT ?? '', SAML_CERTIFICATE ?? '')
  } catch (cause) {
    throw new SignInProblem('unreachable', { step: 'discovery', cause })
  }
}
