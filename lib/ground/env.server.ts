import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { makeDataDirectory } from '#lib/ground/data-directory.server'
import { hostAddresses } from '#lib/ground/net/hosts'
import { isUnencrypted, withoutSlashes } from '#lib/ground/net/loopback'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'

/** The address of a provider: https, or http on loopback for tests. */
const provider = z
  .url({ protocol: /^https?$/ })
  // Zod runs this for malformed addresses, too.
  .refine((url) => !URL.canParse(url) || !isUnencrypted(url), 'must be https, or http on this machine')

const name = z.string().min(1).max(256)

const positive = (fallback: number) => z.coerce.number().int().positive().default(fallback)

function requireHosts(address: string, context: z.RefinementCtx): void {
  try {
    hostAddresses(address)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
}

/** The minimum number of PostgreSQL connections of one process, so that full exports leave some for other requests. */
const CONNECTIONS_EACH = 6

/** A colon ends the issuer in the address for authenticators. */
const shownName = z
  .string()
  .max(64, 'must have at most 64 characters')
  .regex(/^[^:\p{Cc}]+$/u, 'must not contain a colon')

const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    BASE_URL: z
      .url({ protocol: /^https?$/ })
      // URL leaves out the default port.
      .transform((url) => withoutSlashes(new URL(url).href))
      .optional(),
    DATA_DIR: z.string().min(1).default('./data'),
    DATABASE_URL: z.string().superRefine(requireHosts).optional(),
    DATABASE_CONNECTIONS: z.coerce.number().int().min(CONNECTIONS_EACH).default(80),
    WEB_CONCURRENCY: z.coerce.number().int().min(1).max(256).optional(),
    MAX_REQUESTS: positive(256),
    SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
    SECRET_KEY_PREVIOUS: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.string().min(32, 'must have at least 32 characters each')))
      .default([]),
    ADMIN_NICK: z.string().min(1).max(128).default('admin'),
    ADMIN_PASSWORD: z.string().optional(),
    VENDOR: z
      .string()
      .regex(/^[a-z][a-z0-9]*$/, 'must be one word of lower case letters and digits')
      .default('service'),
    REALM: z
      .string()
      .regex(/^[^"\\\r\n]+$/, 'must not contain quotes')
      .default('Service API'),
    TOKEN_TTL_SECONDS: positive(1800),
    SESSION_MAX_SECONDS: positive(43200),
    SESSION_IDLE_SECONDS: positive(1800),
    PROOF_MINUTES: positive(15),
    PASSWORD_MIN_LENGTH: z.coerce
      .number()
      .int()
      .min(PASSWORD_LENGTH.least, `must be at least ${PASSWORD_LENGTH.least}`)
      .max(64)
      .default(12),
    PASSWORD_TRIES: z.coerce.number().int().min(0).max(1000).default(0),
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' }).optional(),
    MAIL_FROM: z
      .string()
      .regex(
        /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
        'must be an e-mail address, or a name with it in <>',
      )
      .optional(),
    TWO_FACTOR_RESET_APPROVALS: z.coerce.number().int().min(1).max(2).default(1),
    INVITATION_HOURS: positive(72),
    IDEMPOTENCY_HOURS: positive(24),
    WEBHOOK_ALLOW: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
      .pipe(z.array(z.string().regex(/^[^\s/@?#]+$/, 'must name hosts as they stand in addresses')))
      .default([]),
    EVENT_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(365),
    OIDC_ISSUER: provider.optional(),
    OIDC_CLIENT_ID: name.optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    OIDC_CLIENT_AUTH: z.enum(['basic', 'post']).optional(),
    OIDC_SCOPES: name.default('openid profile email'),
    OIDC_AUDIENCE: name.optional(),
    OIDC_USER_CLAIM: name.default('preferred_username'),
    OIDC_CREATE_USERS: z.stringbool().default(false),
    OIDC_LINK_EXISTING: z.stringbool().default(true),
    OIDC_ROLE_CLAIM: name.default('role'),
    OIDC_ENTERPRISE_CLAIM: name.default('enterprise'),
    SAML_IDP_METADATA: z.string().min(1).optional(),
    SAML_ENTRY_POINT: provider.optional(),
    SAML_CERTIFICATE: z.string().min(1).optional(),
    SAML_ENTITY_ID: name.optional(),
    SAML_PRIVATE_KEY: z.string().min(1).optional(),
    SAML_ALLOW_BASIC: z.stringbool().default(false),
    SAML_SIGNED: z.enum(['assertion', 'response', 'both']).default('assertion'),
    SAML_NICK_ATTRIBUTE: name.optional(),
    SAML_NAME_ATTRIBUTE: name.optional(),
    SAML_EMAIL_ATTRIBUTE: name.optional(),
    SAML_ROLE_ATTRIBUTE: name.optional(),
    SAML_ENTERPRISE_ATTRIBUTE: name.optional(),
    SAML_CREATE_USERS: z.stringbool().default(false),
    SAML_LINK_EXISTING: z.stringbool().default(true),
    SCIM_DEFAULT_ROLE: name.default('USER'),
    PRODUCT_NAME: shownName.optional(),
    TWO_FACTOR_ISSUER: shownName.optional(),
    TRUST_PROXY: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(
        z.array(
          z
            .string()
            .refine(
              (part) => ipaddr.isValid(part) || ipaddr.isValidCIDR(part),
              'is not an address or network',
            ),
        ),
      )
      .default([]),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  })
  .superRefine(({ ADMIN_PASSWORD, PASSWORD_MIN_LENGTH }, context) => {
    if (ADMIN_PASSWORD === undefined || [...ADMIN_PASSWORD].length >= PASSWORD_MIN_LENGTH) return
    const message = `must have at least ${PASSWORD_MIN_LENGTH} characters`
    context.addIssue({ code: 'custom', path: ['ADMIN_PASSWORD'], message })
  })
  .refine((env) => env.DATABASE_URL === undefined || env.SECRET_KEY !== undefined, {
    path: ['SECRET_KEY'],
    message: 'is required with DATABASE_URL',
  })
  .superRefine((env, context) => {
    const needed = [
      ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
      ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
      ['SAML_ENTRY_POINT', 'SAML_CERTIFICATE'],
    ] as const
    for (const [setting, other] of needed)
      if (env[setting] !== undefined && env[other] === undefined)
        context.addIssue({ code: 'custom', path: [other], message: `is required with ${setting}` })
  })
  .refine((env) => env.DATABASE_URL !== undefined || (env.WEB_CONCURRENCY ?? 1) === 1, {
    path: ['WEB_CONCURRENCY'],
    message: 'must be 1 without DATABASE_URL: the embedded database is served by one process',
  })
  .refine((env) => (env.WEB_CONCURRENCY ?? 1) <= processesFor(env), {
    path: ['WEB_CONCURRENCY'],
    message: `needs DATABASE_CONNECTIONS of at least ${CONNECTIONS_EACH} for each process`,
  })
  .refine((env) => env.SMTP_URL === undefined || env.MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    message: 'is required with SMTP_URL',
  })

const processesFor = ({ DATABASE_CONNECTIONS }: { DATABASE_CONNECTIONS: number }): number =>
  Math.floor(DATABASE_CONNECTIONS / CONNECTIONS_EACH)

export type Env = Omit<
  z.infer<typeof settings>,
  'SECRET_KEY' | 'WEB_CONCURRENCY' | 'PRODUCT_NAME' | 'TWO_FACTOR_ISSUER'
> & {
  PRODUCT_NAME: string
  TWO_FACTOR_ISSUER: string
  SECRET_KEY: string
  WEB_CONCURRENCY: number
}

/** An invalid setting stops the start. The message is one line that names the setting. */
export class SettingError extends Error {}

/** Settings that can be read from files of a vault or a container's secrets: `SECRET_KEY_FILE` names the file with `SECRET_KEY`. */
const secretSettings = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'DATABASE_URL',
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'METRICS_TOKEN',
] as const

type Given = Record<string, string | undefined>

function withFiles(given: Given): Given {
  const read = secretSettings.flatMap((name) => {
    const file = given[`${name}_FILE`]
    if (file === undefined) return []
    if (given[name] !== undefined) throw new SettingError(`Setting ${name}_FILE: ${name} is also set`)
    try {
      return [[name, readFileSync(file, 'utf8').trim()]]
    } catch (cause) {
      throw new SettingError(`Setting ${name}_FILE: the file cannot be read`, { cause })
    }
  })
  return { ...given, ...Object.fromEntries(read) }
}

/** Reads every setting. An empty value counts as not set. Throws SettingError. */
export function parseEnv(source: Given): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = settings.safeParse(withFiles(given))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new SettingError(`Setting ${String(issue?.path[0] ?? '?')}: ${issue?.message ?? 'is malformed'}`)
  }
  const { SECRET_KEY, WEB_CONCURRENCY, PRODUCT_NAME, TWO_FACTOR_ISSUER, ...others } = parsed.data
  return {
    ...others,
    PRODUCT_NAME: PRODUCT_NAME ?? 'Cloud console',
    TWO_FACTOR_ISSUER: TWO_FACTOR_ISSUER ?? PRODUCT_NAME ?? 'Service',
    SECRET_KEY: SECRET_KEY ?? storedSecret(others.DATA_DIR),
    // SQLite has one writer at a time, so a second process would gain little.
    WEB_CONCURRENCY:
      WEB_CONCURRENCY ?? (others.DATABASE_URL ? Math.min(availableParallelism(), processesFor(others)) : 1),
  }
}

/**
 * The generated secret of an embedded installation, readable only by its owner. It is written to a draft and then linked into place, so
 * that a process that starts at the same time never reads a partial file.
 */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  makeDataDirectory(dataDir)
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    } finally {
      unlinkSync(draft)
    }
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32)
    throw new SettingError(`Setting SECRET_KEY: ${file} contains fewer than 32 characters`)
  return secret
}

let current: Env | undefined

/** The settings of this process, parsed at first use. */
export function env(): Env {
  current ??= parseEnv(process.env)
  return current
}
