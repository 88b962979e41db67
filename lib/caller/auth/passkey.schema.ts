import { z } from 'zod'
import { text } from '#lib/ground/http/input.schema'
import { pageQuery } from '#lib/ground/http/paging'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'

/* WebAuthn level 3 §5.1: documents in its JSON forms. Members that are not named here are ignored. */

const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/, 'must be base64url')

const credentialId = base64url(1400)

/** AuthenticationResponseJSON: what `navigator.credentials.get` returns. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(8192),
    userHandle: base64url(128).nullish(),
  }),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>

/** RegistrationResponseJSON: what `navigator.credentials.create` returns. */
const passkeyAttestation = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(65_536),
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
})

const passkeyName = text(1, 128)

/** docs/api/two-factor.md, "Proof of identity". */
const proof = secret('oldPassword', z.string().max(1024).optional())

/** A new passkey: its name, and what the browser made. */
export const newPasskey = z.object({ name: passkeyName, response: passkeyAttestation })

/** Body of `POST /api/session/passkeys`. */
export const passkeyInput = newPasskey.extend(proof)
export type PasskeyInput = z.infer<typeof passkeyInput>

/** Body of `PUT /api/session/passkeys/{id}`. */
export const passkeyNameInput = z.object({ name: passkeyName, ...proof })

export const passkeyDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  created: z.iso.datetime({ precision: 3 }),
  lastUsed: z.iso.datetime({ precision: 3 }).optional(),
})
export type PasskeyDocument = z.infer<typeof passkeyDocument>

export const passkeyOrders = ['name', 'id', 'created', 'lastused'] as const
export const passkeyQuery = pageQuery(...passkeyOrders)
export type PasskeyQuery = z.infer<typeof passkeyQuery>

/** Body of `POST /api/session/passkey/options`. With `nick` the passkey comes beside the password, in place of a code. */
export const passkeyOptionsInput = z.object({ nick: z.string().min(1).max(256).optional() })

/** PublicKeyCredentialRequestOptionsJSON. */
export const passkeyRequestOptions = z.object({
  links,
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  userVerification: z.enum(['required', 'preferred']),
})

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})

/** PublicKeyCredentialCreationOptionsJSON. */
export const passkeyCreationOptions = z.object({
  links,
  challenge: z.string(),
  timeout: z.int(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
