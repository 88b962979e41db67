export const adminNick = 'admin'
export const adminPassword = 'correct horse battery'

/** As weak as argon2id can be: a check takes no time, where one as the product stores takes a core for about 20 ms. */
export const cheapHash = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** The settings of an installation under test. An empty one counts as not set: nothing of the outer environment gets in. */
export const testSettings = {
  ADMIN_NICK: adminNick,
  ADMIN_PASSWORD: adminPassword,
  SECRET_KEY: 'a-secret-key-of-forty-eight-characters-for-tests',
  DATABASE_URL: '',
  DATABASE_CONNECTIONS: '',
  WEB_CONCURRENCY: '',
  MAX_REQUESTS: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  BASE_URL: '',
  PORT: '',
  HOST: '',
  VENDOR: '',
  REALM: '',
  TOKEN_TTL_SECONDS: '',
  SESSION_MAX_SECONDS: '',
  SESSION_IDLE_SECONDS: '',
  PASSWORD_MIN_LENGTH: '',
  PASSWORD_TRIES: '',
  SMTP_URL: '',
  MAIL_FROM: '',
  TWO_FACTOR_RESET_APPROVALS: '',
  OIDC_ISSUER: '',
  SAML_IDP_METADATA: '',
  SAML_ENTRY_POINT: '',
  WEBHOOK_ALLOW: '',
  SCIM_DEFAULT_ROLE: '',
  PRODUCT_NAME: '',
  TWO_FACTOR_ISSUER: '',
  TRUST_PROXY: '',
  METRICS_TOKEN: '',
}
