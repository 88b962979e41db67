import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Context, Provider } from 'oidc-provider'

/* A provider that is not ours, on loopback: for the tests, and for the demo. */

export type Account = Record<string, unknown>

export type ProviderOptions = {
  /** Where the console may be. */
  origins: string[]
  /** The claims of each account, by the name that it signs in with there. */
  accounts: Map<string, Account>
  port?: number
  /** Access tokens are JWTs for this audience; else they are opaque. */
  audience?: string
  /** How the console must prove itself; any other way is refused. */
  clientAuth?: 'client_secret_post' | 'client_secret_basic'
}

const CLIENT_ID = 'console'
const CLIENT_SECRET = 'a secret of the console at the provider'

type Key = { kid: string; privateKey: CryptoKey; jwk: JWK }

let keys = 0

export async function newKey(): Promise<Key> {
  keys += 1
  const kid = `key-${keys}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } }
}

const client = ({ origins, clientAuth = 'client_secret_post' }: ProviderOptions) => ({
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  client_name: 'Console',
  redirect_uris: origins.map((origin) => `${origin}/api/auth/oidc/callback`),
  post_logout_redirect_uris: origins.map((origin) => `${origin}/sign-in`),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: clientAuth,
})

const profile = ['preferred_username', 'name', 'given_name', 'family_name', 'role', 'enterprise']

/** Access tokens for the API itself (RFC 8707, RFC 9068). */
const forAudience = (audience: string, accounts: Map<string, Account>) => ({
  resourceIndicators: {
    enabled: true,
    defaultResource: () => audience,
    useGrantedResource: () => true,
    getResourceServerInfo: () => ({
      scope: '',
      audience,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'RS256' } },
    }),
  },
  extraTokenClaims: (_context: Context, { accountId }: { accountId?: string }) => ({
    preferred_username: accounts.get(accountId ?? '')?.preferred_username,
  }),
})

const logoutSource = (context: Context, form: string) => {
  context.body = `<!doctype html><title>Sign out</title>${form}<button autofocus form="op.logoutForm" name="logout" value="yes">Sign out here as well</button>`
}

function configuration(options: ProviderOptions, key: Key): object {
  const { accounts, audience } = options
  const { resourceIndicators, extraTokenClaims } = audience
    ? forAudience(audience, accounts)
    : { resourceIndicators: { enabled: false }, extraTokenClaims: undefined }
  return {
    clients: [client(options)],
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['a key for cookies of the provider'] },
    claims: { openid: ['sub'], profile, email: ['email', 'email_verified'] },
    features: {
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: { enabled: true, logoutSource },
      resourceIndicators,
    },
    extraTokenClaims,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 3600,
      Session: 3600,
      Grant: 3600,
    },
    findAccount: (_context: Context, id: string) =>
      accounts.has(id) && { accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) },
  }
}

/** Ignored warnings: the store in memory and the development pages are meant here. */
function quietly<T>(work: () => T): T {
  const { warn } = console
  console.warn = () => {}
  try {
    return work()
  } finally {
    console.warn = warn
  }
}

type Fields = Record<string, unknown>
type Change = (answer: Fields) => Fields | Promise<Fields>

export type RunningProvider = {
  issuer: string
  /** The settings of an installation that signs in here. */
  settings: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string }
  /** The key that is in use. */
  key: () => Key
  rotateKeys: () => Promise<void>
  /** Signs as the provider itself does. */
  sign: (claims: JWTPayload, header?: Record<string, unknown>) => Promise<string>
  /** From now on, this is its answer at a path. */
  alter: (path: string, change: Change) => void
  goDown: () => Promise<void>
  comeBack: () => Promise<void>
  /** How often a path was asked for. */
  asked: (path: string) => number
}

export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  let handle: RequestListener = () => {}
  const changes = new Map<string, Change>()
  let key = await newKey()
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push((request.url ?? '').split('?', 1)[0] ?? '')
    handle(request, response)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(options.port ?? 0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const serve = () => {
    const provider = quietly(() => new Provider(issuer, configuration(options, key)))
    provider.use(async (context, next) => {
      await next()
      const change = changes.get(context.path)
      if (change && context.status === 200) context.body = await change(context.body as Fields)
    })
    handle = provider.callback()
  }
  serve()
  return {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    key: () => key,
    rotateKeys: async () => {
      key = await newKey()
      serve()
    },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header }).sign(key.privateKey),
    alter: (path, change) => {
      changes.set(path, change)
    },
    goDown: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    comeBack: () => listen(port),
    asked: (path) => paths.filter((one) => one === path).length,
  }
}
