import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import type { ScreenPath } from '#components/base/screens/screens'

/** The exports of a page module. Its loader prefetches the page's data. */
type PageModule = { Component: ComponentType; loader?: (client: QueryClient) => LoaderFunction }

/** The component of each screen, loaded when the screen opens. */
export const pages: Record<ScreenPath, () => Promise<PageModule>> = {
  '/': () => import('#components/home/home-page'),
  '/account': () => import('#components/people/account/account-page'),
  '/account/profile': () => import('#components/people/account/profile-page'),
  '/account/password': () => import('#components/people/account/password-page'),
  '/account/applications/new': () => import('#components/people/applications/application-form-page'),
  '/account/applications/:application': () => import('#components/people/applications/application-page'),
  '/account/tokens/new': () => import('#components/people/access-tokens/token-form-page'),
  '/account/tokens/:token': () => import('#components/people/access-tokens/token-page'),
  '/consent': () => import('#components/people/applications/consent-page'),
  '/account/two-factor': () => import('#components/people/account/two-factor-page'),
  '/api-reference': () => import('#components/home/api-reference/api-reference-page'),
  '/help/*': () => import('#components/home/help/help-page'),
  '/events': () => import('#components/events/events-page'),
  '/plans/:plan': () => import('#components/import/plan-page'),
  '/settings': () => import('#components/people/settings/settings-page'),
  '/settings/webhooks/new': () => import('#components/people/webhooks/webhook-form-page'),
  '/settings/webhooks/:webhook': () => import('#components/people/webhooks/webhook-page'),
  '/settings/webhooks/:webhook/edit': () => import('#components/people/webhooks/webhook-form-page'),
  '/scopes': () => import('#components/scopes/scopes-page'),
  '/scopes/map': () => import('#components/scopes/map-page'),
  '/scopes/new': () => import('#components/scopes/scope-form-page'),
  '/scopes/:scope': () => import('#components/scopes/scope-page'),
  '/scopes/:scope/edit': () => import('#components/scopes/scope-form-page'),
  '/enterprises': () => import('#components/people/enterprises/enterprises-page'),
  '/enterprises/new': () => import('#components/people/enterprises/enterprise-form-page'),
  '/enterprises/:enterprise': () => import('#components/people/enterprises/enterprise-page'),
  '/enterprises/:enterprise/edit': () => import('#components/people/enterprises/enterprise-form-page'),
  '/users': () => import('#components/people/users/users-page'),
  '/users/new': () => import('#components/people/users/user-form-page'),
  '/enterprises/:enterprise/users/:user': () => import('#components/people/users/user-page'),
  '/enterprises/:enterprise/users/:user/edit': () => import('#components/people/users/user-form-page'),
  '/enterprises/:enterprise/users/:user/tokens/new': () =>
    import('#components/people/access-tokens/token-form-page'),
  '/enterprises/:enterprise/users/:user/tokens/:token': () =>
    import('#components/people/access-tokens/token-page'),
  '/roles': () => import('#components/people/roles/roles-page'),
  '/roles/new': () => import('#components/people/roles/role-form-page'),
  '/roles/:role': () => import('#components/people/roles/role-page'),
  '/roles/:role/edit': () => import('#components/people/roles/role-form-page'),
  '/nat/networks': () => import('#components/cloud/nat/networks-page'),
  '/nat/networks/new': () => import('#components/cloud/nat/network-form-page'),
  '/nat/ips': () => import('#components/cloud/nat/ips-page'),
  '/nat/addresses/:address': () => import('#components/cloud/nat/address-page'),
  '/nat/rules': () => import('#components/cloud/nat/rules-page'),
  '/virtualdatacenters': () => import('#components/cloud/inventory/centers-page'),
  '/virtualdatacenters/:virtualdatacenter': () => import('#components/cloud/inventory/center-page'),
  '/virtualdatacenters/:virtualdatacenter/virtualappliances/:virtualappliance': () =>
    import('#components/cloud/inventory/appliance-page'),
  '/virtualdatacenters/:virtualdatacenter/virtualappliances/:virtualappliance/virtualmachines/:virtualmachine':
    () => import('#components/cloud/inventory/machine-page'),
  '/virtualmachines': () => import('#components/cloud/inventory/machines-page'),
  '/datacenters': () => import('#components/cloud/datacenters/datacenters-page'),
  '/datacenters/:datacenter': () => import('#components/cloud/datacenters/datacenter-page'),
  '/datacenters/:datacenter/devices/:device': () => import('#components/cloud/devices/device-page'),
  '/datacenters/:datacenter/natnetworks': () => import('#components/cloud/nat/networks-page'),
  '/datacenters/:datacenter/natnetworks/new': () => import('#components/cloud/nat/network-form-page'),
  '/datacenters/:datacenter/natnetworks/:natnetwork': () => import('#components/cloud/nat/network-page'),
  '/datacenters/:datacenter/natnetworks/:natnetwork/edit': () =>
    import('#components/cloud/nat/network-form-page'),
  '/datacenters/:datacenter/natips': () => import('#components/cloud/nat/ips-page'),
  '/datacenters/:datacenter/natrules': () => import('#components/cloud/nat/rules-page'),
}
