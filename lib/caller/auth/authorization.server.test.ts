import { beforeAll, describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { isGranted } from '#lib/request/pipeline/authorize.server'
import { loadRoutes, type Route } from '#lib/request/pipeline/routes.server'
import type { Described } from '#lib/request/pipeline/spec.server'
import { call, newEnterprise, newUser, type User } from '#lib/tools/testing/client'

/** `user`: any signed-in user; `console`: any in the console, and no program; `open`: everybody. */
type Grant = readonly Privilege[] | 'user' | 'console' | 'open'

const datacenters: Grant = ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW']
const details: Grant = ['PHYS_DC_RETRIEVE_DETAILS']
const devices: Grant = ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES']
const networks: Grant = ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE']
const natIps: Grant = ['VDC_ENUMERATE', 'MANAGE_NATIPS']
const machineRules: Grant = ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS']
const networkChanges: Grant = ['PHYS_DC_ALLOW_MODIFY_NETWORK']
const scopes: Grant = ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS']
const scopeList: Grant = [...scopes, 'APPLIB_ALLOW_MODIFY', 'MANAGE_VAPP_SPEC']
const roles: Grant = ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES']
const users: Grant = ['USERS_VIEW', 'USERS_MANAGE_USERS']
const events: Grant = ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL']
const deviceChanges: Grant = ['MANAGE_DEVICES', 'PHYS_DC_ALLOW_MODIFY_NETWORK']
const virtualDatacenters: Grant = ['VDC_ENUMERATE', 'VDC_MANAGE']
const appliances: Grant = ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP']
const applianceChanges: Grant = ['VDC_MANAGE_VAPP']
const templates: Grant = ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY']
const templateChanges: Grant = ['APPLIB_ALLOW_MODIFY']
/** Each of these privileges lets its holder change a part of a plan. */
const planWriters: Grant = [
  'MANAGE_NATIPS',
  'PHYS_DC_ALLOW_MODIFY_NETWORK',
  'PHYS_DC_RETRIEVE_DETAILS',
  'USERS_MANAGE_ENTERPRISE',
  'USERS_MANAGE_ROLES',
  'USERS_MANAGE_SCOPES',
  'USERS_MANAGE_USERS',
  'VAPP_CUSTOMISE_SETTINGS',
  'VDC_ENUMERATE',
  'VDC_MANAGE_VAPP',
]
/** One privilege does not suffice (docs/api/devices.md, "Changes that go back" and "Set a finding aside"). */
const none: Grant = []
const applications: Grant = ['USERS_MANAGE_APPLICATIONS']
const enterprises: Grant = ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE']

/** Who may do what (docs/api/authorization.md, "Privileges"). An operation that is not here must not exist. */
const table: Record<string, Grant> = {
  'GET /healthz': 'open',
  'GET /readyz': 'open',
  'GET /metrics': 'open',
  'GET /api/version': 'open',
  'GET /api/openapi.json': 'open',
  'POST /api/session': 'open',
  'GET /api/session': 'open',
  'DELETE /api/session': 'user',
  'GET /oauth/request_token': 'open',
  'POST /oauth/request_token': 'open',
  'GET /oauth/authorize': 'open',
  'POST /oauth/authorize': 'open',
  'GET /oauth/access_token': 'open',
  'POST /oauth/access_token': 'open',
  'GET /api/oauth/request_token': 'open',
  'POST /api/oauth/request_token': 'open',
  'GET /api/oauth/authorize': 'open',
  'POST /api/oauth/authorize': 'open',
  'GET /api/oauth/access_token': 'open',
  'POST /api/oauth/access_token': 'open',
  'GET /api/session/consent': 'user',
  'POST /api/session/consent': 'user',
  'GET /api/session/authorizations': 'user',
  'DELETE /api/session/authorizations/[authorization]': 'user',
  'GET /api/session/ways': 'open',
  'GET /api/session/tokens': 'user',
  'GET /api/auth/oidc/login': 'open',
  'GET /api/auth/oidc/callback': 'open',
  'POST /api/auth/oidc/refresh': 'open',
  'GET /api/auth/oidc/logout': 'open',
  'GET /api/auth/saml/metadata': 'open',
  'GET /api/auth/saml/login': 'open',
  'POST /api/auth/saml/acs': 'open',
  'GET /api/auth/saml/finish': 'open',
  'GET /api/auth/saml/logout': 'open',
  'POST /api/auth/saml/logout': 'open',
  'POST /api/session/code': 'user',
  'POST /api/session/code/mail': 'user',
  'DELETE /api/session/enrolment': 'user',
  'POST /api/session/passkey/options': 'open',
  'GET /api/session/passkeys': 'console',
  'POST /api/session/passkeys': 'console',
  'POST /api/session/passkeys/action/options': 'console',
  'PUT /api/session/passkeys/[passkey]': 'console',
  'DELETE /api/session/passkeys/[passkey]': 'console',
  'DELETE /api/session/seeas': 'console',
  'PUT /api/session/password': 'user',
  'POST /api/session/proof': 'user',
  'POST /api/session/invitation': 'open',
  'PUT /api/session/invitation': 'open',
  'POST /api/session/invitation/options': 'open',
  'POST /api/session/passwordreset': 'open',
  'PUT /api/session/passwordreset': 'open',
  'POST /api/session/twofactorreset': 'open',
  'GET /api/session/preferences': 'user',
  'PUT /api/session/preferences': 'user',
  'GET /api/session/search': 'user',
  'GET /api/session/sessions': 'user',
  'DELETE /api/session/sessions': 'user',
  'DELETE /api/session/sessions/[session]': 'user',
  'GET /api/login': 'user',
  'POST /api/logout': 'user',
  'GET /api/events': events,
  'GET /api/events/[event]': events,
  'GET /api/events/[event]/after': events,
  'GET /api/events/[event]/before': events,
  'POST /api/events/[event]/action/undo': events,
  'GET /api/events/[event]/rows': events,
  'GET /api/events/action/summary': events,
  'GET /api/events/stream': events,

  'GET /api/export': 'user',
  'GET /api/ends': 'user',
  'GET /api/tags': 'user',
  'GET /api/jobs': 'user',
  'GET /api/jobs/[job]': 'user',
  'GET /api/jobs/[job]/report': 'user',
  'POST /api/jobs/[job]/action/stop': 'user',
  'POST /api/plans': planWriters,
  'GET /api/plans/[plan]': 'user',
  'POST /api/plans/[plan]/action/apply': 'user',

  'POST /api/access/action/explain': ['USERS_VIEW'],
  'GET /api/access/action/who': ['USERS_VIEW'],

  'GET /api/admin/scopes': scopeList,
  'POST /api/admin/scopes': ['USERS_MANAGE_SCOPES'],
  'GET /api/admin/scopes/action/tree': scopes,
  'GET /api/admin/scopes/[scope]': scopes,
  'POST /api/admin/scopes/[scope]/action/impact': ['USERS_MANAGE_SCOPES'],
  'PUT /api/admin/scopes/[scope]': ['USERS_MANAGE_SCOPES'],
  'DELETE /api/admin/scopes/[scope]': ['USERS_MANAGE_SCOPES'],

  'GET /api/admin/datacenters': datacenters,
  'POST /api/admin/datacenters': ['PHYS_DC_MANAGE'],
  'GET /api/admin/datacenters/[datacenter]': datacenters,
  'PUT /api/admin/datacenters/[datacenter]': ['PHYS_DC_MANAGE'],
  'DELETE /api/admin/datacenters/[datacenter]': ['PHYS_DC_MANAGE'],
  'GET /api/admin/datacenters/[datacenter]/racks': details,
  'GET /api/admin/datacenters/[datacenter]/racks/[rack]': details,
  'GET /api/admin/datacenters/[datacenter]/remoteservices': details,
  'GET /api/admin/datacenters/[datacenter]/remoteservices/[remoteservice]': details,
  'GET /api/cloud/locations': 'user',
  'GET /api/cloud/locations/[datacenter]': 'user',
  'GET /api/cloud/devices': devices,
  'GET /api/cloud/locations/[datacenter]/devices': devices,
  'POST /api/cloud/locations/[datacenter]/devices': ['MANAGE_DEVICES'],
  'GET /api/cloud/locations/[datacenter]/devices/[device]': devices,
  'GET /api/cloud/locations/[datacenter]/devices/[device]/state': devices,
  'PUT /api/cloud/locations/[datacenter]/devices/[device]/state': ['MANAGE_DEVICES'],
  'GET /api/cloud/locations/[datacenter]/devices/[device]/translations': details,
  'GET /api/cloud/locations/[datacenter]/devices/[device]/change': devices,
  'POST /api/cloud/locations/[datacenter]/devices/[device]/action/change': none,
  'POST /api/cloud/locations/[datacenter]/devices/[device]/action/confirm': deviceChanges,
  'POST /api/cloud/locations/[datacenter]/devices/[device]/action/cancel': none,
  'PUT /api/cloud/locations/[datacenter]/devices/[device]': ['MANAGE_DEVICES'],
  'DELETE /api/cloud/locations/[datacenter]/devices/[device]': ['MANAGE_DEVICES'],
  'GET /api/config/devicetypes': 'user',
  'GET /api/config/devicetypes/[devicetype]': 'user',

  'GET /api/cloud/virtualdatacenters': virtualDatacenters,
  'POST /api/cloud/virtualdatacenters': ['VDC_MANAGE'],
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]': virtualDatacenters,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]': ['VDC_MANAGE'],
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]': ['VDC_MANAGE'],
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances': appliances,
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances': applianceChanges,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]': appliances,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]':
    applianceChanges,
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]':
    applianceChanges,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines':
    appliances,
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines':
    applianceChanges,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]':
    appliances,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]':
    applianceChanges,
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]':
    applianceChanges,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips': appliances,
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips': applianceChanges,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips/[privateip]': appliances,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips/[privateip]': applianceChanges,
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/privateips/[privateip]': applianceChanges,
  'GET /api/admin/enterprises/[enterprise]/users/[user]/action/virtualmachines': appliances,
  'GET /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates':
    templates,
  'POST /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates':
    templateChanges,
  'GET /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]':
    templates,
  'PUT /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]':
    templateChanges,
  'DELETE /api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]':
    templateChanges,

  'GET /api/admin/datacenters/[datacenter]/network': datacenters,
  'GET /api/admin/datacenters/[datacenter]/storage/tiers': datacenters,
  'GET /api/cloud/virtualmachines': appliances,
  'GET /api/cloud/natips': natIps,
  'GET /api/admin/datacenters/[datacenter]/natnetworks': networks,
  'POST /api/admin/datacenters/[datacenter]/natnetworks': networks,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]': networks,
  'PUT /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]': networkChanges,
  'DELETE /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]': networkChanges,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/rules': details,
  'POST /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips': networkChanges,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]': details,
  'PUT /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]': networkChanges,
  'DELETE /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]': networkChanges,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/ips/[natip]/rules': details,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips': natIps,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/[natip]': natIps,
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/[natip]/rules': natIps,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/[natip]': ['MANAGE_NATIPS'],
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/topurchase': natIps,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/topurchase/[natip]': ['MANAGE_NATIPS'],
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/purchased': natIps,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/natips/purchased/[natip]': ['MANAGE_NATIPS'],
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules':
    machineRules,
  'POST /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules':
    ['VAPP_CUSTOMISE_SETTINGS'],
  'GET /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]':
    machineRules,
  'PUT /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]':
    ['VAPP_CUSTOMISE_SETTINGS'],
  'DELETE /api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]':
    ['VAPP_CUSTOMISE_SETTINGS'],
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/addresshistory': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/allips': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/check': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/checkcounts': details,
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/explain': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/ipposition': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/ipstates': details,
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/changeips': ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/deleteips': ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/attachips': ['MANAGE_NATIPS'],
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/releaseips': ['MANAGE_NATIPS'],
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/changerules': ['VAPP_CUSTOMISE_SETTINGS'],
  'POST /api/admin/datacenters/[datacenter]/natnetworks/action/deleterules': ['VAPP_CUSTOMISE_SETTINGS'],
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/action/addressmap': details,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/[natnetwork]/action/usehistory': networks,
  'GET /api/admin/datacenters/[datacenter]/setasides': details,
  'POST /api/admin/datacenters/[datacenter]/setasides': none,
  'GET /api/admin/datacenters/[datacenter]/setasides/[setaside]': details,
  'PUT /api/admin/datacenters/[datacenter]/setasides/[setaside]': none,
  'DELETE /api/admin/datacenters/[datacenter]/setasides/[setaside]': none,
  'GET /api/admin/natnetworks': networks,
  'GET /api/admin/natnetworks/action/addresshistory': details,
  'GET /api/admin/natnetworks/action/allips': details,
  'GET /api/admin/natnetworks/action/allrules': details,
  'GET /api/admin/natnetworks/action/ipposition': details,
  'GET /api/admin/natnetworks/action/ipstates': details,
  'GET /api/admin/natnetworks/action/checkcounts': details,
  'GET /api/admin/natnetworks/action/use': networks,
  'GET /api/admin/datacenters/[datacenter]/natnetworks/action/allrules': details,

  'GET /api/admin/enterprises': enterprises,
  'POST /api/admin/enterprises': ['USERS_MANAGE_ENTERPRISE'],
  'GET /api/admin/enterprises/[enterprise]': enterprises,
  'PUT /api/admin/enterprises/[enterprise]': ['USERS_MANAGE_ENTERPRISE'],
  'DELETE /api/admin/enterprises/[enterprise]': ['USERS_MANAGE_ENTERPRISE'],
  'GET /api/admin/enterprises/[enterprise]/properties': enterprises,
  'PUT /api/admin/enterprises/[enterprise]/properties': ['USERS_MANAGE_ENTERPRISE'],
  'GET /api/admin/enterprises/[enterprise]/users': users,
  'POST /api/admin/enterprises/[enterprise]/users': ['USERS_MANAGE_USERS'],
  'POST /api/admin/enterprises/[enterprise]/users/action/changeusers': ['USERS_MANAGE_USERS'],
  'GET /api/admin/enterprises/[enterprise]/users/action/counts': users,
  'POST /api/admin/enterprises/[enterprise]/users/action/deleteusers': ['USERS_MANAGE_USERS'],
  'GET /api/admin/enterprises/[enterprise]/users/[user]': users,
  'PUT /api/admin/enterprises/[enterprise]/users/[user]': ['USERS_MANAGE_USERS'],
  'DELETE /api/admin/enterprises/[enterprise]/users/[user]': ['USERS_MANAGE_USERS'],
  'GET /api/admin/enterprises/[enterprise]/users/[user]/action/pendingtasks': users,
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/enable2fa': 'user',
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/disable2fa': 'user',
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/seeas': 'console',
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/reset2fa': ['USERS_MANAGE_USERS'],
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/invite': ['USERS_MANAGE_USERS'],
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications': applications,
  'POST /api/admin/enterprises/[enterprise]/users/[user]/applications': applications,
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]': applications,
  'DELETE /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]': applications,
  'POST /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]/action/rotatesecret':
    applications,
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]/signaturefailures':
    applications,
  'GET /api/admin/enterprises/[enterprise]/users/[user]/tokens': ['USERS_MANAGE_USERS'],
  'POST /api/admin/enterprises/[enterprise]/users/[user]/tokens': ['USERS_MANAGE_USERS'],
  'GET /api/admin/enterprises/[enterprise]/users/[user]/tokens/[token]': ['USERS_MANAGE_USERS'],
  'DELETE /api/admin/enterprises/[enterprise]/users/[user]/tokens/[token]': ['USERS_MANAGE_USERS'],
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/scratchcodes': 'user',
  'GET /api/admin/roles': roles,
  'POST /api/admin/roles': ['USERS_MANAGE_ROLES'],
  'POST /api/admin/roles/[role]/action/impact': ['USERS_MANAGE_ROLES'],
  'GET /api/admin/roles/[role]': roles,
  'PUT /api/admin/roles/[role]': ['USERS_MANAGE_ROLES'],
  'DELETE /api/admin/roles/[role]': ['USERS_MANAGE_ROLES'],
  'GET /api/admin/roles/[role]/action/privileges': roles,
  'GET /api/admin/webhooks': ['SYSCONFIG_VIEW'],
  'POST /api/admin/webhooks': ['SYSCONFIG_ALLOW_MODIFY'],
  'GET /api/admin/webhooks/[webhook]': ['SYSCONFIG_VIEW'],
  'PUT /api/admin/webhooks/[webhook]': ['SYSCONFIG_ALLOW_MODIFY'],
  'DELETE /api/admin/webhooks/[webhook]': ['SYSCONFIG_ALLOW_MODIFY'],
  'POST /api/admin/webhooks/[webhook]/action/rotatesecret': ['SYSCONFIG_ALLOW_MODIFY'],
  'POST /api/admin/webhooks/[webhook]/action/test': ['SYSCONFIG_ALLOW_MODIFY'],
  'GET /api/admin/webhooks/[webhook]/deliveries': ['SYSCONFIG_VIEW'],
  'GET /api/admin/webhooks/[webhook]/deliveries/[delivery]': ['SYSCONFIG_VIEW'],
  'GET /api/config/privileges': 'user',
  'GET /api/config/scim': ['SYSCONFIG_VIEW'],
  'GET /api/config/signin': ['SYSCONFIG_VIEW'],
  'GET /api/config/signin/trial': ['SYSCONFIG_VIEW'],
  'GET /api/config/privileges/[privilege]': 'user',

  'GET /scim/v2': ['USERS_VIEW', 'USERS_MANAGE_USERS', ...roles],
  'POST /scim/v2/.search': ['USERS_VIEW', 'USERS_MANAGE_USERS', ...roles],
  'POST /scim/v2/Bulk': 'user',
  'GET /scim/v2/Groups': roles,
  'POST /scim/v2/Groups': ['USERS_MANAGE_ROLES'],
  'POST /scim/v2/Groups/.search': roles,
  'GET /scim/v2/Groups/[role]': roles,
  'PUT /scim/v2/Groups/[role]': ['USERS_MANAGE_ROLES', 'USERS_MANAGE_USERS'],
  'PATCH /scim/v2/Groups/[role]': ['USERS_MANAGE_ROLES', 'USERS_MANAGE_USERS'],
  'DELETE /scim/v2/Groups/[role]': ['USERS_MANAGE_ROLES', 'USERS_MANAGE_USERS'],
  'GET /scim/v2/Me': 'user',
  'POST /scim/v2/Me': 'user',
  'PUT /scim/v2/Me': 'user',
  'PATCH /scim/v2/Me': 'user',
  'DELETE /scim/v2/Me': 'user',
  'GET /scim/v2/ResourceTypes': 'user',
  'GET /scim/v2/ResourceTypes/[type]': 'user',
  'GET /scim/v2/Schemas': 'user',
  'GET /scim/v2/Schemas/[schema]': 'user',
  'GET /scim/v2/ServiceProviderConfig': 'user',
  'GET /scim/v2/Users': ['USERS_VIEW', 'USERS_MANAGE_USERS'],
  'POST /scim/v2/Users': ['USERS_MANAGE_USERS'],
  'POST /scim/v2/Users/.search': ['USERS_VIEW', 'USERS_MANAGE_USERS'],
  'GET /scim/v2/Users/[user]': ['USERS_VIEW', 'USERS_MANAGE_USERS'],
  'PUT /scim/v2/Users/[user]': ['USERS_MANAGE_USERS'],
  'PATCH /scim/v2/Users/[user]': ['USERS_MANAGE_USERS'],
  'DELETE /scim/v2/Users/[user]': ['USERS_MANAGE_USERS'],
}

const operations = (routes: Route[]): string[] =>
  routes
    .filter(({ path }) => !path.includes('[...'))
    .flatMap(({ path, handlers }) => Object.keys(handlers).map((method) => `${method} ${path}`))
    .sort()

let specs: Map<string, Described>
let enterpriseId = 0

beforeAll(async () => {
  enterpriseId = (await newEnterprise()).id
  const described = (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).map(([method, { spec }]) => [`${method} ${path}`, spec] as const),
  )
  specs = new Map(described)
})

const persons = new Map<string, Promise<User>>()

/** The user with these privileges: one for all operations. */
function personWith(privileges: readonly Privilege[]): Promise<User> {
  const key = privileges.join()
  const person = persons.get(key) ?? newUser({ enterpriseId, privileges })
  persons.set(key, person)
  return person
}

/** True if the declaration grants the operation to a caller with Basic and this privilege alone. */
function isGrantedTo(operation: string, privilege: Privilege | 'none'): boolean {
  const spec = specs.get(operation)
  if (!spec || spec.kind === 'open') return true
  const privileges = new Set(privilege === 'none' ? [] : [privilege])
  const scope = { id: 0, allDatacenters: true, allEnterprises: true }
  return !spec.who.inConsole && isGranted(spec.who, { id: 1, nick: '', enterpriseId, scope, privileges }, {})
}

/** Sends an empty document for ids that do not exist: an authorized caller gets 200, 204, 400 or 404. */
async function send(operation: string, as: User | null): Promise<Response> {
  const [method = '', path = ''] = operation.split(' ')
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined
  // A single privilege never suffices to change users of another enterprise.
  const place = path.includes('/users') ? path.replace('[enterprise]', String(enterpriseId)) : path
  return call(method, place.replaceAll(/\[\w+\]/g, '999999999'), { as, body })
}

const isRefused = ({ status }: Response) => status === 401 || status === 403

test('the table lists exactly the existing operations', async () => {
  expect(operations(await loadRoutes())).toEqual(Object.keys(table).sort())
})

describe.each(Object.entries(table))('%s', (operation, grant) => {
  test('without credentials is 401, unless the operation is open', async () => {
    const response = await send(operation, null)
    if (grant === 'open') expect(isRefused(response)).toBe(false)
    else
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Token .*Basic /),
      ])
  })

  const everyone = ['none', ...allPrivileges] as const
  const isListed = typeof grant !== 'string'
  const enough = isListed ? [...grant] : grant === 'console' ? [] : everyone

  test('declares exactly the listed privileges', () => {
    const granted = everyone.filter((privilege) => isGrantedTo(operation, privilege))
    expect(granted.toSorted()).toEqual([...enough].sort())
  })

  test('is granted by one of them, and by all others together refused', async () => {
    const [one] = enough
    if (one !== undefined) {
      const { status } = await send(operation, await personWith(one === 'none' ? [] : [one]))
      expect([200, 201, 204, 303, 400, 404, 409, 429, 501]).toContain(status)
    }
    if (one === 'none') return
    const others = isListed && one ? allPrivileges.filter((privilege) => !grant.includes(privilege)) : []
    const refused = await send(operation, await personWith(others))
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      403,
      expect.stringMatching(operation.includes(' /scim/') ? /^application\/scim\+json/ : /^text\/html/),
    ])
  })
})

test('callers without the privilege get 403 whether or not the resource exists', async () => {
  const as = await personWith(['VDC_ENUMERATE'])
  for (const path of [
    '/api/admin/scopes/1',
    '/api/admin/scopes/999999999',
    '/api/admin/scopes/abc',
    '/api/admin/scopes/0',
  ])
    expect((await call('GET', path, { as })).status).toBe(403)
})

test('all users read themselves and their own enterprise, and nothing else (docs/api/authorization.md, "Own user")', async () => {
  const [one, other] = [await newUser({ privileges: [] }), await newUser({ privileges: [] })]
  const statusOf = async (path: string) =>
    (await call('GET', `/api/admin/enterprises/${path}`, { as: one })).status
  expect(await statusOf(`${one.enterpriseId}`)).toBe(200)
  expect(await statusOf(`${other.enterpriseId}`)).toBe(403)
  expect(await statusOf(`${one.enterpriseId}/users/${one.id}`)).toBe(200)
  expect(await statusOf(`${other.enterpriseId}/users/${other.id}`)).toBe(403)
  expect(await statusOf(`${one.enterpriseId}/users`)).toBe(403)
})
