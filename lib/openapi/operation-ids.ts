import { mediaNames } from '#lib/ground/http/view'

/* Operation ids, which become function names in generated clients: verb and noun, at most 40 characters. They never change. */

/** The nouns of collections with compound words or with several paths. */
const nouns: Record<string, string> = {
  access_token: 'AccessToken',
  authorizations: 'Authorizations',
  devicetypes: 'DeviceTypes',
  ips: 'NatIps',
  natips: 'VirtualDatacenterNatIps',
  natnetworks: 'NatNetworks',
  natrules: 'NatRules',
  network: 'PrivateNetworks',
  privateips: 'PrivateIps',
  properties: 'EnterpriseProperties',
  remoteservices: 'RemoteServices',
  request_token: 'RequestToken',
  signaturefailures: 'SignatureFailures',
  setasides: 'NatSetAsides',
  tiers: 'StorageTiers',
  virtualappliances: 'VirtualAppliances',
  virtualdatacenters: 'VirtualDatacenters',
  virtualmachines: 'VirtualMachines',
  virtualmachinetemplates: 'VirtualMachineTemplates',
}

/** Operations whose name does not follow from method and collection. */
const named: Record<string, string> = {
  'GET /admin/datacenters/{datacenter}/natnetworks/action/addresshistory': 'listHoldingsOfAddress',
  'GET /admin/datacenters/{datacenter}/natnetworks/action/allips': 'listNatIpsOfDatacenter',
  'GET /admin/datacenters/{datacenter}/natnetworks/action/allrules': 'listNatRulesOfDatacenter',
  'GET /admin/datacenters/{datacenter}/natnetworks/action/check': 'checkNat',
  'GET /admin/datacenters/{datacenter}/natnetworks/action/checkcounts': 'countNatFindings',
  'GET /admin/datacenters/{datacenter}/natnetworks/action/ipposition': 'getNatIpPosition',
  'GET /admin/datacenters/{datacenter}/natnetworks/{natnetwork}/action/addressmap': 'getAddressMap',
  'GET /admin/datacenters/{datacenter}/natnetworks/{natnetwork}/action/usehistory': 'getNatUseHistory',
  'GET /admin/datacenters/{datacenter}/natnetworks/{natnetwork}/ips/{natip}/rules': 'listNatRulesOfNatIp',
  'GET /admin/datacenters/{datacenter}/natnetworks/{natnetwork}/rules': 'listNatRulesOfNatNetwork',
  'POST /admin/datacenters/{datacenter}/natnetworks/action/attachips': 'attachNatIps',
  'POST /admin/datacenters/{datacenter}/natnetworks/action/changeips': 'updateNatIps',
  'POST /admin/datacenters/{datacenter}/natnetworks/action/explain': 'explainNat',
  'POST /admin/datacenters/{datacenter}/natnetworks/action/deleteips': 'deleteNatIps',
  'POST /admin/datacenters/{datacenter}/natnetworks/action/deleterules': 'deleteNatRules',
  'POST /admin/datacenters/{datacenter}/natnetworks/action/releaseips': 'releaseNatIps',
  'POST /jobs/{job}/action/stop': 'stopJob',
  'GET /jobs/{job}/report': 'getReportOfJob',
  'POST /access/action/explain': 'explainAccess',
  'GET /access/action/who': 'listUsersWhoMay',
  'GET /admin/natnetworks': 'listAllNatNetworks',
  'GET /events/{event}/after': 'getDocumentAfterEvent',
  'GET /events/{event}/before': 'getDocumentBeforeEvent',
  'POST /events/{event}/action/undo': 'undoEvent',
  'GET /admin/natnetworks/action/addresshistory': 'listAllHoldingsOfAddress',
  'GET /admin/natnetworks/action/allips': 'listAllNatIps',
  'GET /admin/natnetworks/action/allrules': 'listAllNatRules',
  'GET /admin/natnetworks/action/ipposition': 'getPositionAmongAllNatIps',
  'GET /admin/natnetworks/action/ipstates': 'getStatesOfAllNatIps',
  'GET /admin/natnetworks/action/checkcounts': 'listNatChecks',
  'GET /admin/natnetworks/action/use': 'listNatUse',
  'POST /admin/enterprises/{enterprise}/users/action/changeusers': 'updateUsers',
  'GET /admin/enterprises/{enterprise}/users/action/counts': 'countUsers',
  'POST /admin/enterprises/{enterprise}/users/action/deleteusers': 'deleteUsers',
  'POST /admin/enterprises/{enterprise}/users/{user}/action/disable2fa': 'disableTwoFactor',
  'POST /admin/enterprises/{enterprise}/users/{user}/action/enable2fa': 'enableTwoFactor',
  'GET /admin/enterprises/{enterprise}/users/{user}/action/pendingtasks': 'listPendingTasks',
  'POST /admin/enterprises/{enterprise}/users/{user}/action/reset2fa': 'resetTwoFactor',
  'POST /admin/enterprises/{enterprise}/users/{user}/action/scratchcodes': 'createScratchCodes',
  'GET /admin/enterprises/{enterprise}/users/{user}/action/virtualmachines': 'listVirtualMachinesOfUser',
  'POST /admin/enterprises/{enterprise}/users/{user}/applications/{application}/action/rotatesecret':
    'rotateApplicationSecret',
  'GET /admin/roles/{role}/action/privileges': 'listPrivilegesOfRole',
  'POST /admin/roles/{role}/action/impact': 'predictRoleImpact',
  'POST /admin/scopes/{scope}/action/impact': 'predictScopeImpact',
  'GET /admin/scopes/action/tree': 'listScopeTree',
  'GET /admin/webhooks/{webhook}/deliveries': 'listWebhookDeliveries',
  'GET /admin/webhooks/{webhook}/deliveries/{delivery}': 'getWebhookDelivery',
  'POST /admin/webhooks/{webhook}/action/rotatesecret': 'rotateWebhookSecret',
  'POST /admin/webhooks/{webhook}/action/test': 'testWebhook',
  'GET /events/action/summary': 'getEventSummary',
  'GET /export': 'exportCloud',
  'POST /plans': 'createPlan',
  'GET /plans/{plan}': 'readPlan',
  'POST /plans/{plan}/action/apply': 'applyPlan',
  'GET /events/stream': 'followEvents',
  'GET /auth/oidc/callback': 'finishOidcSignIn',
  'GET /auth/oidc/login': 'startOidcSignIn',
  'GET /auth/oidc/logout': 'signOutOfOidc',
  'POST /auth/oidc/refresh': 'refreshOidcTokens',
  'POST /auth/saml/acs': 'consumeSamlAssertion',
  'GET /auth/saml/finish': 'finishSamlSignIn',
  'GET /auth/saml/login': 'startSamlSignIn',
  'GET /auth/saml/logout': 'signOutOfSaml',
  'POST /auth/saml/logout': 'receiveSamlLogout',
  'GET /auth/saml/metadata': 'getSamlMetadata',
  'PUT /cloud/virtualdatacenters/{virtualdatacenter}/natips/{natip}': 'updateDefaultSnat',
  'GET /cloud/natips': 'listAllAttachedNatIps',
  'GET /cloud/virtualdatacenters/{virtualdatacenter}/natips/{natip}/rules': 'listNatRulesOfAttachedNatIp',
  'GET /cloud/virtualdatacenters/{virtualdatacenter}/natips/purchased': 'listAttachedNatIps',
  'PUT /cloud/virtualdatacenters/{virtualdatacenter}/natips/purchased/{natip}': 'releaseNatIp',
  'GET /cloud/virtualdatacenters/{virtualdatacenter}/natips/topurchase': 'listAttachableNatIps',
  'PUT /cloud/virtualdatacenters/{virtualdatacenter}/natips/topurchase/{natip}': 'attachNatIp',
  'GET /cloud/devices': 'listAllDevices',
  'GET /cloud/locations/{datacenter}/devices/{device}/change': 'getDeviceChange',
  'POST /cloud/locations/{datacenter}/devices/{device}/action/change': 'beginDeviceChange',
  'POST /cloud/locations/{datacenter}/devices/{device}/action/confirm': 'confirmDeviceChange',
  'POST /cloud/locations/{datacenter}/devices/{device}/action/cancel': 'cancelDeviceChange',
  'GET /cloud/virtualmachines': 'listAllVirtualMachines',
  'GET /config/signin': 'getSignInMechanisms',
  'GET /config/signin/trial': 'getSignInTrial',
  'GET /login': 'login',
  'POST /logout': 'logout',
  'GET /oauth/authorize': 'getAuthorization',
  'POST /oauth/authorize': 'authorize',
  'GET /openapi.json': 'getOpenApi',
  'POST /session/code/mail': 'mailCode',
  'POST /session/code': 'proveCode',
  'POST /session/consent': 'answerConsent',
  'POST /session/passkey/options': 'getPasskeyOptions',
  'GET /session/passkeys': 'listOwnPasskeys',
  'POST /session/passkeys': 'createOwnPasskey',
  'POST /session/passkeys/action/options': 'getNewPasskeyOptions',
  'PUT /session/passkeys/{passkey}': 'updateOwnPasskey',
  'DELETE /session/passkeys/{passkey}': 'deleteOwnPasskey',
  'PUT /session/password': 'updateOwnPassword',
  'POST /session/passwordreset': 'requestPasswordReset',
  'PUT /session/passwordreset': 'resetPassword',
  'GET /session/search': 'search',
  'GET /session/sessions': 'listOwnSessions',
  'DELETE /session/sessions': 'deleteOtherSessions',
  'DELETE /session/sessions/{session}': 'deleteOwnSession',
  'GET /session/tokens': 'getProviderTokens',
  'GET /session/ways': 'getSignInWays',
  'GET /healthz': 'getHealth',
  'GET /readyz': 'getReadiness',
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const verbs: Record<string, string> = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' }

/** `GET …/privateips` → listPrivateIps, `PUT …/privateips/{privateip}` → updatePrivateIp. OAuth's operations at the root end in AtRoot. */
export function operationId(method: string, path: string, answers = ''): string {
  const below = path.replace(/^\/api(?=\/)/, '')
  const atRoot = path.startsWith('/oauth/') ? 'AtRoot' : ''
  const parts = below.split('/')
  const isOne = parts.at(-1)?.startsWith('{') ?? false
  const collection = parts.at(isOne ? -2 : -1) ?? ''
  const plural = nouns[collection] ?? capitalized(collection)
  const isWhole = !isOne && (method === 'GET' || method === 'PUT')
  const isList = method === 'GET' && answers in mediaNames && mediaNames[answers as keyof typeof mediaNames]
  const derived = `${isList ? 'list' : verbs[method]}${isWhole ? plural : plural.replace(/s$/, '')}`
  return (named[`${method} ${below}`] ?? derived) + atRoot
}
