import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import type { Privilege } from '#lib/auth/privileges'
import { access } from './access'

/** What a page module exports. A loader prefetches what the page is going to read. */
type PageModule = { Component: ComponentType; loader?: (client: QueryClient) => LoaderFunction }

export type Screen = { path: string; needs?: readonly Privilege[]; page: () => Promise<PageModule> }

/** Every screen of the console. */
export const screens: Screen[] = [
  { path: '/', page: () => import('#components/home/home-page') },

  { path: '/account', page: () => import('#components/account/account-page') },
  { path: '/account/profile', page: () => import('#components/account/profile-page') },
  { path: '/account/password', page: () => import('#components/account/password-page') },
  {
    path: '/account/applications/new',
    page: () => import('#components/applications/application-form-page'),
  },
  {
    path: '/account/applications/:application',
    page: () => import('#components/applications/application-page'),
  },
  { path: '/consent', page: () => import('#components/applications/consent-page') },
  { path: '/account/two-factor', page: () => import('#components/account/two-factor-page') },

  { path: '/api-reference', page: () => import('#components/api-reference/api-reference-page') },

  { path: '/events', needs: access.events, page: () => import('#components/events/events-page') },

  { path: '/settings', needs: access.settings, page: () => import('#components/settings/settings-page') },

  { path: '/scopes', needs: access.scope, page: () => import('#components/scopes/scopes-page') },
  {
    path: '/scopes/new',
    needs: access.manageScopes,
    page: () => import('#components/scopes/scope-form-page'),
  },
  { path: '/scopes/:scope', needs: access.scope, page: () => import('#components/scopes/scope-page') },
  {
    path: '/scopes/:scope/edit',
    needs: access.manageScopes,
    page: () => import('#components/scopes/scope-form-page'),
  },

  {
    path: '/enterprises',
    needs: access.enterprises,
    page: () => import('#components/enterprises/enterprises-page'),
  },
  {
    path: '/enterprises/new',
    needs: access.manageEnterprises,
    page: () => import('#components/enterprises/enterprise-form-page'),
  },
  {
    path: '/enterprises/:enterprise',
    needs: access.enterprises,
    page: () => import('#components/enterprises/enterprise-page'),
  },
  {
    path: '/enterprises/:enterprise/edit',
    needs: access.manageEnterprises,
    page: () => import('#components/enterprises/enterprise-form-page'),
  },
  { path: '/users', needs: access.users, page: () => import('#components/users/users-page') },
  {
    path: '/users/new',
    needs: access.manageUsers,
    page: () => import('#components/users/user-form-page'),
  },
  {
    path: '/enterprises/:enterprise/users/:user',
    needs: access.users,
    page: () => import('#components/users/user-page'),
  },
  {
    path: '/enterprises/:enterprise/users/:user/edit',
    needs: access.manageUsers,
    page: () => import('#components/users/user-form-page'),
  },

  { path: '/roles', needs: access.roles, page: () => import('#components/roles/roles-page') },
  { path: '/roles/new', needs: access.manageRoles, page: () => import('#components/roles/role-form-page') },
  { path: '/roles/:role', needs: access.roles, page: () => import('#components/roles/role-page') },
  {
    path: '/roles/:role/edit',
    needs: access.manageRoles,
    page: () => import('#components/roles/role-form-page'),
  },

  {
    path: '/datacenters',
    needs: access.datacenters,
    page: () => import('#components/datacenters/datacenters-page'),
  },
  {
    path: '/datacenters/:datacenter',
    needs: access.datacenters,
    page: () => import('#components/datacenters/datacenter-page'),
  },
  {
    path: '/datacenters/:datacenter/natnetworks',
    needs: access.natNetworks,
    page: () => import('#components/nat/networks-page'),
  },
  {
    path: '/datacenters/:datacenter/natnetworks/new',
    needs: access.natNetworks,
    page: () => import('#components/nat/network-form-page'),
  },
  {
    path: '/datacenters/:datacenter/natnetworks/:natnetwork',
    needs: access.natNetworks,
    page: () => import('#components/nat/network-page'),
  },
  {
    path: '/datacenters/:datacenter/natnetworks/:natnetwork/edit',
    needs: access.changeNatNetworks,
    page: () => import('#components/nat/network-form-page'),
  },
  {
    path: '/datacenters/:datacenter/natips',
    needs: access.natAddresses,
    page: () => import('#components/nat/ips-page'),
  },
  {
    path: '/datacenters/:datacenter/natrules',
    needs: access.natAddresses,
    page: () => import('#components/nat/rules-page'),
  },
]
