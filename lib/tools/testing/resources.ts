import { dayIn } from '#lib/cloud/nat/set-asides.schema'
import { call, expectStatus, newEnterprise, ORIGIN, unique } from '#lib/tools/testing/client'
import { deviceLink, networksPath, newDatacenter, newDevice, newNetwork } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { newScope, ofEnterprise, parentLink } from '#lib/tools/testing/scopes'

/** A resource as a client meets it: its media type, the address of its list, and a document to create one with. */
export type Resource = {
  name: string
  list: string
  body: () => Promise<object> | object
  /** Its places, unless they are those of the others. */
  within?: { enterprise: number; datacenter: number }
}

type Link = { rel: string; href: string }
type Document = { id: number; name: string; links: (Link & { title?: string; type?: string })[] }

export const linkTo = (rel: string, path: string): Link => ({ rel, href: `${ORIGIN}/api${path}` })

export const create = (list: string, body: object): Promise<Document> =>
  expectStatus(201, call('POST', list, { body }))

/** The address of a document, from its link to itself. */
export const ownPath = ({ links }: { links: Link[] }): string => {
  const own = links.find(({ rel }) => rel === 'edit' || rel === 'self')
  if (!own) throw new Error('a document without a link to itself')
  return new URL(own.href).pathname
}

async function virtualDatacenter() {
  const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
  const body = {
    name: unique('Virtual datacenter'),
    links: [
      linkTo('enterprise', `/admin/enterprises/${enterprise.id}`),
      linkTo('location', `/cloud/locations/${datacenter.id}`),
    ],
  }
  return { enterprise, datacenter, body, made: () => create('/api/cloud/virtualdatacenters', body) }
}

/** A machine that is off, each of whose rules is a finding of the check. */
async function machineOff() {
  const machine = await newMachineWithIps()
  const document = await expectStatus(200, call('GET', machine.path))
  await expectStatus(200, call('PUT', machine.path, { body: { ...document, state: 'OFF' } }))
  let port = 1000
  const finding = async () => {
    port += 1
    const { id } = await create(`${machine.path}/natrules`, ruleBody(machine, dnat(port)))
    return { finding: `NATCHECK-9.${id}`, reason: 'it is off & <stays>', until: dayIn(3) }
  }
  return { enterprise: machine.enterprise, datacenter: machine.network.datacenter, finding }
}

/** Every resource that has a list, GET, POST, PUT and DELETE, each in surroundings of its own. */
export async function resources(): Promise<Resource[]> {
  const { finding, ...off } = await machineOff()
  const { enterprise, datacenter, body, made } = await virtualDatacenter()
  const center = `/api/cloud/virtualdatacenters/${(await made()).id}`
  const appliance = await create(`${center}/virtualappliances`, { name: unique('Appliance') })
  const repository = `/api/admin/enterprises/${enterprise.id}/datacenterrepositories/${datacenter.id}`
  const templates = `${repository}/virtualmachinetemplates`
  const template = await create(templates, { name: unique('Template') })
  const network = await newNetwork({ datacenter: datacenter.id, cidr: '192.0.2.0/24' })
  const device = await newDevice(datacenter.id)
  const scope = await newScope()
  const { collection: types } = await expectStatus(200, call('GET', '/api/config/devicetypes'))
  const { collection: roles } = await expectStatus(200, call('GET', '/api/admin/roles?has=USER'))
  const echoed = (rel: string, document: Document) => linkTo(rel, ownPath(document).replace('/api', ''))
  let last = 9
  const next = () => {
    last += 1
    return last
  }
  return [
    {
      name: 'scope',
      list: '/api/admin/scopes',
      body: () => ({
        name: unique('Scope & "more" <é>'),
        automaticAddDatacenter: false,
        automaticAddEnterprise: false,
        scopeEntities: [ofEnterprise(enterprise.id)],
        links: [parentLink(scope.id)],
      }),
    },
    {
      name: 'datacenter',
      list: '/api/admin/datacenters',
      body: () => ({ name: unique('Place\tof\nlines'), location: 'Zürich > "here" & there' }),
    },
    {
      name: 'device',
      list: `/api/cloud/locations/${datacenter.id}/devices`,
      body: () => ({
        name: unique('Device'),
        description: ' spaces kept ',
        endpoint: 'https://192.0.2.1/api?a=1&b=2',
        user: 'console',
        password: 'never read back',
        links: [linkTo('devicetype', `/config/devicetypes/${types[0].id}`)],
      }),
    },
    {
      name: 'natnetwork',
      list: networksPath(datacenter.id),
      body: () => ({
        name: unique('Network'),
        cidr: `198.51.${next()}.0/24`,
        links: [deviceLink(datacenter.id, device.id)],
      }),
    },
    {
      name: 'natip',
      list: `${networksPath(datacenter.id)}/${network.id}/ips`,
      body: () => ({ ip: `192.0.2.${next()}`, available: false, quarantine: true }),
    },
    {
      name: 'enterprise',
      list: '/api/admin/enterprises',
      body: () => ({
        name: unique('Enterprise'),
        twoFactorAuthenticationMandatory: true,
        links: [linkTo('scope', `/admin/scopes/${scope.id}`)],
      }),
    },
    {
      name: 'role',
      list: '/api/admin/roles',
      body: () => ({
        name: unique('Role'),
        links: [linkTo('privilege1', '/config/privileges/1'), linkTo('privilege2', '/config/privileges/2')],
      }),
    },
    {
      name: 'user',
      list: `/api/admin/enterprises/${enterprise.id}/users`,
      body: () => ({
        nick: unique('nick').replace(' ', '-'),
        name: 'Zoë',
        surname: 'Ångström',
        description: 'line\nbreak & <tag>',
        email: 'zoe@example.com',
        locale: 'es_ES',
        active: true,
        locked: false,
        password: 'a password of some length',
        allowedCIDRs: ['192.0.2.0/24', '2001:db8::/32'],
        links: [linkTo('role', `/admin/roles/${roles[0].id}`)],
      }),
    },
    {
      name: 'virtualdatacenter',
      list: '/api/cloud/virtualdatacenters',
      body: () => ({ ...body, name: unique('Virtual') }),
    },
    {
      name: 'virtualappliance',
      list: `${center}/virtualappliances`,
      body: () => ({ name: unique('Appliance') }),
    },
    {
      name: 'virtualmachine',
      list: `${ownPath(appliance)}/virtualmachines`,
      body: () => ({
        name: unique('Machine'),
        label: 'Shown',
        state: 'OFF',
        links: [echoed('virtualmachinetemplate', template)],
      }),
    },
    {
      name: 'privateip',
      list: `${center}/privateips`,
      body: () => ({ ip: `10.0.0.${next()}`, mac: '52:54:00:00:00:01' }),
    },
    {
      name: 'natsetaside',
      list: `/api/admin/datacenters/${off.datacenter}/setasides`,
      body: finding,
      within: off,
    },
    {
      name: 'virtualmachinetemplate',
      list: templates,
      body: () => ({ name: unique('Template'), links: [linkTo('scope', `/admin/scopes/${scope.id}`)] }),
    },
  ]
}
