import { database } from '#lib/db/db.server'
import * as names from '#lib/tools/sample/names'
import type { Random } from '#lib/tools/sample/random'
import { centersIn, freeIpOf, holdersOf, idOf, OPERATORS, type Scene } from '#lib/tools/sample/scenes.server'
import * as story from '#lib/tools/sample/story'
import type { Visit } from '#lib/tools/sample/visits.server'

/** Networks are made and fill up; IPs are attached, released, put into quarantine and taken out. */
export const networkScenes = (random: Random): Scene[] => [
  ...story.madeNetworks.map((network) => byOperator(network.day, (visit) => makeNetwork(visit, network))),
  byOperator(story.addedIps.day, async ({ send }) => {
    const { network, ips } = story.addedIps
    await send('POST', `${await networkPath(network)}/ips`, { numips: ips })
  }),
  byOperator(story.renamedNetwork.day, async ({ send }) => {
    const path = await networkPath(story.renamedNetwork.from)
    await send('PUT', path, { ...(await send('GET', path)), name: story.renamedNetwork.to })
  }),
  byOperator(story.removedNetwork.day, async ({ send }) => {
    const path = await networkPath(story.removedNetwork.name)
    const ips = await ipsOf(story.removedNetwork.name)
    for (const { id } of ips) await send('DELETE', `${path}/ips/${id}`)
    await send('DELETE', path)
  }),
  ...quarantineScenes(),
  ...trialScenes(random),
  ...fillingScenes(random),
]

/** The operators take turns. */
const byOperator = (day: number, act: (visit: Visit) => Promise<unknown>): Scene => ({
  day,
  hour: 8,
  play: ({ visit }) => visit(OPERATORS[day % 2] ?? OPERATORS[0], act),
})

async function makeNetwork(
  { send }: Visit,
  { name, cidr, datacenter, ips }: (typeof story.madeNetworks)[number],
): Promise<void> {
  const place = await idOf('datacenters', datacenter)
  const device = await database()
    .read.selectFrom('devices')
    .where('name', '=', `${datacenter} edge router`)
    .select('id')
    .executeTakeFirstOrThrow()
  const links = [{ rel: 'device', href: `/api/cloud/locations/${place}/devices/${device.id}` }]
  const { id } = await send('POST', `/admin/datacenters/${place}/natnetworks`, { name, cidr, links })
  await send('POST', `/admin/datacenters/${place}/natnetworks/${id}/ips`, { numips: ips })
}

async function networkPath(name: string): Promise<string> {
  const { id, datacenter_id } = await database()
    .read.selectFrom('nat_networks')
    .where('name', '=', name)
    .select(['id', 'datacenter_id'])
    .executeTakeFirstOrThrow(() => new Error(`There is no network ${name}`))
  return `/admin/datacenters/${datacenter_id}/natnetworks/${id}`
}

const ipsOf = async (network: string) =>
  database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', await idOf('nat_networks', network))
    .select(['id', 'ip_key', 'virtual_datacenter_id'])
    .orderBy('ip_key')
    .execute()

/** The days of something that happens regularly. */
const daysFrom = (from: number, every: number): number[] =>
  Array.from({ length: Math.ceil((from - 3) / every) }, (_, index) => from - index * every)

const publicNetworks = names.networks.map(([first]) => first.name)

function quarantineScenes(): Scene[] {
  const { from, every, days } = story.quarantines
  return daysFrom(from, every).flatMap((day, index) => {
    const network = publicNetworks[index % publicNetworks.length] ?? ''
    let path = ''
    return [
      byOperator(day, async ({ send }) => {
        const { id } = await freeIpOf(await idOf('nat_networks', network), 'desc')
        path = `${await networkPath(network)}/ips/${id}`
        await send('PUT', path, { available: true, quarantine: true })
      }),
      byOperator(day - days, ({ send }) => send('PUT', path, { available: true, quarantine: false })),
    ]
  })
}

/** A virtual datacenter, and a user who attaches IPs to it. */
type Holder = { center: number; nick: string }

async function pickHolder(random: Random, datacenter: number): Promise<Holder> {
  const centers = await centersIn(datacenter)
  const center = centers[random.below(centers.length)] ?? { id: 0, enterprise_id: 0 }
  return { center: center.id, nick: await pickNick(random, center.enterprise_id) }
}

async function pickNick(random: Random, enterprise: number): Promise<string> {
  const nicks = await holdersOf(enterprise)
  return nicks[random.below(nicks.length)] ?? ''
}

const attachPath = (center: number, ip: number) =>
  `/cloud/virtualdatacenters/${center}/natips/topurchase/${ip}`
const releasePath = (center: number, ip: number) =>
  `/cloud/virtualdatacenters/${center}/natips/purchased/${ip}`

/** IPs that an enterprise attaches to try something, and releases after some days. */
function trialScenes(random: Random): Scene[] {
  const { from, every, days } = story.trials
  return daysFrom(from, every).flatMap((day, index) => {
    const network = publicNetworks[index % publicNetworks.length] ?? ''
    let held = { center: 0, nick: '', ip: 0 }
    return [
      {
        day,
        hour: 10,
        play: async ({ visit }) => {
          const { id, datacenter_id } = await freeIpOf(await idOf('nat_networks', network), 'asc')
          held = { ...(await pickHolder(random, datacenter_id)), ip: id }
          await visit(held.nick, ({ send }) => send('PUT', attachPath(held.center, held.ip)))
        },
      },
      {
        day: day - days,
        hour: 16,
        play: ({ visit }) => visit(held.nick, ({ send }) => send('PUT', releasePath(held.center, held.ip))),
      },
    ] satisfies Scene[]
  })
}

/** The network that fills up: IPs are attached, some get a rule, and some without are released. */
function fillingScenes(random: Random): Scene[] {
  const { network, from, attached, released } = story.filling
  const attaching = Array.from({ length: from }, (_, index): Scene => {
    const count = Math.floor(((index + 1) * attached) / from) - Math.floor((index * attached) / from)
    return {
      day: from - index,
      hour: 11,
      play: async ({ visit }) => {
        const id = await idOf('nat_networks', network)
        const holder = await pickHolder(random, await idOf('datacenters', 'Frankfurt'))
        await visit(holder.nick, async (own) => {
          for (let turn = 0; turn < count; turn += 1) {
            const ip = await freeIpOf(id, 'asc')
            await own.send('PUT', attachPath(holder.center, ip.id))
            if (turn === 0) await addRule(own, { center: holder.center, ip: ip.id, machine: index })
          }
        })
      },
    }
  })
  const releasing = Array.from(
    { length: released },
    (_, index): Scene => ({
      day: from - 4 - index * 5,
      hour: 17,
      play: async ({ visit }) => {
        const { id, center, enterprise } = await releasable(network)
        await visit(await pickNick(random, enterprise), ({ send }) => send('PUT', releasePath(center, id)))
      },
    }),
  )
  return [...attaching, ...releasing]
}

/** Lets the internet reach the first service of a machine. */
async function addRule(
  { send }: Visit,
  { center, ip, machine }: { center: number; ip: number; machine: number },
): Promise<void> {
  const { name, services } = names.machines[machine % names.machines.length] ?? { name: '', services: [] }
  const [service] = services
  const target = await database()
    .read.selectFrom('virtual_machines')
    .innerJoin('private_ips', 'private_ips.virtual_machine_id', 'virtual_machines.id')
    .where('virtual_machines.virtual_datacenter_id', '=', center)
    .where('virtual_machines.name', '=', name)
    .select(['virtual_machines.id', 'virtual_machines.virtual_appliance_id as appliance'])
    .select('private_ips.id as privateIp')
    .orderBy('private_ips.id')
    .executeTakeFirstOrThrow()
  const path = `/cloud/virtualdatacenters/${center}`
  await send('POST', `${path}/virtualappliances/${target.appliance}/virtualmachines/${target.id}/natrules`, {
    snat: false,
    protocol: service?.protocol,
    originalPort: service?.original,
    translatedPort: service?.translated,
    links: [
      { rel: 'original', href: `/api${path}/natips/${ip}` },
      { rel: 'translated', href: `/api${path}/privateips/${target.privateIp}` },
    ],
  })
}

/** The lowest attached IP of the network that has no rules. */
async function releasable(network: string) {
  return database()
    .read.selectFrom('nat_ips')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'nat_ips.virtual_datacenter_id')
    .where('nat_ips.nat_network_id', '=', await idOf('nat_networks', network))
    .where('nat_ips.default_snat', '=', 0)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('nat_rules')
            .whereRef('nat_rules.nat_ip_id', '=', 'nat_ips.id')
            .select('nat_rules.id'),
        ),
      ),
    )
    .select(['nat_ips.id', 'virtual_datacenters.id as center'])
    .select('virtual_datacenters.enterprise_id as enterprise')
    .orderBy('nat_ips.ip_key')
    .executeTakeFirstOrThrow()
}
