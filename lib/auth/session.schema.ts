import { z } from 'zod'
import { password } from '#lib/auth/password.schema'
import { isPrivilege, type Privilege } from '#lib/auth/privileges'
import { coded } from '#lib/http/input.schema'
import { secret } from '#lib/http/secrets'
import { links } from '#lib/http/view'

export const twoFactorProviders = ['EMAIL', 'APP_AUTHENTICATOR'] as const
export type TwoFactorProvider = (typeof twoFactorProviders)[number]

/** Body of `POST /api/session`. Without `code` a user with two factor is answered 401 and `codeRequired`. */
export const signInInput = z.object({
  nick: z.string().min(1).max(256),
  ...secret('password', z.string().min(1).max(1024)),
  ...secret('code', z.string().trim().max(32).optional()),
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
  /** The request header that brings a verification code. */
  codeHeader: z.string(),
  /** What this installation can do: EMAIL needs a mail server. */
  twoFactorProviders: z.array(z.enum(twoFactorProviders)),
  /** The enterprise asks for two factor: nothing else is open until it is enabled and a code was proved. */
  mustEnableTwoFactor: z.boolean(),
  /** This session has enabled it, and no code was proved yet: it can be taken back. */
  canTakeBack: z.boolean(),
  scratchCodesLeft: z.int(),
  /** Who has signed the user in, where it was an identity provider. */
  provider: z.enum(['OPENID', 'SAML']).optional(),
  /** Signs in with a password of this installation. */
  hasPassword: z.boolean(),
  /** The password is somebody else's choice: nothing else is open until it is changed. */
  mustChangePassword: z.boolean(),
  /** The shortest new password. */
  passwordMinLength: z.int(),
  /** For how many seconds the session may be left alone. */
  idleLimit: z.int(),
  /** Seconds until it ends if nobody does anything, and at most. */
  secondsLeft: z.int(),
  secondsLeftAtMost: z.int(),
})
export type SessionDocument = z.infer<typeof sessionDocument>

/** Body of enable2fa. */
export const twoFactorProviderInput = z.object({
  type: z.string(),
  /** Proves the caller's identity. */
  ...secret('oldPassword', z.string().max(1024).optional()),
})

/** Answer of enable2fa: shown once. */
export const twoFactorCredentials = z.object({
  links,
  provider: z.enum(twoFactorProviders),
  ...secret('authenticatorURL', z.string().optional()),
  ...secret('scratchCodes', z.array(z.string())),
})
export type TwoFactorCredentials = z.infer<typeof twoFactorCredentials>

/** `GET /api/session/ways`: how one can sign in here. */
export const signInWays = z.object({
  links,
  /** Nick and password. */
  password: z.boolean(),
  passwordReset: z.boolean(),
  /** The shortest new password. */
  passwordMinLength: z.int(),
  /** At the identity provider, by OpenID Connect or by SAML. */
  oidc: z.boolean(),
  saml: z.boolean(),
})
export type SignInWays = z.infer<typeof signInWays>

/** One place where the user is signed in. */
export const sessionItem = z.object({
  links,
  id: z.int(),
  /** The one that asks. */
  current: z.boolean(),
  /** A browser in the console; else a program with tokens. */
  inConsole: z.boolean(),
  began: z.iso.datetime({ precision: 3 }),
  lastUse: z.iso.datetime({ precision: 3 }),
  expires: z.iso.datetime({ precision: 3 }),
  address: z.string(),
  userAgent: z.string(),
})
export type SessionItem = z.infer<typeof sessionItem>

/** Body of `PUT /api/session/password`. */
export const passwordChangeInput = z.object({
  ...secret('oldPassword', z.string().min(1).max(1024)),
  ...secret('password', password),
})

/** Body of `POST /api/session/passwordreset`. */
export const passwordResetRequestInput = z.object({ nick: z.string().min(1).max(256) })

/** Body of `PUT /api/session/passwordreset`: the token of the mailed link. */
export const passwordResetInput = z.object({
  ...secret('token', z.string().min(1).max(128)),
  ...secret('password', password),
})

/** Answer of reset2fa: done with the last approval that is needed. */
export const twoFactorReset = z.object({
  links,
  approvals: z.int(),
  approvalsNeeded: z.int(),
  done: z.boolean(),
})
export type TwoFactorReset = z.infer<typeof twoFactorReset>

/** Body of `POST /api/session/proof`: either proves who is signed in. */
export const proofInput = z
  .object({
    ...secret('oldPassword', z.string().min(1).max(1024).optional()),
    ...secret('code', z.string().trim().min(1).max(32).optional()),
  })
  .refine(
    ({ oldPassword, code }) => oldPassword !== undefined || code !== undefined,
    coded('CONSTR-NOTNULL', 'oldPassword or code must be there'),
  )

/** Body of `POST /api/session/code`: a code to prove that the authenticator works. */
export const codeInput = z.object(secret('code', z.string().trim().min(1).max(32)))
