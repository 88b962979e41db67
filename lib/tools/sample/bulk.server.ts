import { hashPassword } from '#lib/caller/auth/passwords.server'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { GLOBAL_SCOPE } from '#lib/caller/scopes/scopes.schema'
import { createDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import { insertDevice } from '#lib/cloud/infrastructure/devices.server'
import { insertVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { insertVirtualMachine } from '#lib/cloud/machines/machines.server'
import { insertPrivateIp } from '#lib/cloud/machines/private-ips.server'
import { insertVirtualAppliance } from '#lib/cloud/machines/virtual-appliances.server'
import { attachIps } from '#lib/cloud/nat/attachments.server'
import { createIps } from '#lib/cloud/nat/ip-creation.server'
import { createNetwork, networkReferences } from '#lib/cloud/nat/networks.server'
import { insertRules, type NewRule } from '#lib/cloud/nat/rules.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { fold, naturalKey } from '#lib/db/fold'
import { addressKey, addressOfKey } from '#lib/ground/net/addresses'
import { insertRole } from '#lib/people/identity/roles.server'
import { newUserColumns } from '#lib/people/identity/users.server'
import { maker } from '#lib/tools/sample/cloud.server'

type Amounts = { natIps: number; natRules: number; scopes: number; enterprises: number; users: number }

/** Called after each batch with the kind, the number so far and the goal. */
type Progress = (what: string, done: number, of: number) => void

/** Rows per transaction. Bounds the memory, and an interrupted run leaves whole batches. */
const PIECE = 20_000
const CHUNK = 1000

type Task = { what: string; count: number; progress: Progress }

async function inPieces(
  { what, count, progress }: Task,
  piece: (trx: Trx, start: number, size: number) => Promise<void>,
) {
  for (let start = 0; start < count; start += PIECE) {
    const size = Math.min(PIECE, count - start)
    await transaction((trx) => piece(trx, start, size))
    progress(what, start + size, count)
  }
}

/** Calls back with numbers from `start`, in chunks that fit one statement. */
async function inChunks(
  start: number,
  size: number,
  write: (numbers: number[]) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < size; done += CHUNK) {
    await write(Array.from({ length: Math.min(CHUNK, size - done) }, (_, index) => start + done + index))
  }
}

/** Adds this many resources of each kind to the configured database, under names that no earlier run has used. */
export async function sampleBulk(amounts: Amounts, progress: Progress): Promise<void> {
  const run = Date.now().toString(36)
  await bulkEnterprises(run, amounts.enterprises, progress)
  await bulkScopes(run, amounts.scopes, progress)
  await bulkUsers(run, amounts.users, progress)
  if (amounts.natIps > 0 || amounts.natRules > 0) await bulkNat(run, amounts, progress)
}

const bulkEnterprises = (run: string, count: number, progress: Progress) =>
  inPieces({ what: 'enterprises', count, progress }, (trx, start, size) =>
    inChunks(start, size, (numbers) => {
      const row = (number: number) => ({
        name: `Enterprise ${run} ${number}`,
        default_scope_id: GLOBAL_SCOPE,
        two_factor_mandatory: 0 as const,
        properties: '{}',
      })
      return trx
        .insertInto('enterprises')
        .values(numbers.map(row).map((made) => ({ ...made, name_key: fold(made.name) })))
        .execute()
    }),
  )

/** A tree in which every scope has about ten children. */
async function bulkScopes(run: string, count: number, progress: Progress): Promise<void> {
  const parents: number[] = [GLOBAL_SCOPE]
  await inPieces({ what: 'scopes', count, progress }, (trx, start, size) =>
    inChunks(start, size, async (numbers) => {
      const rows = numbers.map((number) => {
        const name = `Scope ${run} ${number}`
        const parent_id = parents[Math.floor(number / 10)] ?? GLOBAL_SCOPE
        return {
          name,
          name_key: fold(name),
          natural_key: naturalKey(name),
          parent_id,
          all_datacenters: 0 as const,
          all_enterprises: 0 as const,
        }
      })
      const made = await trx.insertInto('scopes').values(rows).returning('id').execute()
      parents.push(...made.map(({ id }) => id))
    }),
  )
}

async function bulkUsers(run: string, count: number, progress: Progress): Promise<void> {
  if (count === 0) return
  const password_hash = await hashPassword(run)
  const roleId = await transaction((trx) =>
    insertRole(trx, { name: `Role ${run}`, privileges: ['VDC_ENUMERATE'] }),
  )
  await inPieces({ what: 'users', count, progress }, (trx, start, size) =>
    inChunks(start, size, (numbers) => {
      const row = (number: number) => ({
        nick: `user-${run}-${number}`,
        name: `User ${number}`,
        enterpriseId: 1,
        roleId,
        password_hash,
      })
      return trx
        .insertInto('users')
        .values(numbers.map((number) => newUserColumns({ ...row(number), passwordChosen: true })))
        .execute()
    }),
  )
}

type Stock = {
  datacenter: number
  network: { id: number; datacenter_id: number; cidr: string }
  nics: Nic[]
  virtualDatacenter: number
}
type Nic = { privateIpId: number; virtualMachineId: number }

const CIDR = '10.0.0.0/8'
const NICS = 1000

/** One datacenter with one network for all IPs. */
async function bulkNat(run: string, { natIps, natRules }: Amounts, progress: Progress): Promise<void> {
  const { network, datacenter, nics, virtualDatacenter } = await transaction((trx) => stock(trx, run))
  const first = 10 * 2 ** 24 + 1
  await inPieces({ what: 'NAT IPs', count: natIps, progress }, async (trx, start, size) => {
    await createIps(trx, network, { from: addressOfKey(addressKey(4, BigInt(first + start))), count: size })
  })
  let after = ''
  await inPieces({ what: 'NAT rules', count: natRules, progress }, (trx, start, size) =>
    inChunks(start, size, async (numbers) => {
      let ips = await ipsAfter(trx, network.id, { after, count: numbers.length })
      // More rules than addresses: start over with the next port.
      if (ips.length < numbers.length)
        ips = [
          ...ips,
          ...(await ipsAfter(trx, network.id, { after: '', count: numbers.length - ips.length })),
        ]
      after = ips.at(-1)?.ip_key ?? ''
      const port = 1 + (Math.floor((numbers[0] ?? 0) / Math.max(natIps, 1)) % 65_535)
      const free = ips.filter(({ virtual_datacenter_id }) => virtual_datacenter_id === null)
      if (free.length > 0)
        await attachIps(
          trx,
          { network: network.id, virtualDatacenter },
          free.map(({ id }) => id),
        )
      const rules = ips.map((natIp, index): NewRule => {
        const nic = nics[(index + start) % nics.length] ?? { privateIpId: 0, virtualMachineId: 0 }
        return { natIp, ...nic, snat: false, protocol: 'TCP', originalPort: port, translatedPort: port }
      })
      await insertRules(trx, { datacenter, network: network.id }, rules)
    }),
  )
}

const ipsAfter = (trx: Trx, network: number, { after, count }: { after: string; count: number }) =>
  trx
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', network)
    .where('ip_key', '>', after)
    .select(['id', 'ip_key', 'virtual_datacenter_id'])
    .orderBy('ip_key')
    .limit(count)
    .execute()

async function stock(trx: Trx, run: string): Promise<Stock> {
  const { id: datacenter } = await createDatacenter({
    caller: maker,
    db: trx,
    body: { name: `Datacenter ${run}`, location: '', ...noNotes },
  })
  const device = await insertDevice(trx, { datacenterId: datacenter, typeName: 'LOGICAL', name: 'Gateway' })
  const body = { name: 'All', cidr: CIDR, links: { device }, ...noNotes }
  const references = await networkReferences({ db: trx, params: { datacenter } }, body)
  const found = { id: datacenter }
  const { id } = await createNetwork({ caller: maker, db: trx, found, body, references })
  const virtualDatacenterId = await insertVirtualDatacenter(trx, {
    name: `Virtual datacenter ${run}`,
    enterpriseId: 1,
    datacenterId: datacenter,
    deviceId: device,
  })
  const virtualApplianceId = await insertVirtualAppliance(trx, virtualDatacenterId, { name: 'All' })
  const nics: Nic[] = []
  for (let number = 0; number < NICS; number += 1) {
    const ip = `172.16.${Math.floor(number / 250)}.${(number % 250) + 1}`
    const virtualMachineId = await insertVirtualMachine(trx, {
      name: `machine-${number}`,
      virtualApplianceId,
      virtualDatacenterId,
      enterpriseId: 1,
    })
    nics.push({
      virtualMachineId,
      privateIpId: await insertPrivateIp(trx, { virtualDatacenterId, virtualMachineId, nic: 0, ip, mac: '' }),
    })
  }
  return {
    datacenter,
    network: { id, datacenter_id: datacenter, cidr: CIDR },
    nics,
    virtualDatacenter: virtualDatacenterId,
  }
}
