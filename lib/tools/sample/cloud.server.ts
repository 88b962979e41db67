import { generatePassword, hashPassword } from '#lib/caller/auth/passwords.server'
import { allPrivileges, type Caller, type Privilege } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { createScope } from '#lib/caller/scopes/changes.server'
import { GLOBAL_SCOPE } from '#lib/caller/scopes/scopes.schema'
import { scopeReferences } from '#lib/caller/scopes/scopes.server'
import { createDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import { insertDevice } from '#lib/cloud/infrastructure/devices.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { insertEnterprise } from '#lib/people/identity/enterprises.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { insertUser } from '#lib/people/identity/users.server'
import { sampleInventory } from '#lib/tools/sample/inventory.server'
import type { SampleDatacenter, Users } from '#lib/tools/sample/kinds'
import * as names from '#lib/tools/sample/names'
import { sampleNetworks } from '#lib/tools/sample/networks.server'
import { type Random, seeded } from '#lib/tools/sample/random'

/** Acts as the first administrator, so that the API's own rules apply. */
export const maker: Caller = {
  id: 1,
  nick: 'sample',
  enterpriseId: 1,
  scope: { id: GLOBAL_SCOPE, allDatacenters: true, allEnterprises: true },
  privileges: new Set(allPrivileges),
}

const operator: Privilege[] = [
  'PHYS_DC_ENUMERATE',
  'PHYS_DC_RETRIEVE_DETAILS',
  'PHYS_DC_ALLOW_MODIFY_NETWORK',
  'MANAGE_DEVICES',
  'MANAGE_NATIPS',
]
const auditor: Privilege[] = [
  'ENTERPRISE_ENUMERATE',
  'PHYS_DC_ENUMERATE',
  'USERS_VIEW',
  'USERS_VIEW_PRIVILEGES',
  'EVENTLOG_VIEW_ALL',
]

/** Everything but the settings of the installation. */
const platform = allPrivileges.filter((privilege) => !privilege.startsWith('SYSCONFIG'))

/** Fills an empty installation with the same sample cloud each time, in one transaction. */
export async function sampleCloud(password = generatePassword(), seed = 20_261_121): Promise<void> {
  const password_hash = await hashPassword(password)
  await transaction(async (trx) => {
    const random = seeded(seed)
    const places = await sampleDatacenters(trx)
    const roles = {
      operator: await insertRole(trx, { name: 'NETWORK_OPERATOR', privileges: operator }),
      auditor: await insertRole(trx, { name: 'AUDITOR', privileges: auditor }),
      platform: await insertRole(trx, { name: 'PLATFORM_TEAM', privileges: platform }),
    }
    const enterprises: number[] = []
    for (const name of names.enterprises)
      enterprises.push(await insertEnterprise(trx, { name, scopeId: GLOBAL_SCOPE }))
    const teams = await sampleScopes(trx, places, enterprises)
    const users = await sampleUsers(trx, random, { enterprises, teams, roles, password_hash })
    const inventory = await sampleInventory(trx, random, { enterprises, places, users })
    const networks = await sampleNetworks(trx, maker, places)
    await inventory.useNetworks(networks)
    await sampleStaff(trx, roles, password_hash)
  })
}

async function sampleDatacenters(trx: Trx): Promise<SampleDatacenter[]> {
  const places: SampleDatacenter[] = []
  for (const [index, { name, location }] of names.datacenters.entries()) {
    const { id } = await createDatacenter({ caller: maker, db: trx, body: { name, location, ...noNotes } })
    const racks = names.racks.map((rack) => ({
      datacenter_id: id,
      name: rack,
      name_key: fold(rack),
      short_description: `${name}, ${rack}`,
    }))
    await trx.insertInto('racks').values(racks).execute()
    const services = names.remoteServices.map(([type, port]) => ({
      datacenter_id: id,
      type,
      uri: `http://10.${index + 1}.0.10:${port}/`,
      status: 1,
    }))
    await trx.insertInto('remote_services').values(services).execute()
    const devices: number[] = []
    for (const [place, usual] of names.devices.entries()) {
      const device = index === names.linuxDevice.datacenter && place === 0 ? names.linuxDevice : usual
      const endpoint = `https://10.${index + 1}.0.${place + 1}/api`
      devices.push(
        await insertDevice(trx, {
          datacenterId: id,
          typeName: device.type,
          name: `${name} ${device.name}`,
          description: device.description,
          endpoint,
          user: 'console',
        }),
      )
    }
    places.push({ id, name, devices })
  }
  return places
}

/** 60 scopes in five levels below the global one: regions, countries, enterprises, teams, projects. Returns the teams of each enterprise. */
async function sampleScopes(
  trx: Trx,
  places: SampleDatacenter[],
  enterprises: number[],
): Promise<number[][]> {
  const make = async (
    name: string,
    parent: number,
    held: { datacenters?: readonly number[]; enterprises?: number[] },
  ) => {
    const scopeEntities = [
      ...(held.datacenters ?? []).map((index) => ({
        idResource: places[index]?.id ?? 0,
        type: 'DATACENTER',
      })),
      ...(held.enterprises ?? []).map((idResource) => ({ idResource, type: 'ENTERPRISE' })),
    ]
    const body = {
      name,
      automaticAddDatacenter: false,
      automaticAddEnterprise: false,
      scopeEntities,
      links: { scopeParent: parent },
      ...noNotes,
    }
    const references = await scopeReferences({ caller: maker, db: trx }, body)
    return (await createScope({ caller: maker, db: trx, body, references })).id
  }
  const countries: { id: number; datacenters: readonly number[] }[] = []
  const all = names.regions.flatMap((region) => region.countries)
  const inCountry = (country: string) => enterprises.filter((_, index) => all[index % all.length] === country)
  for (const region of names.regions) {
    const here = region.countries.flatMap(inCountry)
    const id = await make(region.name, GLOBAL_SCOPE, { datacenters: region.datacenters, enterprises: here })
    for (const country of region.countries) {
      const held = { datacenters: region.datacenters, enterprises: inCountry(country) }
      countries.push({ id: await make(country, id, held), datacenters: region.datacenters })
    }
  }
  const scopes: number[][] = []
  for (const [index, enterprise] of enterprises.entries()) {
    const country = countries[index % countries.length]
    const held = { datacenters: country?.datacenters ?? [], enterprises: [enterprise] }
    const name = names.enterprises[index] ?? ''
    const scope = await make(name, country?.id ?? GLOBAL_SCOPE, held)
    await trx
      .updateTable('enterprises')
      .set({ default_scope_id: scope })
      .where('id', '=', enterprise)
      .execute()
    // The first enterprises are the largest: three teams and two projects, later ones fewer.
    const size = Math.max(0, 2 - Math.floor(index / 4))
    const teams: number[] = []
    for (const team of names.teams.slice(0, size + 1))
      teams.push(await make(`${name}: ${team.toLowerCase()}`, scope, held))
    for (const project of names.projects.slice(0, size))
      await make(`${name}: ${project.toLowerCase()}`, teams[1] ?? scope, held)
    scopes.push(teams)
  }
  return scopes
}

type Roles = { operator: number; auditor: number; platform: number }

type Staff = {
  enterprises: number[]
  teams: number[][]
  roles: Roles
  password_hash: string
}

/** 60 users, five per enterprise: an administrator, a viewer, network operators, auditors and plain users. */
async function sampleUsers(
  trx: Trx,
  random: Random,
  { enterprises, teams, roles, password_hash }: Staff,
): Promise<Users> {
  const ids = await trx.selectFrom('roles').select(['id', 'name']).execute()
  const role = (name: string) => ids.find((row) => row.name === name)?.id ?? 0
  const jobs = [
    role('ENTERPRISE_ADMIN'),
    role('USER'),
    role('USER'),
    role('ENTERPRISE_VIEWER'),
    roles.operator,
  ]
  const byEnterprise = new Map<number, number[]>()
  for (let index = 0; index < enterprises.length * jobs.length; index += 1) {
    const enterpriseId = enterprises[index % enterprises.length] ?? 0
    const job = Math.floor(index / enterprises.length)
    const name = names.firstNames[(index * 7) % names.firstNames.length] ?? ''
    const surname = names.surnames[(index * 3 + job) % names.surnames.length] ?? ''
    const nick = `${fold(name)}.${fold(surname).normalize('NFD').replace(/\p{M}/gu, '')}.${index + 1}`
    const roleId = job === 3 && index % 3 === 0 ? roles.auditor : (jobs[job] ?? 0)
    const team = teams[index % enterprises.length] ?? []
    const user = {
      nick,
      // Plain users hold a team's scope, the others the enterprise's scope.
      ...(job === 1 || job === 2 ? { scopeId: team[job % team.length] } : {}),
      name,
      surname,
      email: `${nick}@example.com`,
      enterpriseId,
      roleId,
      active: !random.chance(0.05),
      password_hash,
    }
    const id = await insertUser(trx, {
      ...user,
      locale: random.pick(['en_US', 'es_ES']),
      passwordChosen: true,
    })
    byEnterprise.set(enterpriseId, [...(byEnterprise.get(enterpriseId) ?? []), id])
  }
  return byEnterprise
}

/** Users of the first enterprise, whose default scope is the global one. */
async function sampleStaff(trx: Trx, roles: Roles, password_hash: string): Promise<void> {
  for (const { role, ...person } of names.staff)
    await insertUser(trx, {
      ...person,
      email: `${person.nick}@example.com`,
      enterpriseId: 1,
      roleId: role === 'PLATFORM_TEAM' ? roles.platform : roles.operator,
      password_hash,
      passwordChosen: true,
    })
}
