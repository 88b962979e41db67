import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { scopeHref } from '#lib/caller/scopes/scopes.queries'
import { api } from '#lib/client/api'
import { createOnce, type Once } from '#lib/client/once'
import { invalidateBelow } from '#lib/client/resources.queries'
import type { Collection } from '#lib/ground/http/view'
import { tokensPath } from '#lib/people/access-tokens/access-tokens.queries'
import type { AccessTokenDocument } from '#lib/people/access-tokens/access-tokens.schema'
import { enterprisePath } from '#lib/people/identity/enterprises.queries'
import type { RoleDocument, UserDocument } from '#lib/people/identity/identity.schema'
import { privilegesQuery, rolePath, rolesPath } from '#lib/people/identity/roles.queries'
import { usersPath } from '#lib/people/identity/users.queries'
import { SERVICE } from '#lib/people/identity/users.schema'

/** The privileges that a gateway needs: to read the translations of its device, and to report. */
export const gatewayPrivileges = [
  'PHYS_DC_RETRIEVE_DETAILS',
  'MANAGE_DEVICES',
] as const satisfies readonly Privilege[]

type Maker = { session: Pick<SessionDocument, 'enterprise' | 'scope'>; once: Once; client: QueryClient }

/** Role names are unique over all enterprises. */
const roleNameFor = (enterprise: string): string => `Gateways of ${enterprise}`.slice(0, 128)

async function roleOfGateways({ session: { enterprise }, once, client }: Maker): Promise<RoleDocument> {
  const name = roleNameFor(enterprise.name)
  const { collection } = await api<Collection<RoleDocument>>(rolesPath, {
    query: { has: name },
    meta: undefined,
  })
  const made = collection.find((role) => role.name === name)
  if (made) return made
  const privileges = await client.ensureQueryData(privilegesQuery)
  const links = privileges
    .filter((each) => gatewayPrivileges.some((privilege) => privilege === each.name))
    .map(({ id }) => ({ rel: 'privilege', href: `/api/config/privileges/${id}` }))
  return api<RoleDocument>(rolesPath, {
    method: 'POST',
    body: { name, links: [{ rel: 'enterprise', href: enterprisePath(enterprise.id) }, ...links] },
    once,
  })
}

/** The service account of a device. It has the scope of its maker, which includes the device. */
async function accountOf(device: Device, maker: Maker): Promise<UserDocument> {
  const { enterprise, scope } = maker.session
  const nick = `gateway-${device.id}`
  const path = usersPath(enterprise.id)
  const { collection } = await api<Collection<UserDocument>>(path, {
    query: { has: nick, service: true },
    meta: undefined,
  })
  const made = collection.find((user) => user.nick === nick)
  if (made) return made
  const role = await roleOfGateways(maker)
  return api<UserDocument>(path, {
    method: 'POST',
    body: {
      nick,
      name: device.name,
      authType: SERVICE,
      links: [
        { rel: 'enterprise', href: enterprisePath(enterprise.id) },
        { rel: 'role', href: rolePath(role.id) },
        { rel: 'scope', href: scopeHref(scope.id) },
      ],
    },
    once: maker.once,
  })
}

type Device = { id: number; name: string }

const YEAR = 365 * 24 * 60 * 60 * 1000

/** Makes the account of a gateway if it has none, and a token for it. A repeat makes another token. */
export const makeGatewayToken = (session: SessionDocument, once: Once) =>
  mutationOptions({
    mutationFn: async (device: Device, { client }) => {
      const account = await accountOf(device, { session, once, client })
      return api<AccessTokenDocument>(tokensPath({ id: account.id, enterprise: session.enterprise.id }), {
        method: 'POST',
        body: {
          name: `Gateway ${new Date().toISOString()}`,
          privileges: gatewayPrivileges,
          expires: new Date(Date.now() + YEAR).toISOString(),
        },
        once: createOnce(),
      })
    },
    onSettled: (_made, _error, _device, _result, { client }) =>
      invalidateBelow(client, [usersPath(session.enterprise.id), rolesPath]),
  })
