import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import type { ScreenPath } from '#components/screens/screens'

/** What a page module exports. Its loader prefetches what the page reads. */
type PageModule = { Component: ComponentType; loader?: (client: QueryClient) => LoaderFunction }

/** The component of each screen, loaded when the screen opens. */
export const pages: Record<ScreenPath, () => Promise<PageModule>> = {
  '/': () => import('#components/home/home-page'),
  '/account': () => import('#components/account/account-page'),
  '/account/profile': () => import('#components/account/profile-page'),
  '/account/password': () => import('#components/account/password-page'),
  '/account/applications/new': () => import('#components/applications/application-form-page'),
  '/account/applications/:application': () => import('#components/applications/application-page'),
  '/account/tokens/new': () => import('#components/access-tokens/token-form-page'),
  '/account/tokens/:token': () => import('#components/access-tokens/token-page'),
  '/consent': () => import('#components/applications/consent-page'),
  '/account/two-factor': () => import('#components/account/two-factor-page'),
  '/api-reference': () => import('#components/api-reference/api-reference-page'),
  '/help/*': () => import('#components/help/help-page'),
  '/events': () => import('#components/events/events-page'),
  '/plans/:plan': () => import('#components/plans/plan-page'),
  '/settings': () => import('#components/settings/settings-page'),
  '/settings/webhooks/new': () => import('#components/webhooks/webhook-form-page'),
  '/settings/webhooks/:webhook': () => import('#components/webhooks/webhook-page'),
  '/settings/webhooks/:webhook/edit': () => import('#components/webhooks/webhook-form-page'),
  '/scopes': () => import('#components/scopes/scopes-page'),
  '/scopes/map': () => import('#components/scopes/map-page'),
  '/scopes/new': () => import('#components/scopes/scope-form-page'),
  '/scopes/:scope': () => import('#components/scopes/scope-page'),
  '/scopes/:scope/edit': () => import('#components/scopes/scope-form-page'),
  '/enterprises': () => import('#components/enterprises/enterprises-page'),
  '/enterprises/new': () => import('#components/enterprises/enterprise-form-page'),
  '/enterprises/:enterprise': () => import('#components/enterprises/enterprise-page'),
  '/enterprises/:enterprise/edit': () => import('#components/enterprises/enterprise-form-page'),
  '/users': () => import('#components/users/users-page'),
  '/users/new': () => import('#components/users/user-form-page'),
  '/enterprises/:enterprise/users/:user': () => import('#components/users/user-page'),
  '/enterprises/:enterprise/users/:user/edit': () => import('#components/users/user-form-page'),
  '/enterprises/:enterprise/users/:user/tokens/new': () =>
    import('#components/access-tokens/token-form-page'),
  '/enterprises/:enterprise/users/:user/tokens/:token': () => import('#components/access-tokens/token-page'),
  '/roles': () => import('#components/roles/roles-page'),
  '/roles/new': () => import('#components/roles/role-form-page'),
  '/roles/:role': () => import('#components/roles/role-page'),
  '/roles/:role/edit': () => import('#components/roles/role-form-page'),
  '/nat/networks': () => import('#components/nat/networks-page'),
  '/nat/networks/new': () => import('#components/nat/network-form-page'),
  '/nat/ips': () => import('#components/nat/ips-page'),
  '/nat/rules': () => import('#components/nat/rules-page'),
  '/datacenters': () => import('#components/datacenters/datacenters-page'),
  '/datacenters/:datacenter': () => import('#components/datacenters/datacenter-page'),
  '/datacenters/:datacenter/devices/:device': () => import('#components/devices/device-page'),
  '/datacenters/:datacenter/natnetworks': () => import('#components/nat/networks-page'),
  '/datacenters/:datacenter/natnetworks/new': () => import('#components/nat/network-form-page'),
  '/datacenters/:datacenter/natnetworks/:natnetwork': () => import('#components/nat/network-page'),
  '/datacenters/:datacenter/natnetworks/:natnetwork/edit': () => import('#components/nat/network-form-page'),
  '/datacenters/:datacenter/natips': () => import('#components/nat/ips-page'),
  '/datacenters/:datacenter/natrules': () => import('#components/nat/rules-page'),
}
