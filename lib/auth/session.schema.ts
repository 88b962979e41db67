import { z } from 'zod'
import { isPrivilege, type Privilege } from '#lib/auth/privileges'
import { links } from '#lib/http/view'

export const twoFactorProviders = ['EMAIL', 'APP_AUTHENTICATOR'] as const
export type TwoFactorProvider = (typeof twoFactorProviders)[number]

/** Body of `POST /api/session`. Without `code` a user with two factor is answered 401 and `codeRequired`. */
export const signInInput = z.object({
  nick: z.string().min(1).max(256),
  password: z.string().min(1).max(1024),
  code: z.string().trim().max(32).optional(),
})
export type SignInInput = z.infer<typeof signInInput>

/** `GET /api/session`: who is signed in to the console, and what may they see. */
export const sessionDocument = z.object({
  links,
  id: z.int(),
  nick: z.string(),
  name: z.string(),
  surname: z.string(),
  email: z.string(),
  locale: z.string(),
  enterprise: z.object({ id: z.int(), name: z.string() }),
  role: z.object({ id: z.int(), name: z.string() }),
  scope: z.object({
    id: z.int(),
    name: z.string(),
    allDatacenters: z.boolean(),
    allEnterprises: z.boolean(),
  }),
  privileges: z.array(z.custom<Privilege>((name) => typeof name === 'string' && isPrivilege(name))),
  twoFactorProvider: z.enum(twoFactorProviders).optional(),
  /** The enterprise asks for two factor: nothing else is open until it is enabled. */
  mustEnableTwoFactor: z.boolean(),
  scratchCodesLeft: z.int(),
  expiresAt: z.iso.datetime(),
})
export type SessionDocument = z.infer<typeof sessionDocument>

/** Body of enable2fa. */
export const twoFactorProviderInput = z.object({ type: z.string() })

/** Answer of enable2fa: shown once. */
export const twoFactorCredentials = z.object({
  links,
  provider: z.enum(twoFactorProviders),
  authenticatorURL: z.string().optional(),
  scratchCodes: z.array(z.string()),
})
export type TwoFactorCredentials = z.infer<typeof twoFactorCredentials>

/** Body of `POST /api/session/code`: a code to prove that the authenticator works. */
export const codeInput = z.object({ code: z.string().trim().min(1).max(32) })
