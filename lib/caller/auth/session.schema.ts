import { z } from 'zod'
import { newPasskey, passkeyAssertion } from '#lib/caller/auth/passkey.schema'
import { password } from '#lib/caller/auth/password.schema'
import { isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import { coded } from '#lib/ground/http/input.schema'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'

export const twoFactorProviders = ['EMAIL', 'APP_AUTHENTICATOR'] as const
export type TwoFactorProvider = (typeof twoFactorProviders)[number]

/** Body of `POST /api/session`: nick and password, or a passkey. Without `code` or `passkey`, users with two factor get 401 and `codeRequired`. */
export const signInInput = z
  .object({
    nick: z.string().min(1).max(256).optional(),
    ...secret('password', z.string().min(1).max(1024).optional()),
    ...secret('code', z.string().trim().max(32).optional()),
    /** Alone, or in place of the code. */
    passkey: passkeyAssertion.optional(),
  })
  .superRefine(({ nick, password, passkey }, context) => {
    if (passkey && nick === undefined && password === undefined) return
    for (const [field, value] of Object.entries({ nick, password }))
      if (value === undefined)
        context.addIssue({ code: 'custom', path: [field], ...coded('CONSTR-NOTNULL', 'is required') })
  })
export type SignInInput = z.infer<typeof signInInput>

/** `GET /api/session`: the user who is signed in to the console, and their privileges. */
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
  /** The name of the request header for a verification code. */
  codeHeader: z.string(),
  /** The providers that this installation supports: EMAIL needs a mail server. */
  twoFactorProviders: z.array(z.enum(twoFactorProviders)),
  /** The enterprise requires two factor: everything else is refused until it is enabled and a code is verified. */
  mustEnableTwoFactor: z.boolean(),
  /** This session enabled two factor and no code was verified yet, so the enrolment can be undone. */
  canTakeBack: z.boolean(),
  /** Two factor was enabled in the console and no code was verified yet, so it can be enabled again there, with a new secret. */
  isEnrolling: z.boolean(),
  scratchCodesLeft: z.int(),
  /** The kind of identity provider that the user signed in through, if any. */
  provider: z.enum(['OPENID', 'SAML']).optional(),
  /** The user signs in with a password of this installation. */
  hasPassword: z.boolean(),
  /** An administrator chose the password: everything else is refused until the user changes it. */
  mustChangePassword: z.boolean(),
  /** The shortest new password. */
  passwordMinLength: z.int(),
  /** How many seconds the session may be idle. */
  idleLimit: z.int(),
  /** Seconds until the session ends if it stays idle, and at most. */
  secondsLeft: z.int(),
  secondsLeftAtMost: z.int(),
  /** The user who is signed in, if the session shows the view of another user. Those are the fields above, without account settings. */
  viewer: z
    .object({
      id: z.int(),
      nick: z.string(),
      /** Seconds until the view ends. */
      secondsLeft: z.int(),
    })
    .optional(),
})
export type SessionDocument = z.infer<typeof sessionDocument>

/** Body of enable2fa. */
export const twoFactorProviderInput = z.object({
  type: z.string(),
  /** Proves the caller's identity. */
  ...secret('oldPassword', z.string().max(1024).optional()),
})

/** Answer of enable2fa. The credentials are shown once. */
export const twoFactorCredentials = z.object({
  links,
  provider: z.enum(twoFactorProviders),
  ...secret('authenticatorURL', z.string().optional()),
  /** Absent from the response to a repeated request. */
  ...secret('scratchCodes', z.array(z.string()).optional()),
})
export type TwoFactorCredentials = z.infer<typeof twoFactorCredentials>

/** `GET /api/session/ways`: how users can sign in. */
export const signInWays = z.object({
  links,
  /** Nick and password. */
  password: z.boolean(),
  /** Passkeys, alone or in place of a code. */
  passkey: z.boolean(),
  passwordReset: z.boolean(),
  /** The shortest new password. */
  passwordMinLength: z.int(),
  /** Through the identity provider, by OpenID Connect or SAML. */
  oidc: z.boolean(),
  saml: z.boolean(),
})
export type SignInWays = z.infer<typeof signInWays>

/** One place where the user is signed in. */
export const sessionItem = z.object({
  links,
  id: z.int(),
  /** The session of this request. */
  current: z.boolean(),
  /** A console session in a browser; otherwise a program with tokens. */
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

/** Body of `POST /api/session/twofactorreset`. */
export const twoFactorResetRequestInput = z.object({
  nick: z.string().min(1).max(256),
  ...secret('password', z.string().min(1).max(1024)),
})

const invitationToken = secret('token', z.string().min(1).max(128))

/** Body of `POST /api/session/invitation`: the token of the link. */
export const invitationTokenInput = z.object(invitationToken)

/** The invitation of a link. */
export const invitation = z.object({
  links,
  nick: z.string(),
  name: z.string(),
  locale: z.string(),
  enterprise: z.string(),
  /** The enterprise requires two factor, which is set up after the sign-in. */
  requiresTwoFactor: z.boolean(),
  /** A passkey can be made in place of a password. */
  passkey: z.boolean(),
  passwordMinLength: z.int(),
  expires: z.iso.datetime({ precision: 3 }),
})
export type Invitation = z.infer<typeof invitation>

/** Body of `PUT /api/session/invitation`: a password, a passkey or both. */
export const invitationAnswerInput = z
  .object({
    ...invitationToken,
    ...secret('password', password.optional()),
    passkey: newPasskey.optional(),
  })
  .refine(({ password, passkey }) => password !== undefined || passkey !== undefined, {
    path: ['password'],
    when: ({ value }) => typeof value === 'object' && value !== null,
    ...coded('CONSTR-NOTNULL', 'or a passkey is required'),
  })
export type InvitationAnswer = z.infer<typeof invitationAnswerInput>

/** Answer of reset2fa. `done`: the last required approval was given. */
export const twoFactorReset = z.object({
  links,
  approvals: z.int(),
  approvalsNeeded: z.int(),
  done: z.boolean(),
})
export type TwoFactorReset = z.infer<typeof twoFactorReset>

/** Body of `POST /api/session/proof`: each of them proves the user's identity. */
export const proofInput = z
  .object({
    ...secret('oldPassword', z.string().min(1).max(1024).optional()),
    ...secret('code', z.string().trim().min(1).max(32).optional()),
    passkey: passkeyAssertion.optional(),
  })
  .refine(
    ({ oldPassword, code, passkey }) =>
      oldPassword !== undefined || code !== undefined || passkey !== undefined,
    coded('CONSTR-NOTNULL', 'oldPassword, code or passkey is required'),
  )

/** Body of `POST /api/session/code`: a code to prove that the authenticator works. */
export const codeInput = z.object(secret('code', z.string().trim().min(1).max(32)))
