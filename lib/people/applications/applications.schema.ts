import { z } from 'zod'
import { coded, linksOf, text } from '#lib/ground/http/input.schema'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'
import { hasUnseen } from '#lib/people/identity/nick'

/** An application that a user registered. Only its owner gets the secret: in the response to POST and in the single document, never in a list. */
export const applicationDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  description: z.string(),
  apiKey: z.uuid(),
  ...secret('apiSecret', z.string().optional()),
  /** An earlier version wrote the secret into an event, so the owner should renew the secret. */
  secretExposed: z.boolean().optional(),
  publicKey: z.string().optional(),
})
export type ApplicationDocument = z.infer<typeof applicationDocument>

/** Body of a POST of an application. Without privilege links, the application gets all privileges of the user. */
export const applicationInput = z.object({
  /** Users decide by the name whether they let the application act for them. */
  name: text(1, 128).refine(
    (name) => !hasUnseen(name),
    coded('CONSTR-PATTERN', 'must not contain control or invisible characters'),
  ),
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
  /** The nick of the application's owner. */
  owner: z.string(),
  since: z.iso.datetime({ precision: 3 }),
  lastUse: z.iso.datetime({ precision: 3 }).optional(),
})
export type AuthorizationDocument = z.infer<typeof authorizationDocument>

/** The consent request: the application, its owner, the requested privileges and where the answer is sent. */
export const consentDocument = z.object({
  links,
  application: z.string(),
  description: z.string(),
  owner: z.string(),
  privileges: z.array(z.string()),
  /** The origin to which the user is redirected. If absent, the page shows a code for the user to type into the program. */
  returnsTo: z.string().optional(),
})
export type ConsentDocument = z.infer<typeof consentDocument>

export const consentInput = z.object({
  ...secret('oauthToken', z.string().min(1).max(128)),
  approve: z.boolean(),
})

/** Where to redirect the browser after the decision. */
export const consentAnswer = z.object({ links, href: z.string() })

/** A request with a wrong signature, and the base string that the server expected. */
export const signatureFailureDocument = z.object({
  links,
  id: z.int(),
  failed: z.iso.datetime({ precision: 3 }),
  signatureMethod: z.string(),
  baseString: z.string(),
  /** Seconds by which the client's clock is ahead; negative: behind. */
  clockOffset: z.int(),
})
export type SignatureFailureDocument = z.infer<typeof signatureFailureDocument>
