import { actsByGrant } from '#lib/caller/auth/strategy.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { exchangeToken, findRequestToken, newRequestToken, secretOf } from '#lib/caller/oauth/tokens.server'
import { readParameters, readSigned, required, verifySigned } from '#lib/caller/oauth/verify.server'
import { transaction } from '#lib/db/db.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, isFromBrowser } from '#lib/ground/http/origin.server'
import { percentEncode } from '#lib/ground/http/percent-encode'
import { approve } from '#lib/people/applications/consent.server'
import { open } from '#lib/request/pipeline/open.server'
import type { RouteHandler } from '#lib/request/pipeline/spec.server'
import { authenticate } from '#lib/request/strategies/authenticate.server'
import { isBasic } from '#lib/request/strategies/basic.server'

/* The three endpoints of OAuth 1.0a (RFC 5849 §2). They are served under /oauth and under /api/oauth. */

const form = (values: Record<string, string>): Answer => {
  const body = Object.entries(values)
    .map(([name, value]) => `${name}=${percentEncode(value)}`)
    .join('&')
  return answerOf(body, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
    },
  })
}

/** The callback must be `oob` or an absolute http address. Clients take everything after `oauth_verifier=`, so nothing may follow it. */
function requireCallback(callback: string): void {
  if (callback === 'oob') return
  // URL drops line breaks and escapes other letters. The callback is a header of an answer, as it was sent.
  const address = /^[\x21-\x7e]+$/.test(callback) ? URL.parse(callback) : undefined
  if (!address || !['http:', 'https:'].includes(address.protocol) || callback.includes('#'))
    throw new ApiError(
      fault('OAUTH-0', 'oauth_callback must be oob, or an absolute http address without #', 'oauth_callback'),
    )
}

/** RFC 5849 §2.1. */
async function serveRequestToken(request: Exchange): Promise<Answer> {
  const signed = await readSigned(request)
  const callback = required(signed, 'oauth_callback')
  requireCallback(callback)
  const { id } = await verifySigned(request, signed, async () => '')
  const { token, secret } = await newRequestToken(id, callback)
  return form({ oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' })
}

/** RFC 5849 §2.3. */
async function serveAccessToken(request: Exchange): Promise<Answer> {
  const signed = await readSigned(request)
  const name = required(signed, 'oauth_token')
  const verifier = required(signed, 'oauth_verifier')
  await verifySigned(request, signed, async (application) => {
    const row = await findRequestToken(name)
    return row?.application_id === application.id ? secretOf(row) : undefined
  })
  const granted = await exchangeToken(name, verifier)
  if (!granted) throw new Unauthorized({ schemes: ['OAuth'] })
  return form({ oauth_token: granted.token, oauth_token_secret: granted.secret })
}

/**
 * RFC 5849 §2.2. A program that sends the user's credentials approves at once. A browser is redirected to the consent page: it adds
 * cookies and Basic by itself, so these must not approve.
 */
async function serveAuthorize(request: Exchange): Promise<Answer> {
  const parameters = await readParameters(request)
  const names = parameters.flatMap(([name, value]) => (name === 'oauth_token' ? [value] : []))
  const [token] = names
  if (!token || names.length > 1)
    throw new ApiError(fault('OAUTH-0', 'oauth_token must be sent exactly once', 'oauth_token'))
  const isByBrowser = isBasic(request) && isFromBrowser(request)
  if (isByBrowser || !request.headers.has('authorization'))
    return redirect(`${baseOf(request)}/consent?oauth_token=${percentEncode(token)}`, { status: 302 })
  const authenticated = await authenticate(request)
  const { caller, inConsole, duty } = authenticated
  // Only users decide which applications may act for them: no other application can, and no cookie alone.
  if (actsByGrant(authenticated))
    throw new ApiError(fault('GEN-15', 'A program that acts by a grant cannot approve another application'))
  if (duty || inConsole) throw new ApiError('403-FORBIDDEN')
  const href = await transaction((trx) => approve(trx, { request, caller, token }))
  return redirect(href, { status: 302 })
}

type Routes = { GET: RouteHandler; POST: RouteHandler }

const signedRoutes = (summary: string, handle: (request: Exchange) => Promise<Answer>): Routes => {
  const spec = {
    summary,
    answers: { as: 'application/x-www-form-urlencoded' },
    refuses: ['OAUTH-0', '401-UNAUTHORIZED'],
  } as const
  const route = open(handle, spec)
  return { GET: route, POST: route }
}

export const requestToken = signedRoutes(
  'OAuth 1.0a: get a request token, by a signed request (RFC 5849 §2.1)',
  serveRequestToken,
)

export const accessToken = signedRoutes(
  'OAuth 1.0a: exchange an authorized request token, by a signed request (RFC 5849 §2.3)',
  serveAccessToken,
)

const authorizeRoute = open(serveAuthorize, {
  summary:
    'OAuth 1.0a: authorize a request token: with credentials at once, in a browser on the consent page (RFC 5849 §2.2)',
  answers: { status: 302 },
  refuses: ['OAUTH-0', 'OAUTH-1', 'GEN-15', '401-UNAUTHORIZED', '403-FORBIDDEN', '429-TOO-MANY-REQUESTS'],
})

export const authorize: Routes = { GET: authorizeRoute, POST: authorizeRoute }
