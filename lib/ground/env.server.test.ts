import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseEnv, SettingError } from '#lib/ground/env.server'

const secret = 'a-secret-of-more-than-thirty-two-characters'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'data')
}

const refusalOf = (settings: Record<string, string>): string => {
  try {
    parseEnv({ SECRET_KEY: secret, ...settings })
  } catch (error) {
    if (error instanceof SettingError) return error.message
    throw error
  }
  return 'taken'
}

describe('settings', () => {
  test('have the defaults of the README', () => {
    expect(parseEnv({ SECRET_KEY: secret })).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      DATABASE_CONNECTIONS: 80,
      WEB_CONCURRENCY: 1,
      MAX_REQUESTS: 256,
      SECRET_KEY: secret,
      SECRET_KEY_PREVIOUS: [],
      ADMIN_NICK: 'admin',
      VENDOR: 'service',
      REALM: 'Service API',
      TOKEN_TTL_SECONDS: 1800,
      SESSION_MAX_SECONDS: 43200,
      SESSION_IDLE_SECONDS: 1800,
      PASSWORD_MIN_LENGTH: 12,
      PASSWORD_TRIES: 0,
      PROOF_MINUTES: 15,
      TWO_FACTOR_RESET_APPROVALS: 1,
      OIDC_SCOPES: 'openid profile email',
      OIDC_USER_CLAIM: 'preferred_username',
      OIDC_CREATE_USERS: false,
      OIDC_LINK_EXISTING: true,
      OIDC_ROLE_CLAIM: 'role',
      OIDC_ENTERPRISE_CLAIM: 'enterprise',
      SAML_ALLOW_BASIC: false,
      SAML_SIGNED: 'assertion',
      SCIM_DEFAULT_ROLE: 'USER',
      SAML_CREATE_USERS: false,
      SAML_LINK_EXISTING: true,
      EVENT_RETENTION_DAYS: 365,
      INVITATION_HOURS: 72,
      IDEMPOTENCY_HOURS: 24,
      WEBHOOK_ALLOW: [],
      PRODUCT_NAME: 'Cloud console',
      TWO_FACTOR_ISSUER: 'Service',
      TRUST_PROXY: [],
      LOG_LEVEL: 'info',
    })
  })

  test('the name of the product is the name in authenticator apps, unless another one is set', () => {
    const named = { SECRET_KEY: secret, PRODUCT_NAME: 'Nube Ñ' }
    expect(parseEnv(named)).toMatchObject({ PRODUCT_NAME: 'Nube Ñ', TWO_FACTOR_ISSUER: 'Nube Ñ' })
    expect(parseEnv({ ...named, TWO_FACTOR_ISSUER: 'My Cloud' }).TWO_FACTOR_ISSUER).toBe('My Cloud')
  })

  test('count as not set if empty', () => {
    expect(parseEnv({ SECRET_KEY: secret, PORT: '', BASE_URL: '', DATABASE_URL: '' }).PORT).toBe(3000)
  })

  test('are parsed to their types', () => {
    const settings = { PORT: '8080', BASE_URL: 'https://cloud.example/', TRUST_PROXY: '10.0.0.1, fd00::/8' }
    expect(parseEnv({ SECRET_KEY: secret, ...settings })).toMatchObject({
      PORT: 8080,
      BASE_URL: 'https://cloud.example',
      TRUST_PROXY: ['10.0.0.1', 'fd00::/8'],
    })
  })

  test.each([
    ['OIDC_ISSUER', 'http://provider.example'],
    ['OIDC_ISSUER', 'provider.example'],
    ['OIDC_ISSUER', 'https://'],
    ['SAML_ENTRY_POINT', 'idp.example'],
    ['OIDC_CREATE_USERS', 'perhaps'],
    ['SAML_SIGNED', 'neither'],
    ['SMTP_URL', 'http://mail.example'],
    ['MAIL_FROM', 'nobody'],
    ['TWO_FACTOR_RESET_APPROVALS', '3'],
    ['PASSWORD_TRIES', '-1'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['BASE_URL', 'cloud.example'],
    ['BASE_URL', 'ftp://cloud.example'],
    ['DATABASE_URL', 'mysql://localhost/console'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'postgres://one:5432,two:port/console'],
    ['DATABASE_URL', 'postgres://one,two/console?target_session_attrs=any'],
    ['DATABASE_CONNECTIONS', '5'],
    ['WEB_CONCURRENCY', '0'],
    ['WEB_CONCURRENCY', 'all'],
    ['WEB_CONCURRENCY', '2'],
    ['MAX_REQUESTS', '0'],
    ['SECRET_KEY', 'too short'],
    ['SECRET_KEY_PREVIOUS', 'too short'],
    ['ADMIN_NICK', 'n'.repeat(129)],
    ['ADMIN_PASSWORD', 'short'],
    ['VENDOR', 'My Cloud'],
    ['VENDOR', '9lives'],
    ['REALM', 'a "quoted" realm'],
    ['REALM', 'two\nlines'],
    ['TOKEN_TTL_SECONDS', '0'],
    ['TOKEN_TTL_SECONDS', 'half an hour'],
    ['SESSION_MAX_SECONDS', '-5'],
    ['SESSION_MAX_SECONDS', '1.5'],
    ['EVENT_RETENTION_DAYS', '-1'],
    ['TWO_FACTOR_ISSUER', 'a:b'],
    ['PRODUCT_NAME', 'a:b'],
    ['PRODUCT_NAME', 'x'.repeat(65)],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%j stops the start with one line that names it', (name, value) => {
    const refusal = refusalOf({ [name]: value })
    expect(refusal).toMatch(new RegExp(`^Setting ${name}: .+$`))
    expect(refusal.split('\n')).toHaveLength(1)
  })

  test('start one process for each core on PostgreSQL, unless WEB_CONCURRENCY is set', () => {
    const settings = { SECRET_KEY: secret, DATABASE_URL: 'postgres://one,two/console' }
    expect(parseEnv(settings).WEB_CONCURRENCY).toBe(availableParallelism())
    expect(parseEnv({ ...settings, WEB_CONCURRENCY: '3' }).WEB_CONCURRENCY).toBe(3)
  })

  test('start no more processes than DATABASE_CONNECTIONS suffices for', () => {
    const settings = {
      SECRET_KEY: secret,
      DATABASE_URL: 'postgres://one/console',
      DATABASE_CONNECTIONS: '6',
    }
    expect(parseEnv(settings).WEB_CONCURRENCY).toBe(1)
    expect(refusalOf({ ...settings, WEB_CONCURRENCY: '2' })).toBe(
      'Setting WEB_CONCURRENCY: needs DATABASE_CONNECTIONS of at least 6 for each process',
    )
  })

  test('require a SECRET_KEY with DATABASE_URL', () => {
    const DATABASE_URL = 'postgres://localhost/console'
    expect(refusalOf({ DATABASE_URL, SECRET_KEY: '' })).toBe(
      'Setting SECRET_KEY: is required with DATABASE_URL',
    )
    expect(refusalOf({ DATABASE_URL })).toBe('taken')
  })
})

describe('a secret in a file', () => {
  const values = {
    SECRET_KEY: secret,
    SECRET_KEY_PREVIOUS: secret,
    DATABASE_URL: 'postgres://one/console',
    ADMIN_PASSWORD: 'correct horse battery',
    SMTP_URL: 'smtp://mail.example',
    OIDC_CLIENT_SECRET: 'a client secret',
    METRICS_TOKEN: 'sixteen-characters',
  }
  const others = {
    MAIL_FROM: 'console@example.test',
    OIDC_ISSUER: 'https://idp.example',
    OIDC_CLIENT_ID: 'x',
  }

  function fileWith(text: string): string {
    const file = newDirectory()
    writeFileSync(file, text)
    return file
  }

  test('has the same effect as the setting, without its final line break', () => {
    const files = Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileWith(`${value}\n`)])
    expect(parseEnv({ ...others, ...Object.fromEntries(files) })).toEqual(parseEnv({ ...others, ...values }))
  })

  test.each(Object.keys(values))(
    'stops the start if the file of %s is missing, or the setting is set too',
    (name) => {
      expect(refusalOf({ [`${name}_FILE`]: '/nowhere' })).toMatch(
        name === 'SECRET_KEY'
          ? 'Setting SECRET_KEY_FILE: SECRET_KEY is also set'
          : `Setting ${name}_FILE: the file cannot be read`,
      )
      expect(refusalOf({ [name]: 'one', [`${name}_FILE`]: fileWith('two') })).toBe(
        `Setting ${name}_FILE: ${name} is also set`,
      )
    },
  )

  test('is validated like the setting, and not shown in the message', () => {
    const refusal = refusalOf({ METRICS_TOKEN_FILE: fileWith('too short') })
    expect(refusal).toBe('Setting METRICS_TOKEN: must have at least 16 characters')
  })
})

describe('the secret of an embedded installation', () => {
  test('is generated once, and only its owner can read it', () => {
    const DATA_DIR = newDirectory()
    const first = parseEnv({ DATA_DIR }).SECRET_KEY
    expect(first.length).toBeGreaterThanOrEqual(32)
    expect(parseEnv({ DATA_DIR }).SECRET_KEY).toBe(first)
    expect(statSync(join(DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  test('differs from installation to installation', () => {
    expect(parseEnv({ DATA_DIR: newDirectory() }).SECRET_KEY).not.toBe(
      parseEnv({ DATA_DIR: newDirectory() }).SECRET_KEY,
    )
  })

  test('is not generated if SECRET_KEY is set', () => {
    const DATA_DIR = newDirectory()
    parseEnv({ DATA_DIR, SECRET_KEY: secret })
    expect(() => readFileSync(join(DATA_DIR, 'secret.key'))).toThrow('ENOENT')
  })
})
