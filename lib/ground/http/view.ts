import { z } from 'zod'

/** In XML the fields of a link are attributes. */
const attribute = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ description, xml: { attribute: true } })

/** A link as clients see it. Page links and actions have no `type`. */
const linkDocument = z
  .object({
    title: attribute(z.string().optional(), 'The name of the target'),
    rel: attribute(z.string(), 'What the target is to this document'),
    type: attribute(z.string().optional(), 'The media type of the target'),
    href: attribute(z.string(), 'The absolute address of the target'),
  })
  .meta({ id: 'link', xml: { name: 'link' } })
export type LinkDocument = z.infer<typeof linkDocument>

export const links = z.array(linkDocument)

/** A collection as clients see it (docs/api/lists.md, "Paging"). */
export type Collection<T> = { links: LinkDocument[]; collection: T[]; totalSize: number }

/** The link with this rel, or undefined. */
export const linkOf = (document: { links: readonly LinkDocument[] }, rel: string): LinkDocument | undefined =>
  document.links.find((link) => link.rel === rel)

/** A document's link to itself. */
export function ownLink(document: unknown): LinkDocument | undefined {
  if (typeof document !== 'object' || document === null || !('links' in document)) return undefined
  const links = document.links as LinkDocument[]
  return linkOf({ links }, 'edit') ?? linkOf({ links }, 'self')
}

/** The id that ends a link's path: `…/scopes/7` → 7. */
export const idOfLink = (link: Pick<LinkDocument, 'href'> | undefined): number | undefined => {
  const id = Number(link?.href.split('?', 1)[0]?.split('/').at(-1))
  return Number.isSafeInteger(id) ? id : undefined
}

/** The id and name of a resource. */
export type Named = { id: number; name: string }

/** The id and name of the target of this link, or undefined. */
export function namedBy(document: { links: readonly LinkDocument[] }, rel: string): Named | undefined {
  const link = linkOf(document, rel)
  const id = idOfLink(link)
  return id === undefined ? undefined : { id, name: link?.title ?? String(id) }
}

/**
 * Inside the server a link has a path below the base URL and the plain name of a media type. Rendering makes the path absolute and
 * turns the name into a vendor type.
 */
export function link(rel: string, path: string, type?: MediaName, title?: string | null): LinkDocument {
  // Most of a page is links, and objects that are spread take three times as long.
  const present: LinkDocument = { rel, href: path }
  if (type) present.type = type
  if (title) present.title = title
  return present
}

/** No link if the id is null: the resource does not exist, or the caller cannot see it. */
export const linkIf = (id: number | null, present: LinkDocument): LinkDocument[] =>
  id === null ? [] : [present]

/** Every media type name. For a list the value is the name of its items, which is also their XML element. */
export const mediaNames = {
  accessexplanation: null,
  accessquestion: null,
  accesstoken: null,
  accesstokens: 'accesstoken',
  addressmap: null,
  application: null,
  applications: 'application',
  authorization: null,
  authorizations: 'authorization',
  bulkchange: null,
  bulkreport: null,
  code: null,
  consent: null,
  consentanswer: null,
  consentdestination: null,
  datacenter: null,
  datacenters: 'datacenter',
  device: null,
  devices: 'device',
  devicechange: null,
  devicestate: null,
  devicetype: null,
  devicetypes: 'devicetype',
  end: null,
  ends: 'end',
  enterprise: null,
  enterpriseproperties: null,
  enterprises: 'enterprise',
  errors: 'error',
  event: null,
  eventrow: null,
  eventrows: 'eventrow',
  events: 'event',
  eventsummary: null,
  invitation: null,
  invitationanswer: null,
  invitationtoken: null,
  ipsbulkcreation: null,
  export: null,
  job: null,
  jobs: 'job',
  location: null,
  locations: 'location',
  natchecks: 'natcheck',
  natexplanation: null,
  natfinding: null,
  natfindingcounts: null,
  natfindings: 'natfinding',
  natip: null,
  natipholding: null,
  natipholdings: 'natipholding',
  natipposition: null,
  natipstates: null,
  natips: 'natip',
  natnetwork: null,
  natnetworks: 'natnetwork',
  natpacket: null,
  natrule: null,
  natrules: 'natrule',
  natsetaside: null,
  natsetasides: 'natsetaside',
  natusehistory: null,
  nattranslations: null,
  natuses: 'natuse',
  passkey: null,
  passkeycreation: null,
  passkeyoptions: null,
  passkeyrequest: null,
  passkeys: 'passkey',
  passwordchange: null,
  passwordreset: null,
  proof: null,
  passwordresetrequest: null,
  twofactorresetrequest: null,
  preferences: null,
  plan: null,
  privateip: null,
  privateips: 'privateip',
  privilege: null,
  privileges: 'privilege',
  providertokens: null,
  rack: null,
  racks: 'rack',
  remoteservice: null,
  remoteservices: 'remoteservice',
  role: null,
  roleimpact: null,
  roles: 'role',
  scim: null,
  scimstatus: null,
  scope: null,
  scopeimpact: null,
  scopes: 'scope',
  scopetreenodes: 'scopetreenode',
  searchhits: 'searchhit',
  tag: null,
  tags: 'tag',
  session: null,
  signaturefailures: 'signaturefailure',
  signinmechanisms: null,
  signintrial: null,
  signinways: null,
  tasks: 'task',
  tiers: 'tier',
  twofactorauthcredentials: null,
  twofactorauthprovider: null,
  twofactorreset: null,
  user: null,
  usercounts: 'usercount',
  userinvitation: null,
  users: 'user',
  usersession: null,
  usersessions: 'usersession',
  virtualappliance: null,
  virtualappliances: 'virtualappliance',
  virtualdatacenter: null,
  virtualdatacenters: 'virtualdatacenter',
  virtualmachine: null,
  virtualmachines: 'virtualmachine',
  virtualmachinetemplate: null,
  virtualmachinetemplates: 'virtualmachinetemplate',
  vlans: 'vlan',
  webhook: null,
  webhookdeliveries: 'webhookdelivery',
  webhookdelivery: null,
  webhooks: 'webhook',
} as const satisfies Record<string, string | null>

export type MediaName = keyof typeof mediaNames
