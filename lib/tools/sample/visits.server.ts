import { mock } from 'node:test'
import { generateSync } from 'otplib'
import { type Account, findAccount } from '#lib/caller/auth/caller.server'
import { issueToken, newSession } from '#lib/caller/auth/tokens.server'
import { transaction } from '#lib/db/db.server'
import { responseOf } from '#lib/ground/http/answer.server'
import { type Exchange, exchangeOf } from '#lib/ground/http/exchange.server'
import type { LinkDocument } from '#lib/ground/http/view'
import { setPassword } from '#lib/people/identity/own-password.server'
import { aboutUser, recordRefusedSignIn, recordSignIn } from '#lib/people/sign-in/sign-in-events.server'
import { enableTwoFactor } from '#lib/people/sign-in/two-factor.server'
import { insertEvent } from '#lib/record/events/record.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { createRouter, type Router } from '#lib/server/router.server'
import type { Random } from '#lib/tools/sample/random'

const MINUTE = 60_000

export type Clock = {
  /** Sets the clock, at least a minute ahead. */
  moveTo: (time: number) => void
  /** Lets a few minutes pass. */
  pause: () => void
}

/** Runs `work` with a clock that it sets. Only Date is faked: the time of events, tokens and codes. */
export async function withClock(
  start: number,
  random: Random,
  work: (clock: Clock) => Promise<void>,
): Promise<void> {
  mock.timers.enable({ apis: ['Date'], now: start })
  const moveTo = (time: number) => mock.timers.setTime(Math.max(time, Date.now() + MINUTE))
  const pause = () => moveTo(Date.now() + MINUTE + random.below(4 * MINUTE))
  try {
    await work({ moveTo, pause })
  } finally {
    mock.timers.reset()
  }
}

/** A document of the API. */
export type ApiDocument = { id: number; links: LinkDocument[] } & Record<string, unknown>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Visit = {
  account: Account
  /** Calls the API, then lets some minutes pass. Throws unless the answer is a success. */
  send: (method: Method, path: string, body?: object) => Promise<ApiDocument>
  enableTwoFactor: () => Promise<void>
  /** Replaces the password that an administrator chose. */
  choosePassword: (hash: string) => Promise<void>
}

/**
 * Users who sign in and call the API, without passwords: the sample must also fill an installation whose settings turn passwords off.
 * The sign-ins are recorded by the functions that record real ones.
 */
export async function openVisits(random: Random, clock: Clock) {
  const router = createRouter(await loadRoutes())
  const request = requestMaker(random)
  return {
    visit: async (nick: string, act: (visit: Visit) => Promise<unknown> = async () => {}): Promise<void> => {
      const account = await findAccount(nick)
      if (!account) throw new Error(`${nick} cannot sign in`)
      const address = addressOf(random, account)
      await transaction((trx) =>
        recordSignIn(trx, {
          request: request({ method: 'POST', path: '/session', address }),
          account,
          factors: account.two_factor_provider ? 'password, authenticator' : 'password',
        }),
      )
      clock.pause()
      await act(visitOf({ router, clock, account, request: (call) => request({ ...call, address }) }))
    },
    refuse: (nick: string, address: string): Promise<void> =>
      recordRefusedSignIn(request({ method: 'POST', path: '/session', address }), nick, 'password'),
  }
}

export type Visits = Awaited<ReturnType<typeof openVisits>>

/** Requests with ids that are the same for the same seed. */
const requestMaker =
  (random: Random) =>
  ({ method, path, address, token, body }: Call): Exchange => {
    const id = 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => random.below(16).toString(16))
    const request = new Request(`http://localhost/api${path}`, {
      method,
      headers: {
        'x-request-id': id,
        ...(token && { authorization: `Token ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return exchangeOf(request, address)
  }

type Call = { method: Method; path: string; address: string; token?: string; body?: object | undefined }

/** The enterprise's office, or now and then the user's home. */
const addressOf = (random: Random, { id, enterprise_id }: Account): string =>
  random.chance(0.2) ? `2001:db8:${enterprise_id}:${id}::10` : `10.20.${enterprise_id}.${id}`

type Visiting = {
  router: Router
  clock: Clock
  account: Account
  request: (call: Omit<Call, 'address'>) => Exchange
}

function visitOf({ router, clock, account, request }: Visiting): Visit {
  const session = newSession(account.id, account.token_epoch)
  const user = `/admin/enterprises/${account.enterprise_id}/users/${account.id}`
  const send: Visit['send'] = async (method, path, body) => {
    const { token } = issueToken(session)
    const response = responseOf(await router.serve(request({ method, path, token, body })))
    clock.pause()
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} by ${account.nick}: ${response.status} ${text}`)
    return text === '' ? { id: 0, links: [] } : JSON.parse(text)
  }
  return {
    account,
    send,
    enableTwoFactor: async () => {
      const { authenticatorURL = '' } = await transaction(async (trx) => {
        const credentials = await enableTwoFactor(trx, {
          user: account,
          type: 'APP_AUTHENTICATOR',
          session,
          inConsole: true,
        })
        await insertEvent(trx, {
          request: request({ method: 'POST', path: `${user}/action/enable2fa` }),
          action: 'enable2fa',
          changes: { twoFactorProvider: { after: credentials.provider } },
          ...aboutUser(account),
        })
        return credentials
      })
      const secret = new URL(authenticatorURL).searchParams.get('secret') ?? ''
      await send('POST', '/session/code', { code: generateSync({ secret }) })
    },
    choosePassword: async (hash) => {
      const change = request({ method: 'PUT', path: '/session/password' })
      const note = () => {}
      await transaction(async (trx) => {
        await setPassword(trx, { userId: account.id, hash, by: 'user', request: change, note })
        await insertEvent(trx, {
          request: change,
          action: 'change-password',
          changes: { password: { after: 'changed' } },
          ...aboutUser(account),
        })
      })
    },
  }
}
