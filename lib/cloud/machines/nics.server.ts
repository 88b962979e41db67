import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Trx } from '#lib/db/db.server'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'
import type { NumberedLink } from '#lib/ground/http/input.schema'

/* The links `nic0`, `nic1`, … in a machine's document attach private IPs. */

type PrivateIp = { id: number; ip: string; virtual_machine_id: number | null; nic: number | null }

/** A private IP of the machine's virtual datacenter, and its number in the document. */
type WantedNic = PrivateIp & { number: number | undefined }

/** The private IPs of the links. Throws PRIVATEIP-0 for IPs of another virtual datacenter, GEN-6 for duplicates. */
export async function nicReferences(
  { db }: ReadContext,
  virtualDatacenter: number,
  links: readonly NumberedLink[] = [],
): Promise<WantedNic[]> {
  if (links.length === 0) return []
  const rows = await db
    .selectFrom('private_ips')
    .where('virtual_datacenter_id', '=', virtualDatacenter)
    .where(
      'id',
      'in',
      links.map(({ id }) => id),
    )
    .select(['id', 'ip', 'virtual_machine_id', 'nic'])
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  const faults: Fault[] = [
    ...links.filter(({ id }) => !found.has(id)).map(() => fault('PRIVATEIP-0')),
    ...twice(links.map(({ id }) => id)).map(() => fault('GEN-6', 'Two nic links name the same private IP')),
    ...twice(links.flatMap(({ number }) => number ?? [])).map((number) =>
      fault('GEN-6', `The link nic${number} occurs twice`),
    ),
  ]
  if (faults.length > 0) throw new ApiError(faults)
  return links.flatMap(({ id, number }) => {
    const row = found.get(id)
    return row ? [{ ...row, number }] : []
  })
}

const twice = (values: number[]): number[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
]

/** Attaches the IPs. A link without a number keeps the IP's number, or takes the lowest free one. Throws PRIVATEIP-1. */
export async function attachNics(trx: Trx, machine: number, wanted: readonly WantedNic[]): Promise<void> {
  if (wanted.length === 0) return
  const elsewhere = wanted.find(
    ({ virtual_machine_id }) => virtual_machine_id !== null && virtual_machine_id !== machine,
  )
  if (elsewhere)
    throw new ApiError(
      fault('PRIVATEIP-1', `The private IP ${elsewhere.ip} is attached to another virtual machine`),
    )
  const named = new Set(wanted.map(({ id }) => id))
  const present = await trx
    .selectFrom('private_ips')
    .where('virtual_machine_id', '=', machine)
    .select(['id', 'ip', 'nic'])
    .execute()
  const taken = new Map(present.filter(({ id }) => !named.has(id)).map(({ nic, ip }) => [nic, ip]))
  for (const nic of numbered(wanted, taken)) {
    if (nic.virtual_machine_id === machine && nic.nic === nic.number) continue
    await trx
      .updateTable('private_ips')
      .set({ virtual_machine_id: machine, nic: nic.number })
      .where('id', '=', nic.id)
      .execute()
  }
}

/** `taken`: the numbers of attached IPs that the document does not mention. */
function numbered(wanted: readonly WantedNic[], taken: ReadonlyMap<number | null, string>) {
  const requested = wanted.flatMap(({ number }) => number ?? [])
  const clash = requested.find((number) => taken.has(number))
  if (clash !== undefined)
    throw new ApiError(fault('PRIVATEIP-1', `The private IP ${taken.get(clash)} is already nic${clash}`))
  const used = new Set<number | null>([...taken.keys(), ...requested])
  return wanted.map((nic) => {
    if (nic.number !== undefined) return { ...nic, number: nic.number }
    const own = nic.nic !== null && !used.has(nic.nic) ? nic.nic : lowestFree(used)
    used.add(own)
    return { ...nic, number: own }
  })
}

function lowestFree(used: ReadonlySet<number | null>): number {
  let number = 0
  while (used.has(number)) number += 1
  return number
}

/** Frees one private IP. The documents of machines only attach them, so only an undo does this. Throws PRIVATEIP-1 if it has rules. */
export async function detachNic(trx: Trx, id: number): Promise<void> {
  const rule = await trx
    .selectFrom('nat_rules')
    .where('private_ip_id', '=', id)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (rule) throw new ApiError(fault('PRIVATEIP-1', 'The private IP has NAT rules'))
  await trx
    .updateTable('private_ips')
    .set({ virtual_machine_id: null, nic: null })
    .where('id', '=', id)
    .execute()
}

export const detachNics = async (trx: Trx, machine: number): Promise<void> => {
  await trx
    .updateTable('private_ips')
    .set({ virtual_machine_id: null, nic: null })
    .where('virtual_machine_id', '=', machine)
    .execute()
}
