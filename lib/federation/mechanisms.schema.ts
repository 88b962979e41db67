import { z } from 'zod'
import { twoFactorProviders } from '#lib/auth/session.schema'
import { signInProblems } from '#lib/federation/problems'
import { links } from '#lib/http/view'

/** What both providers are asked for: who signs in, and what becomes of whom nobody knows here. */
const mapping = {
  createUsers: z.boolean(),
  /** Users who have a password here are matched by nick the first time. */
  linkExisting: z.boolean(),
}

/** `GET /api/config/signin`: the mechanisms in force, with every setting of theirs but the secrets. */
export const signInMechanisms = z.object({
  links,
  password: z.object({
    /** By Basic and in the console. */
    on: z.boolean(),
    /** So many wrong passwords in a row lock the user; 0: none do. */
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
      /** Without it: by the form where the provider offers that, else by Basic. */
      clientAuth: z.enum(['basic', 'post']).optional(),
      scopes: z.string(),
      audience: z.string().optional(),
      userClaim: z.string(),
      roleClaim: z.string(),
      enterpriseClaim: z.string(),
      ...mapping,
      /** What is to be registered there. */
      callback: z.string(),
      afterSignOut: z.string(),
    })
    .optional(),
  saml: z
    .object({
      /** Where the provider's metadata are read; without them the address that sign-ins are sent to. */
      providerMetadata: z.string().optional(),
      entryPoint: z.string().optional(),
      entityId: z.string(),
      metadata: z.string(),
      acs: z.string(),
      logout: z.string(),
      signed: z.enum(['assertion', 'response', 'both']),
      /** Without one the NameID is the nick. */
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

/** `GET /api/config/signin/trial`: what became of a sign-in that was tried out. */
export const signInTrial = z.object({
  links,
  provider: z.enum(['OPENID', 'SAML']),
  /** Claims or attributes, as they were received. */
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Whom they map to. */
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
  /** The private reason of a problem, as it is in the log. */
  reason: z.string().optional(),
})
export type SignInTrial = z.infer<typeof signInTrial>

export const trialQuery = z.object({ id: z.string().min(1).max(64) })
