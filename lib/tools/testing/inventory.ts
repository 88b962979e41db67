import { call, expectStatus, newEnterprise, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'

/* The inventory as clients make it, through the front door. */

export const VIRTUAL_DATACENTERS = '/api/cloud/virtualdatacenters'

export const refer = (rel: string, path: string) => ({ rel, href: `${ORIGIN}${path}` })

export const enterpriseLink = (id: number) => refer('enterprise', `/api/admin/enterprises/${id}`)

export const locationLink = (id: number) => refer('location', `/api/cloud/locations/${id}`)

export const centerPath = (id: number): string => `${VIRTUAL_DATACENTERS}/${id}`

export const appliancesPath = (center: number): string => `${centerPath(center)}/virtualappliances`

export const machinesPath = (center: number, appliance: number): string =>
  `${appliancesPath(center)}/${appliance}/virtualmachines`

export const privateIpsPath = (center: number): string => `${centerPath(center)}/privateips`

export const templatesPath = (enterprise: number, datacenter: number): string =>
  `/api/admin/enterprises/${enterprise}/datacenterrepositories/${datacenter}/virtualmachinetemplates`

export const scopeLink = (id: number) => refer('scope', `/api/admin/scopes/${id}`)

export const hrefOf = (
  document: { links: { rel: string; href: string }[] },
  rel: string,
): string | undefined => document.links.find((link) => link.rel === rel)?.href

export const nicLink = (number: number | '', center: number, privateIp: number) =>
  refer(`nic${number}`, `${privateIpsPath(center)}/${privateIp}`)

type CenterPlace = { enterprise?: number; datacenter?: number }

/** A virtual datacenter, in a new enterprise and a new datacenter by default. */
export async function newCenter({ enterprise, datacenter, as }: CenterPlace & { as?: User } = {}) {
  const place = {
    enterprise: enterprise ?? (await newEnterprise()).id,
    datacenter: datacenter ?? (await newDatacenter()).id,
  }
  const links = [enterpriseLink(place.enterprise), locationLink(place.datacenter)]
  const body = { name: unique('Virtual datacenter'), links }
  const document = await expectStatus(201, call('POST', VIRTUAL_DATACENTERS, { body, ...(as && { as }) }))
  return { ...place, id: document.id as number, document }
}

/** An appliance, in a new virtual datacenter by default. */
export async function newAppliance(place: CenterPlace & { center?: number } = {}) {
  const center = place.center ?? (await newCenter(place)).id
  const body = { name: unique('Appliance') }
  const document = await expectStatus(201, call('POST', appliancesPath(center), { body }))
  return { center, id: document.id as number, document }
}

export async function newPrivateIp(center: number, ip: string): Promise<number> {
  return (await expectStatus(201, call('POST', privateIpsPath(center), { body: { ip } }))).id
}

export async function newTemplateOf(enterprise: number, datacenter: number, scope?: number) {
  const links = scope === undefined ? [] : [scopeLink(scope)]
  const body = { name: unique('Template'), links }
  const path = templatesPath(enterprise, datacenter)
  const document = await expectStatus(201, call('POST', path, { body }))
  const own = `${path}/${document.id}`
  return { id: document.id as number, path: own, link: refer('virtualmachinetemplate', own), document }
}

/** The names or addresses of a list, in its order. */
export async function listed(path: string, field = 'name', as?: User): Promise<unknown[]> {
  const { collection } = await expectStatus(200, call('GET', path, { ...(as && { as }) }))
  return collection.map((item: Record<string, unknown>) => item[field])
}

/** The events about one resource, in order. */
export async function eventsOf(entity: string, id: number, as?: User) {
  const answer = call('GET', `/api/events?entity=${entity}&entityid=${id}`, { ...(as && { as }) })
  return (await expectStatus(200, answer)).collection
}

/** Writes the document's XML back, and expects the same document. Returns the XML. */
export async function requireSameInXml(path: string, name: string): Promise<string> {
  const accept = { accept: `application/vnd.service.${name}+xml` }
  const xml: string = await expectStatus(200, call('GET', path, { headers: accept }))
  const headers = { ...accept, 'content-type': accept.accept }
  const back = await expectStatus(200, call('PUT', path, { body: xml, headers }))
  if (back !== xml) throw new Error(`${xml}\nbecame\n${back}`)
  return xml
}

/** An appliance with everything that its machines need. */
export async function newPlace() {
  const at = await newCenter()
  const appliance = await newAppliance({ center: at.id })
  const machines = machinesPath(at.id, appliance.id)
  const post = (body: object, as?: User) => call('POST', machines, { body, ...(as && { as }) })
  const make = async (body: object = {}) => {
    const document = await expectStatus(201, post({ name: unique('Machine'), ...body }))
    return { document, id: document.id as number, path: `${machines}/${document.id}` }
  }
  return { ...at, center: at.id, appliance, machines, post, make }
}

/** The nic links of a machine: number and address. */
export const nicsOf = (document: { links: { rel: string; title?: string }[] }) =>
  document.links.filter(({ rel }) => rel.startsWith('nic')).map(({ rel, title }) => `${rel} ${title}`)
