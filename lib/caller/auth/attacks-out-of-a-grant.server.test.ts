import { beforeAll, describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { responseOf } from '#lib/ground/http/answer.server'
import { exchangeOf } from '#lib/ground/http/exchange.server'
import { writes } from '#lib/request/pipeline/endpoint.server'
import { loadRoutes, type Route } from '#lib/request/pipeline/routes.server'
import type { WriteSpec } from '#lib/request/pipeline/spec.server'
import { type AccessToken, newAccessToken, withToken } from '#lib/tools/testing/access-tokens'
import {
  basicOf,
  call,
  codesOf,
  expectStatus,
  LOOPBACK,
  newUser,
  ORIGIN,
  unique,
} from '#lib/tools/testing/client'
import { type Application, connect, register, requestToken, signedCall } from '#lib/tools/testing/oauth'
import { refusal } from '#lib/tools/testing/refusal'
import { swept } from '#lib/tools/testing/search'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'

/*
 * A program that was authorized for some privileges tries to take over its user's account: every operation, by every way to
 * authenticate, on its own user and on another one (docs/api/programs.md, "Programs and own account").
 */

const ways = ['console', 'Basic', 'token', 'grant', 'token of a grant', 'access token'] as const
type Way = (typeof ways)[number]

const programs = ['grant', 'token of a grant', 'access token'] as const satisfies readonly Way[]
const byProgram = (way: Way): boolean => programs.some((program) => program === way)

/** The outcome of a request: the code of a refusal by a rule of ownership, `forbidden` for a program where only the console may, or `through` if no such rule refused the caller. */
type Outcome = 'through' | 'forbidden' | 'GEN-15' | 'SIGN-IN-6' | '2FA-4' | '2FA-6'

const all = (outcome: Outcome) => ways.map(() => outcome)
const notByGrant = ['through', 'through', 'through', 'GEN-15', 'GEN-15', 'GEN-15'] as const
const inConsole = ['through', 'forbidden', 'forbidden', 'GEN-15', 'GEN-15', 'GEN-15'] as const
const readInConsole: readonly Outcome[] = ['through', ...ways.slice(1).map(() => 'forbidden' as const)]
/** Basic sends the password, and the console session has just begun with the password. */
const withProof = ['through', 'through', 'SIGN-IN-6', 'GEN-15', 'GEN-15', 'GEN-15'] as const

/** The outcomes by each way, on the caller's own user and on another one. A path without a user is about the caller. */
type Expected = { own: readonly Outcome[]; other: readonly Outcome[] }

/** These operations need no credentials: they read none, or other tests cover them. */
const open = [
  'GET /api/auth/oidc/callback',
  'GET /api/auth/oidc/login',
  'GET /api/auth/oidc/logout',
  'POST /api/auth/oidc/refresh',
  'POST /api/auth/saml/acs',
  'GET /api/auth/saml/finish',
  'GET /api/auth/saml/login',
  'GET /api/auth/saml/logout',
  'POST /api/auth/saml/logout',
  'GET /api/auth/saml/metadata',
  'GET /api/oauth/access_token',
  'POST /api/oauth/access_token',
  'GET /api/oauth/authorize',
  'POST /api/oauth/authorize',
  'GET /api/oauth/request_token',
  'POST /api/oauth/request_token',
  'GET /api/openapi.json',
  'GET /api/session',
  'POST /api/session',
  'POST /api/session/invitation',
  'PUT /api/session/invitation',
  'POST /api/session/invitation/options',
  'POST /api/session/passkey/options',
  'POST /api/session/passwordreset',
  'PUT /api/session/passwordreset',
  'POST /api/session/twofactorreset',
  'GET /api/session/ways',
  'GET /api/version',
  'GET /healthz',
  'GET /metrics',
  'GET /oauth/access_token',
  'POST /oauth/access_token',
  'GET /oauth/authorize',
  'POST /oauth/authorize',
  'GET /oauth/request_token',
  'POST /oauth/request_token',
  'GET /readyz',
]

const reads = [
  'GET /api/admin/datacenters',
  'GET /api/admin/datacenters/[datacenter]',
  'GET /api/admin/datacenters/[datacenter]/natnetworks',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/action/addressmap',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/action/usehistory',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]/rules',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/rules',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/addresshistory',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/allips',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/allrules',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/check',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/checkcounts',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/ipposition',
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/ipstates',
  'GET /api/admin/datacenters/[datacenter]/network',
  'GET /api/admin/datacenters/[datacenter]/storage/tiers',
  'GET /api/cloud/natips',
  'GET /api/cloud/virtualmachines',
  'GET /api/admin/natnetworks/action/checkcounts',
  'GET /api/admin/datacenters/[datacenter]/setasides',
  'GET /api/admin/datacenters/[datacenter]/setasides/[setaside]',
  'GET /api/admin/datacenters/[datacenter]/racks',
  'GET /api/admin/datacenters/[datacenter]/racks/[rack]',
  'GET /api/admin/datacenters/[datacenter]/remoteservices',
  'GET /api/admin/datacenters/[datacenter]/remoteservices/[remoteservice]',
  'GET /api/admin/enterprises',
  'GET /api/admin/enterprises/[enterprise]',
  'GET /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates',
  'GET /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]',
  'GET /api/admin/enterprises/[enterprise]/properties',
  'GET /api/admin/enterprises/[enterprise]/users',
  'GET /api/admin/enterprises/[enterprise]/users/action/counts',
  'GET /api/admin/enterprises/[enterprise]/users/[user]',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/action/pendingtasks',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/action/virtualmachines',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]/signaturefailures',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/tokens',
  'GET /api/admin/enterprises/[enterprise]/users/[user]/tokens/[token]',
  'GET /api/admin/natnetworks',
  'GET /api/admin/natnetworks/action/addresshistory',
  'GET /api/admin/natnetworks/action/allips',
  'GET /api/admin/natnetworks/action/allrules',
  'GET /api/admin/natnetworks/action/ipposition',
  'GET /api/admin/natnetworks/action/ipstates',
  'GET /api/admin/natnetworks/action/use',
  'GET /api/admin/roles',
  'GET /api/admin/roles/[role]',
  'GET /api/admin/roles/[role]/action/privileges',
  'GET /api/admin/scopes',
  'GET /api/admin/scopes/[scope]',
  'GET /api/access/action/who',
  'POST /api/access/action/explain',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/explain',
  'POST /api/admin/roles/[role]/action/impact',
  'POST /api/admin/scopes/[scope]/action/impact',
  'POST /api/events/[event]/action/undo',
  'GET /api/admin/scopes/action/tree',
  'GET /api/admin/webhooks',
  'GET /api/admin/webhooks/[webhook]',
  'GET /api/admin/webhooks/[webhook]/deliveries',
  'GET /api/admin/webhooks/[webhook]/deliveries/[delivery]',
  'GET /api/cloud/devices',
  'GET /api/cloud/locations',
  'GET /api/cloud/locations/[datacenter]',
  'GET /api/cloud/locations/[datacenter]/devices',
  'GET /api/cloud/locations/[datacenter]/devices/[device]',
  'GET /api/cloud/locations/[datacenter]/devices/[device]/change',
  'GET /api/cloud/locations/[datacenter]/devices/[device]/state',
  'GET /api/cloud/locations/[datacenter]/devices/[device]/translations',
  'GET /api/cloud/virtualdatacenters',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/[natip]',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/[natip]/rules',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/purchased',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/topurchase',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips/[privateip]',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules',
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]',
  'GET /api/config/devicetypes',
  'GET /api/config/devicetypes/[devicetype]',
  'GET /api/config/privileges',
  'GET /api/config/privileges/[privilege]',
  'GET /api/config/scim',
  'GET /api/config/signin',
  'GET /api/config/signin/trial',
  'GET /api/ends',
  'GET /api/events',
  'GET /api/events/[event]',
  'GET /api/events/[event]/after',
  'GET /api/events/[event]/before',
  'GET /api/events/[event]/rows',
  'GET /api/events/action/summary',
  'GET /api/events/stream',
  'GET /api/export',
  'GET /api/jobs',
  'GET /api/jobs/[job]',
  'GET /api/jobs/[job]/report',
  'GET /api/plans/[plan]',
  'GET /api/login',
  'GET /api/session/authorizations',
  'GET /api/session/consent',
  'GET /api/session/preferences',
  'GET /api/session/search',
  'GET /api/session/sessions',
  'GET /api/session/tokens',
  'GET /api/tags',
  'GET /scim/v2',
  'POST /scim/v2/.search',
  'POST /scim/v2/Bulk',
  'GET /scim/v2/Groups',
  'POST /scim/v2/Groups/.search',
  'GET /scim/v2/Groups/[role]',
  'GET /scim/v2/Me',
  'POST /scim/v2/Me',
  'PUT /scim/v2/Me',
  'PATCH /scim/v2/Me',
  'DELETE /scim/v2/Me',
  'GET /scim/v2/ResourceTypes',
  'GET /scim/v2/ResourceTypes/[type]',
  'GET /scim/v2/Schemas',
  'GET /scim/v2/Schemas/[schema]',
  'GET /scim/v2/ServiceProviderConfig',
  'GET /scim/v2/Users',
  'POST /scim/v2/Users/.search',
  'GET /scim/v2/Users/[user]',
]

/** These operations end the caller's current session, and no other one. */
const signOuts = ['DELETE /api/session', 'POST /api/logout']

/** These operations change something other than an account. */
const elsewhere = [
  'POST /scim/v2/Groups',
  'PUT /scim/v2/Groups/[role]',
  'PATCH /scim/v2/Groups/[role]',
  'DELETE /scim/v2/Groups/[role]',
  'POST /scim/v2/Users',
  'POST /api/cloud/locations/[datacenter]/devices/[device]/action/cancel',
  'POST /api/cloud/locations/[datacenter]/devices/[device]/action/change',
  'POST /api/cloud/locations/[datacenter]/devices/[device]/action/confirm',
  'POST /api/plans',
  'POST /api/jobs/[job]/action/stop',
  'POST /api/plans/[plan]/action/apply',
  'POST /api/admin/datacenters',
  'DELETE /api/admin/datacenters/[datacenter]',
  'PUT /api/admin/datacenters/[datacenter]',
  'POST /api/admin/datacenters/[datacenter]/natnetworks',
  'DELETE /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]',
  'PUT /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips',
  'DELETE /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]',
  'PUT /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]',
  'POST /api/admin/enterprises',
  'DELETE /api/admin/enterprises/[enterprise]',
  'PUT /api/admin/enterprises/[enterprise]',
  'POST /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates',
  'DELETE /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]',
  'PUT /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]',
  'PUT /api/admin/enterprises/[enterprise]/properties',
  'POST /api/admin/enterprises/[enterprise]/users',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/changeips',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/deleteips',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/attachips',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/releaseips',
  'POST /api/admin/datacenters/[datacenter]/setasides',
  'PUT /api/admin/datacenters/[datacenter]/setasides/[setaside]',
  'DELETE /api/admin/datacenters/[datacenter]/setasides/[setaside]',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/changerules',
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/deleterules',
  'POST /api/admin/enterprises/[enterprise]/users/action/changeusers',
  'POST /api/admin/enterprises/[enterprise]/users/action/deleteusers',
  'POST /api/admin/roles',
  'DELETE /api/admin/roles/[role]',
  'PUT /api/admin/roles/[role]',
  'POST /api/admin/scopes',
  'DELETE /api/admin/scopes/[scope]',
  'PUT /api/admin/scopes/[scope]',
  'POST /api/admin/webhooks',
  'PUT /api/admin/webhooks/[webhook]',
  'DELETE /api/admin/webhooks/[webhook]',
  'POST /api/admin/webhooks/[webhook]/action/rotatesecret',
  'POST /api/admin/webhooks/[webhook]/action/test',
  'POST /api/cloud/locations/[datacenter]/devices',
  'DELETE /api/cloud/locations/[datacenter]/devices/[device]',
  'PUT /api/cloud/locations/[datacenter]/devices/[device]',
  'PUT /api/cloud/locations/[datacenter]/devices/[device]/state',
  'POST /api/cloud/virtualdatacenters',
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/[natip]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/purchased/[natip]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/topurchase/[natip]',
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips',
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips/[privateip]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips/[privateip]',
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances',
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]',
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines',
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]',
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules',
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]',
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]',
]

/** These operations always change the caller's own account. */
const ofCaller = [
  'DELETE /api/session/authorizations/[authorization]',
  'POST /api/session/code',
  'POST /api/session/code/mail',
  'POST /api/session/consent',
  'DELETE /api/session/enrolment',
  'PUT /api/session/password',
  'POST /api/session/proof',
  'PUT /api/session/preferences',
  'DELETE /api/session/sessions',
  'DELETE /api/session/sessions/[session]',
]

/** These are for the console alone. */
const ofConsole = [
  'POST /api/session/passkeys',
  'POST /api/session/passkeys/action/options',
  'PUT /api/session/passkeys/[passkey]',
  'DELETE /api/session/passkeys/[passkey]',
  'DELETE /api/session/seeas',
]

const user = '/api/admin/enterprises/[enterprise]/users/[user]'

const ofUser: Record<string, Expected> = {
  [`PUT ${user}`]: { own: notByGrant, other: all('through') },
  // Users cannot delete themselves.
  [`DELETE ${user}`]: { own: all('GEN-15'), other: all('through') },
  [`POST ${user}/action/enable2fa`]: { own: withProof, other: all('2FA-4') },
  [`POST ${user}/action/disable2fa`]: { own: notByGrant, other: all('2FA-6') },
  [`POST ${user}/action/scratchcodes`]: { own: notByGrant, other: all('2FA-6') },
  [`POST ${user}/action/reset2fa`]: { own: all('GEN-15'), other: all('through') },
  [`POST ${user}/action/invite`]: { own: notByGrant, other: all('through') },
  // Nobody sees the console as themselves.
  [`POST ${user}/action/seeas`]: {
    own: ['GEN-15', 'forbidden', 'forbidden', 'GEN-15', 'GEN-15', 'GEN-15'],
    other: readInConsole,
  },
  [`POST ${user}/applications`]: { own: notByGrant, other: all('through') },
  [`DELETE ${user}/applications/[application]`]: { own: notByGrant, other: all('through') },
  // Only the owner may read a secret.
  [`POST ${user}/applications/[application]/action/rotatesecret`]: { own: withProof, other: all('GEN-15') },
  // Users make only their own tokens, and programs none at all.
  [`POST ${user}/tokens`]: { own: withProof, other: all('GEN-15') },
  [`DELETE ${user}/tokens/[token]`]: { own: withProof, other: all('through') },
  'PUT /scim/v2/Users/[user]': { own: notByGrant, other: all('through') },
  'PATCH /scim/v2/Users/[user]': { own: notByGrant, other: all('through') },
  'DELETE /scim/v2/Users/[user]': { own: all('GEN-15'), other: all('through') },
}

const expectations: Record<string, Expected> = {
  ...Object.fromEntries(
    [...reads, ...elsewhere, ...signOuts].map((name) => [
      name,
      { own: all('through'), other: all('through') },
    ]),
  ),
  ...Object.fromEntries(ofCaller.map((name) => [name, { own: notByGrant, other: notByGrant }])),
  ...Object.fromEntries(ofConsole.map((name) => [name, { own: inConsole, other: inConsole }])),
  'GET /api/session/passkeys': { own: readInConsole, other: readInConsole },
  ...ofUser,
}

type Person = Awaited<ReturnType<typeof newUser>> & { application: Application; accessToken: AccessToken }

async function newPerson(enterpriseId?: number): Promise<Person> {
  const person = await newUser(enterpriseId === undefined ? {} : { enterpriseId })
  return { ...person, application: await register(person), accessToken: await newAccessToken(person) }
}

type Send = (method: string, path: string, body?: unknown) => Promise<Response>

const byHeaders =
  (headers: Record<string, string>): Send =>
  (method, path, body) =>
    call(method, path, { as: null, headers, body })

/** Sends requests of the person, or of their program, authenticated in this way. */
async function senderBy(way: Way, person: Person): Promise<Send> {
  const { nick, password, application } = person
  if (way === 'access token') return byHeaders(withToken(person.accessToken.token))
  if (way === 'Basic') return (method, path, body) => call(method, path, { as: person, body })
  if (way === 'token')
    return byHeaders({ authorization: `Token ${tokenOf(await call('GET', '/api/login', { as: person }))}` })
  if (way === 'console') {
    const signedIn = await call('POST', '/api/session', { as: null, body: { nick, password } })
    return byHeaders({ cookie: pairOf(cookiesOf(signedIn).console) })
  }
  const token = await connect(application, person)
  const signed: Send = (method, path, body) => signedCall(application, token, method, path, { body })
  if (way === 'grant') return signed
  return byHeaders({ authorization: `Token ${tokenOf(await signed('GET', '/api/login'))}` })
}

/** A stream of events has no end. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.clone().text()
  await response.body?.cancel()
  return ''
}

async function outcomeOf(response: Response): Promise<string> {
  if (response.status === 401) return 'unauthorized'
  if (response.status !== 403) return 'through'
  const coded = response.headers.get('content-type')?.includes('json')
  return coded ? ((await codesOf(response))[0] ?? '') : 'forbidden'
}

/** Sends the operation for this person if the path names a user, and for an id that does not exist otherwise. */
function sendAs(
  by: Send,
  operation: string,
  { id, enterpriseId, application, accessToken }: Person,
): Promise<Response> {
  const [method = '', path = ''] = operation.split(' ')
  // A token needs a name before the rules about its user are checked.
  const body =
    method === 'POST' || method === 'PUT' ? (path.endsWith('/tokens') ? { name: 'T' } : {}) : undefined
  const named = path.includes('/[user]')
    ? path
        .replace('[enterprise]', String(enterpriseId))
        .replace('[user]', String(id))
        .replace('[application]', String(application.id))
        .replace('[token]', String(accessToken.id))
    : path
  return by(method, named.replaceAll(/\[\w+\]/g, '999999999'), body)
}

const operations = (routes: Route[]): string[] =>
  routes
    .filter(({ path }) => !path.includes('[...'))
    .flatMap(({ path, handlers }) => Object.keys(handlers).map((method) => `${method} ${path}`))
    .sort()

test('the table lists exactly the existing operations', async () => {
  expect([...open, ...Object.keys(expectations)].sort()).toEqual(operations(await loadRoutes()))
})

test('each write declares whether it changes the caller’s account', async () => {
  for (const { path, handlers } of await loadRoutes())
    for (const [method, { spec }] of Object.entries(handlers)) {
      if (spec.kind !== 'writes') continue
      const expected = path.endsWith('/tokens')
        ? ['always']
        : path.includes('[user]')
          ? ['whenCaller']
          : ['never', 'always']
      expect([`${method} ${path}`, expected]).toEqual([
        `${method} ${path}`,
        expect.arrayContaining([spec.who.ownAccount]),
      ])
    }
})

describe.each(ways)('by %s', (way) => {
  let shared: { by: Send; own: Person; other: Person }

  const newOwn = async () => {
    const own = await newPerson()
    return { by: await senderBy(way, own), own }
  }

  beforeAll(async () => {
    const { by, own } = await newOwn()
    shared = { by, own, other: await newPerson(own.enterpriseId) }
  })

  /** A request that ends sessions or deletes users gets people of its own, unless it is refused. */
  const isHarmless = (operation: string, outcome: Outcome | undefined) =>
    outcome !== 'through' || reads.includes(operation) || elsewhere.includes(operation)

  const peopleFor = async (whose: 'own' | 'other', isHarmful: boolean): Promise<typeof shared> => {
    if (!isHarmful) return shared
    return whose === 'own'
      ? { ...shared, ...(await newOwn()) }
      : { ...shared, other: await newPerson(shared.own.enterpriseId) }
  }

  /**
   * The operations that one kind of credentials may use, and that show no secret of an application. Another fifth on each day for each
   * kind.
   */
  const free = [...reads, ...elsewhere].filter((operation) => !operation.includes('/[application]'))
  const index = ways.indexOf(way)
  const walked = new Set(swept([...free.slice(index), ...free.slice(0, index)]))

  test.each(
    Object.entries(expectations).filter(([operation]) => walked.has(operation) || !free.includes(operation)),
  )('%s', async (operation, expected) => {
    // Without a user in the path both requests are the same.
    if (!operation.includes('/[user]')) expect(expected.other).toEqual(expected.own)
    const persons = operation.includes('/[user]') ? (['own', 'other'] as const) : (['own'] as const)
    for (const whose of persons) {
      const { by, own, other } = await peopleFor(whose, !isHarmless(operation, expected[whose][index]))
      const response = await sendAs(by, operation, { own, other }[whose])
      const text = await textOf(response)
      if (operation.endsWith('/seeas')) await by('DELETE', '/api/session/seeas')
      expect([whose, await outcomeOf(response)]).toEqual([whose, expected[whose][index]])
      for (const { application } of [own, other])
        if (byProgram(way)) expect(text).not.toContain(application.apiSecret)
    }
  })
})

describe('a program that was authorized for one privilege', () => {
  /** A program with this privilege alone, of a user who holds all. It sends signed requests, and requests with each kind of token. */
  async function programOf(privilege: Privilege) {
    const owner = await newPerson()
    const id = allPrivileges.indexOf(privilege) + 1
    const links = [{ rel: 'privilege', href: `/api/config/privileges/${id}` }]
    const application = await register(owner, { name: 'Narrow', links })
    const accessToken = await newAccessToken(owner, { privileges: [privilege] })
    const person = { ...owner, application, accessToken }
    const senders = await Promise.all(programs.map((way) => senderBy(way, person)))
    return { owner, senders }
  }

  const pathOf = ({ id }: { id: number }, enterprise: number | string = '_') =>
    `/api/admin/enterprises/${enterprise}/users/${id}`

  test('with the privilege to manage users cannot change its own user’s e-mail, for any spelling of the path', async () => {
    const { owner, senders } = await programOf('USERS_MANAGE_USERS')
    const self = await expectStatus(200, call('GET', pathOf(owner), { as: owner }))
    const stolen = { ...self, email: 'thief@example.com' }
    for (const by of senders)
      for (const path of [
        pathOf(owner),
        pathOf(owner, owner.enterpriseId),
        `/api/admin/enterprises/_/users/00${owner.id}`,
      ])
        expect(await refusal(by('PUT', path, stolen))).toEqual([403, 'GEN-15'])
    expect(await expectStatus(200, call('GET', pathOf(owner), { as: owner }))).toEqual(self)
  })

  test('with the privilege to manage applications cannot rotate or read a secret, or get one with a new application', async () => {
    const { owner, senders } = await programOf('USERS_MANAGE_APPLICATIONS')
    const other = await newPerson(owner.enterpriseId)
    const rotate = (person: Person) =>
      `${pathOf(person)}/applications/${person.application.id}/action/rotatesecret`
    for (const by of senders) {
      for (const person of [owner, other])
        expect(await refusal(by('POST', rotate(person)))).toEqual([403, 'GEN-15'])
      expect(await refusal(by('POST', `${pathOf(owner)}/applications`, { name: 'Another' }))).toEqual([
        403,
        'GEN-15',
      ])
      const made = await expectStatus(201, by('POST', `${pathOf(other)}/applications`, { name: 'Another' }))
      expect(made).not.toHaveProperty('apiSecret')
      for (const person of [owner, other]) {
        const path = `${pathOf(person)}/applications/${person.application.id}`
        expect(await expectStatus(200, by('GET', path))).not.toHaveProperty('apiSecret')
      }
    }
  })

  test('cannot authorize another program', async () => {
    const { owner, senders } = await programOf('USERS_MANAGE_APPLICATIONS')
    // A signed request already has an oauth_token of its own.
    const expected = [
      [400, 'OAUTH-0'],
      [403, 'GEN-15'],
      [403, 'GEN-15'],
    ]
    for (const [index, by] of senders.entries()) {
      const { key } = await requestToken(owner.application)
      for (const path of ['/oauth/authorize', '/api/oauth/authorize'])
        expect(await refusal(by('GET', `${path}?oauth_token=${key}`))).toEqual(expected[index])
    }
  })

  /** Ways to give the program more than it was authorized for: each has the operation and the document to send. */
  type Escalation = { needs: Privilege; send: (owner: Person, by: Send) => Promise<Response> }
  const escalations: Record<string, Escalation> = {
    'a new user of the role of its own user': {
      needs: 'USERS_MANAGE_USERS',
      send: async (owner, by) =>
        by('POST', `/api/admin/enterprises/${owner.enterpriseId}/users`, {
          nick: unique('accomplice'),
          name: 'Accomplice',
          password: 'a password of the thief',
          links: [await roleOf(owner)],
        }),
    },
    'a password for another user who holds more': {
      needs: 'USERS_MANAGE_USERS',
      send: async (owner, by) => {
        const other = await newPerson(owner.enterpriseId)
        const self = await expectStatus(200, call('GET', pathOf(other), { as: other }))
        return by('PUT', pathOf(other), { ...self, password: 'a password of the thief' })
      },
    },
    'the role of its own user for another one': {
      needs: 'USERS_MANAGE_USERS',
      send: async (owner, by) => {
        const other = await newUser({ enterpriseId: owner.enterpriseId, privileges: [] })
        const { links, ...self } = await expectStatus(200, call('GET', pathOf(other), { as: other }))
        const others = (links as { rel: string }[]).filter(({ rel }) => rel !== 'role')
        return by('PUT', pathOf(other), { ...self, links: [...others, await roleOf(owner)] })
      },
    },
    'two factor of another user who holds more, reset': {
      needs: 'USERS_MANAGE_USERS',
      send: async (owner, by) => {
        const other = await newPerson(owner.enterpriseId)
        return by('POST', `${pathOf(other)}/action/reset2fa`)
      },
    },
    'a new role with all privileges': {
      needs: 'USERS_MANAGE_ROLES',
      send: async (_owner, by) => by('POST', '/api/admin/roles', { name: unique('All'), links: everything }),
    },
    'all privileges for a role that has none': {
      needs: 'USERS_MANAGE_ROLES',
      send: async (owner, by) => {
        const { href } = await roleOf(await newUser({ enterpriseId: owner.enterpriseId, privileges: [] }))
        const role = await expectStatus(200, call('GET', new URL(href).pathname))
        return by('PUT', new URL(href).pathname, { ...role, links: everything })
      },
    },
    'the role of its own user, changed': {
      needs: 'USERS_MANAGE_ROLES',
      send: async (owner, by) => {
        const { href } = await roleOf(owner)
        const role = await expectStatus(200, call('GET', new URL(href).pathname))
        return by('PUT', new URL(href).pathname, { ...role, links: everything })
      },
    },
    'an application of another user with more privileges': {
      needs: 'USERS_MANAGE_APPLICATIONS',
      send: async (owner, by) => {
        const other = await newPerson(owner.enterpriseId)
        return by('POST', `${pathOf(other)}/applications`, { name: 'Another', links: everything })
      },
    },
  }

  const everything = allPrivileges.map((_name, index) => ({
    rel: 'privilege',
    href: `/api/config/privileges/${index + 1}`,
  }))

  const roleOf = async (person: { id: number }): Promise<{ rel: string; href: string }> => {
    const { links } = await expectStatus(200, call('GET', pathOf(person)))
    return links.find(({ rel }: { rel: string }) => rel === 'role')
  }

  test.each(Object.entries(escalations))(
    'cannot grant more than that privilege: %s',
    async (_what, { needs, send }) => {
      const { owner, senders } = await programOf(needs)
      for (const by of senders) expect(await refusal(send(owner, by))).toEqual([403, 'GEN-15'])
      // The user may do this, because they hold the privilege.
      const answer = await send(owner, await senderBy('Basic', owner))
      expect([200, 201, 409]).toContain(answer.status)
    },
  )

  test('gets GEN-15 before any error about its request', async () => {
    const { owner, senders } = await programOf('USERS_MANAGE_USERS')
    for (const by of senders)
      for (const [method, path] of [
        ['PUT', pathOf(owner)],
        ['PUT', pathOf(owner, 999999999)],
        ['POST', `${pathOf(owner)}/action/enable2fa`],
        ['PUT', '/api/session/password'],
        ['POST', '/api/session/proof'],
        ['POST', `${pathOf(owner)}/tokens`],
      ] as const)
        for (const body of ['{', '<user/>', { oldPassword: owner.password }, { email: 7 }])
          expect(await refusal(by(method, path, body))).toEqual([403, 'GEN-15'])
  })

  test('is refused by an operation that does not declare whether it changes the account', async () => {
    const { owner } = await programOf('USERS_MANAGE_USERS')
    const token = tokenOf(
      await signedCall(owner.application, await connect(owner.application, owner), 'GET', '/api/login'),
    )
    const forgetful = {
      summary: 'Forgets to say',
      who: { anyOf: 'user' },
      event: null,
    } as unknown as WriteSpec<never>
    const operation = writes(async () => undefined, forgetful)
    const by = async (authorization: string) => {
      const request = new Request(`${ORIGIN}/api/forgetful`, { method: 'POST', headers: { authorization } })
      return responseOf(await operation.serve(exchangeOf(request, LOOPBACK), {}))
    }
    expect((await by(basicOf(owner))).status).toBe(204)
    expect(await refusal(by(`Token ${token}`))).toEqual([403, 'GEN-15'])
  })
})
