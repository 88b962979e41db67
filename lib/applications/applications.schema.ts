import { z } from 'zod'
import { coded, linksOf, text } from '#lib/http/input.schema'
import { secret } from '#lib/http/secrets'
import { links } from '#lib/http/view'

/** A program that a user has registered. The secret is in the answer to POST and for its owner alone, never in a list. */
export const applicationDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  description: z.string(),
  apiKey: z.uuid(),
  ...secret('apiSecret', z.string().optional()),
  /** An earlier version wrote the secret into an event: the owner should renew it. */
  secretExposed: z.boolean().optional(),
  publicKey: z.string().optional(),
})
export type ApplicationDocument = z.infer<typeof applicationDocument>

/** What POST of an application takes. No privilege link at all: all of the user's. */
export const applicationInput = z.object({
  name: text(1, 128),
  description: text(0, 1024).default(''),
  /** PEM of an RSA key, for RSA signatures. */
  publicKey: z
    .string()
    .max(16_384, 'is too long')
    .refine(
      (pem) => pem.trim() === '' || /^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem.trim()),
      coded('CONSTR-PATTERN', 'must be a public key in PEM'),
    )
    .default(''),
  links: linksOf({}, { privilege: { path: '/config/privileges/:id' } }),
})
export type ApplicationInput = z.infer<typeof applicationInput>

/** A user's authorization for an application to act in their name. */
export const authorizationDocument = z.object({
  links,
  id: z.int(),
  application: z.string(),
  /** The nick of whom it belongs to. */
  owner: z.string(),
  since: z.iso.datetime({ precision: 3 }),
  lastUse: z.iso.datetime({ precision: 3 }).optional(),
})
export type AuthorizationDocument = z.infer<typeof authorizationDocument>

/** What the consent page asks: whose program wants to do what, and where the answer goes. */
export const consentDocument = z.object({
  links,
  application: z.string(),
  description: z.string(),
  owner: z.string(),
  privileges: z.array(z.string()),
  /** The origin that the user is sent back to; absent: a code is shown to be typed in the program. */
  returnsTo: z.string().optional(),
})
export type ConsentDocument = z.infer<typeof consentDocument>

/** The user's answer to it. */
export const consentInput = z.object({
  ...secret('oauthToken', z.string().min(1).max(128)),
  approve: z.boolean(),
})

/** Where the browser goes after it. */
export const consentAnswer = z.object({ links, href: z.string() })

/** A request of an application whose signature was wrong, as the server would have signed it. */
export const signatureFailureDocument = z.object({
  links,
  id: z.int(),
  failed: z.iso.datetime({ precision: 3 }),
  signatureMethod: z.string(),
  baseString: z.string(),
  /** Seconds that the client's clock is ahead; negative: behind. */
  clockOffset: z.int(),
})
export type SignatureFailureDocument = z.infer<typeof signatureFailureDocument>
