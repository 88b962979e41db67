/* The subjects of operations: the groups of the API's reference and of the command line's manual. */

type Tag = { name: string; description: string; paths: RegExp }

/** In the order of the manual. The first one that fits the path of an operation is its tag. */
const all: Tag[] = [
  {
    name: 'access',
    description: 'Who may do something, and why.',
    paths: /\/access\/|\/seeas$/,
  },
  {
    name: 'access tokens',
    description: 'Tokens of users and service accounts.',
    paths: /\/users\/\{user\}\/tokens/,
  },
  {
    name: 'applications',
    description: 'OAuth applications.',
    paths: /\/applications/,
  },
  {
    name: 'datacenters',
    description: 'Datacenters, and what is in them.',
    paths:
      /\/(racks|remoteservices)|\/(datacenters(\/\{datacenter\})?|network|tiers|locations(\/\{datacenter\})?)$/,
  },
  {
    name: 'devices',
    description: 'Devices, their gateways, and changes of them that go back unless they are confirmed.',
    paths: /\/device(s|types)/,
  },
  {
    name: 'ends',
    description: 'What ends by itself soon.',
    paths: /\/ends$/,
  },
  {
    name: 'enterprises',
    description: 'Enterprises and their properties.',
    paths: /\/enterprises(\/\{enterprise\}(\/properties)?)?$/,
  },
  {
    name: 'events',
    description: 'What happened, as it happens, and back again.',
    paths: /\/events/,
  },
  {
    name: 'jobs',
    description: 'Changes that go on after their request.',
    paths: /\/jobs/,
  },
  {
    name: 'NAT IPs',
    description: 'The IPs of NAT networks, and who holds them.',
    paths:
      /\/natips|\/(ips(\/\{natip\})?|allips|attachips|changeips|deleteips|ipposition|ipstates|releaseips|addresshistory)$/,
  },
  {
    name: 'NAT rules',
    description: 'What the NAT translates.',
    paths: /\/natrules|\/(rules|allrules|changerules|deleterules)$/,
  },
  {
    name: 'NAT networks',
    description: 'NAT networks, their use, and the check of the NAT.',
    paths: /\/(natnetworks|setasides)/,
  },
  {
    name: 'OAuth 1.0a',
    description: 'Three steps from a request token to an access token (RFC 5849).',
    paths: /\/oauth\//,
  },
  {
    name: 'OpenID Connect',
    description: 'Sign-in at a provider of OpenID Connect.',
    paths: /\/auth\/oidc\//,
  },
  {
    name: 'own account',
    description: 'What users may do for themselves in the console.',
    paths:
      /\/session\/(authorizations|code|consent|enrolment|passkeys|password$|preferences|proof|search|sessions|tokens)/,
  },
  {
    name: 'plans',
    description: 'Say what should be, see the difference, and apply it.',
    paths: /\/(plans|export)/,
  },
  {
    name: 'roles',
    description: 'Roles and their privileges.',
    paths: /\/(roles|privileges)/,
  },
  {
    name: 'SAML',
    description: 'Sign-in at an identity provider of SAML 2.0.',
    paths: /\/auth\/saml\//,
  },
  {
    name: 'scopes',
    description: 'The tree of scopes: who may see which enterprises and datacenters.',
    paths: /\/scopes/,
  },
  {
    name: 'service',
    description:
      'The service itself: whether it answers, its version, its sign-in mechanisms, the use of SCIM.',
    paths: /\/(healthz|readyz|metrics|version|openapi\.json|scim|signin(\/trial)?)$/,
  },
  {
    name: 'sign-in',
    description: 'In and out, by password, code or passkey.',
    paths:
      /\/(login|logout|session(\/(invitation(\/options)?|passkey\/options|passwordreset|twofactorreset|ways))?)$/,
  },
  {
    name: 'tags',
    description: 'The tags of all resources.',
    paths: /\/tags$/,
  },
  {
    name: 'two factor',
    description: 'Two factor authentication of a user.',
    paths: /\/action\/(\w+2fa|scratchcodes)$/,
  },
  {
    name: 'users',
    description: 'Users of enterprises.',
    paths: /\/users/,
  },
  {
    name: 'virtual datacenters',
    description: 'Virtual datacenters, their virtual appliances and private IPs.',
    paths:
      /\/privateips|\/(virtualdatacenters(\/\{virtualdatacenter\})?|virtualappliances(\/\{virtualappliance\})?)$/,
  },
  {
    name: 'virtual machines',
    description: 'Virtual machines and their templates.',
    paths: /\/virtualmachine(s|templates)/,
  },
  {
    name: 'webhooks',
    description: 'Events that are sent to other programs.',
    paths: /\/webhooks/,
  },
]

/** The tags of an OpenAPI document (OpenAPI 3.1 §4.8.22). */
export const tags = all.map(({ name, description }) => ({ name, description }))

/** The subject of a path's operations. Throws if no tag fits: a new path must name its group. */
export function tagOf(path: string): string {
  const tag = all.find(({ paths }) => paths.test(path))
  if (!tag) throw new Error(`No tag of lib/openapi/tags.ts fits ${path}`)
  return tag.name
}
