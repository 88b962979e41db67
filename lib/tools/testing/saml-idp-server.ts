import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Env } from '#lib/ground/env.server'
import { escaped } from '#lib/ground/markup'
import { type Idp, type IdpOptions, newIdp, type Said, serviceProvider } from '#lib/tools/testing/saml-idp'

/* The identity provider on loopback: its metadata, a page that lists its accounts, and single logout. */

/** Attributes of an account, by the name that it signs in with there. */
export type Accounts = Map<string, Record<string, string | undefined>>

export type ServerOptions = Omit<IdpOptions, 'origin'> & {
  accounts: Accounts
  /** The metadata of the service provider, as it serves them. */
  metadataOf: () => Promise<string>
  port?: number
  /** Values that replace parts of every answer. */
  says?: Partial<Said>
}

export type IdpServer = {
  idp: Idp
  settings: Partial<Env>
  /** The messages to its single logout: the kind of each one, and its NameID. */
  left: string[]
  goDown: () => Promise<void>
  comeBack: () => Promise<void>
}

type ReadContext = { binding: 'redirect' | 'post'; parameters: Record<string, string>; octetString: string }

async function readAsked(request: IncomingMessage): Promise<ReadContext> {
  const { searchParams, search } = new URL(request.url ?? '/', 'http://idp.invalid')
  if (request.method === 'GET') {
    const octetString = search.slice(1).replace(/&Signature=.*$/, '')
    return { binding: 'redirect', parameters: Object.fromEntries(searchParams), octetString }
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const form = new URLSearchParams(Buffer.concat(chunks).toString())
  return { binding: 'post', parameters: Object.fromEntries(form), octetString: '' }
}

const page = (content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Identity provider</title></head><body>${content}</body></html>`

const form = (action: string, fields: Record<string, string>, button: string): string => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  )
  return `<form method="post" action="${escaped(action)}">${inputs.join('')}<button>${escaped(button)}</button></form>`
}

const submitted = '<script>document.forms[0].submit()</script>'

/** Starts it. `port` 0: any. */
export async function startIdp({
  accounts,
  metadataOf,
  port = 0,
  says = {},
  ...options
}: ServerOptions): Promise<IdpServer> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(400).end(error instanceof Error ? error.message : String(error))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: at } = server.address() as AddressInfo
  const idp = newIdp({ ...options, origin: `http://127.0.0.1:${at}` })
  const left: string[] = []

  const list = (requestId: string) => {
    const choices = [...accounts.keys()].map((nick) => form('/login', { requestId, nick }, nick))
    return page(`<h1>Identity provider</h1><p>Sign in as</p>${choices.join('')}`)
  }

  async function signIn({ parameters }: ReadContext): Promise<string> {
    const { requestId = '', nick = '' } = parameters
    const attributes = accounts.get(nick)
    if (!attributes) throw new Error('nobody of this name')
    const to = await metadataOf()
    const answer = await idp.answer({ to, requestId, nick, attributes, ...says })
    const acs = String(serviceProvider(to).entityMeta.getAssertionConsumerService('post'))
    const SAMLResponse = Buffer.from(answer).toString('base64')
    return page(form(acs, { SAMLResponse }, 'Continue') + submitted)
  }

  /** The other side signs out: it is answered by the binding that it used. */
  async function signOut({ binding, parameters: query, octetString }: ReadContext, response: ServerResponse) {
    const sp = serviceProvider(await metadataOf())
    const message = { query, body: query, octetString }
    if (query.SAMLResponse) {
      await idp.entity.parseLogoutResponse(sp, binding, message)
      left.push('LogoutResponse')
      return response.end(page('<p>Signed out everywhere.</p>'))
    }
    const asked = await idp.entity.parseLogoutRequest(sp, binding, message)
    left.push(`LogoutRequest ${asked.extract.nameID}`)
    const { RelayState: relayState = '' } = query
    const answered = idp.entity.createLogoutResponse(sp, { extract: asked.extract }, binding, { relayState })
    if (binding === 'redirect') return response.writeHead(302, { location: answered.context }).end()
    const to = String(sp.entityMeta.getSingleLogoutService('post'))
    return response.end(page(form(to, { SAMLResponse: answered.context }, 'Continue') + submitted))
  }

  /** The provider itself ends all sessions of an account. */
  async function end({ parameters }: ReadContext, response: ServerResponse) {
    const { nick = '' } = parameters
    const to = await metadataOf()
    const location = idp.logoutRequest({ to, binding: 'redirect', nick })
    return response.writeHead(303, { location }).end()
  }

  const overview = () => {
    const all = [...accounts.keys()].map((nick) => form('/end', { nick }, `End the sessions of ${nick}`))
    return page(`<h1>Identity provider</h1>${all.join('')}`)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const path = (request.url ?? '/').split('?', 1)[0]
    if (path === '/metadata') return response.end(idp.metadata)
    const asked = await readAsked(request)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (path === '/') return response.end(overview())
    if (path === '/end') return end(asked, response)
    if (path === '/slo') return signOut(asked, response)
    if (path === '/login') return response.end(await signIn(asked))
    if (path !== '/sso') throw new Error('there is nothing here')
    const { binding, parameters: query, octetString } = asked
    const sp = serviceProvider(await metadataOf())
    const { extract } = await idp.entity.parseLoginRequest(sp, binding, { query, body: query, octetString })
    return response.end(list(String(extract.request?.id)))
  }

  return {
    idp,
    settings: { SAML_IDP_METADATA: `${idp.origin}/metadata` },
    left,
    goDown: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    comeBack: async () => {
      server.listen(at, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
