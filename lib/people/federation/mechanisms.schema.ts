import { z } from 'zod'
import { twoFactorProviders } from '#lib/caller/auth/session.schema'
import { links } from '#lib/ground/http/view'
import { signInProblems } from '#lib/people/federation/problems'

const mapping = {
  createUsers: z.boolean(),
  /** Whether users with a password here are matched by nick at their first sign-in. */
  linkExisting: z.boolean(),
}

/** `GET /api/config/signin`: the mechanisms in force, with all their settings except secrets. */
export const signInMechanisms = z.object({
  links,
  password: z.object({
    /** Basic, and the form of the console. */
    on: z.boolean(),
    /** This many wrong passwords in a row lock the user; 0 turns locking off. */
    tries: z.int(),
  }),
  twoFactor: z.object({ providers: z.array(z.enum(twoFactorProviders)), resetApprovals: z.int() }),
  mail: z.object({ from: z.string(), server: z.string() }).optional(),
  sessions: z.object({ idleSeconds: z.int(), maxSeconds: z.int(), tokenSeconds: z.int() }),
  /** OAuth 1.0a, which is always on. */
  oauth: z.object({ requestToken: z.string(), authorize: z.string(), accessToken: z.string() }),
  oidc: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      /** If absent: by the form if the provider offers it, otherwise by Basic. */
      clientAuth: z.enum(['basic', 'post']).optional(),
      scopes: z.string(),
      audience: z.string().optional(),
      userClaim: z.string(),
      roleClaim: z.string(),
      enterpriseClaim: z.string(),
      ...mapping,
      /** The addresses to register at the provider. */
      callback: z.string(),
      afterSignOut: z.string(),
    })
    .optional(),
  saml: z
    .object({
      /** The address of the provider's metadata; without one, `entryPoint` is where sign-ins are sent. */
      providerMetadata: z.string().optional(),
      entryPoint: z.string().optional(),
      entityId: z.string(),
      metadata: z.string(),
      acs: z.string(),
      logout: z.string(),
      signed: z.enum(['assertion', 'response', 'both']),
      /** If absent, the NameID is the nick. */
      nickAttribute: z.string().optional(),
      nameAttribute: z.string().optional(),
      emailAttribute: z.string().optional(),
      roleAttribute: z.string().optional(),
      enterpriseAttribute: z.string().optional(),
      ...mapping,
      allowsPassword: z.boolean(),
    })
    .optional(),
})
export type SignInMechanisms = z.infer<typeof signInMechanisms>

/** The outcome that a real sign-in would have had: a user, or the problem that the sign-in page would have shown. */
export const trialOutcomes = ['known', 'followed', 'created', ...signInProblems] as const

/** `GET /api/config/signin/trial`: the result of a trial. */
export const signInTrial = z.object({
  links,
  provider: z.enum(['OPENID', 'SAML']),
  /** Claims or attributes, as received. */
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The user that they map to. */
  user: z
    .object({
      nick: z.string(),
      name: z.string().optional(),
      surname: z.string().optional(),
      email: z.string().optional(),
      role: z.string().optional(),
      enterprise: z.string().optional(),
    })
    .optional(),
  outcome: z.enum(trialOutcomes),
  /** The private reason of a problem, as in the log. */
  reason: z.string().optional(),
})
export type SignInTrial = z.infer<typeof signInTrial>

export const trialQuery = z.object({ id: z.string().min(1).max(64) })
