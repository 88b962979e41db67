import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { ApiError } from '#lib/http/errors'
import { addressKey, parseAddress } from '#lib/nat/addresses'

/* The inventory that NAT and scopes act on: virtual datacenters, appliances, machines, their private IPs, templates. */

type NewVirtualDatacenter = { name: string; enterpriseId: number; datacenterId: number; deviceId?: number }

export async function insertVirtualDatacenter(trx: Trx, made: NewVirtualDatacenter): Promise<number> {
  const { id } = await trx
    .insertInto('virtual_datacenters')
    .values({
      name: made.name,
      name_key: fold(made.name),
      enterprise_id: made.enterpriseId,
      datacenter_id: made.datacenterId,
      device_id: made.deviceId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertVirtualAppliance(
  trx: Trx,
  virtualDatacenterId: number,
  name: string,
): Promise<number> {
  const { id } = await trx
    .insertInto('virtual_appliances')
    .values({ virtual_datacenter_id: virtualDatacenterId, name, name_key: fold(name) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type NewTemplate = { name: string; enterpriseId: number; datacenterId: number; scopeId?: number }

export async function insertTemplate(
  trx: Trx,
  { name, enterpriseId, datacenterId, scopeId }: NewTemplate,
): Promise<number> {
  const { id } = await trx
    .insertInto('templates')
    .values({
      name,
      name_key: fold(name),
      enterprise_id: enterpriseId,
      datacenter_id: datacenterId,
      scope_id: scopeId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type NewMachine = {
  name: string
  label?: string
  state?: string
  virtualApplianceId: number
  virtualDatacenterId: number
  enterpriseId: number
  userId?: number
  templateId?: number
}

export async function insertVirtualMachine(trx: Trx, made: NewMachine): Promise<number> {
  const { id } = await trx
    .insertInto('virtual_machines')
    .values({
      name: made.name,
      name_key: fold(made.name),
      label: made.label ?? made.name,
      state: made.state ?? 'ON',
      virtual_appliance_id: made.virtualApplianceId,
      virtual_datacenter_id: made.virtualDatacenterId,
      enterprise_id: made.enterpriseId,
      user_id: made.userId ?? null,
      template_id: made.templateId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type NewPrivateIp = {
  virtualDatacenterId: number
  virtualMachineId?: number
  nic?: number
  ip: string
  mac: string
}

export async function insertPrivateIp(trx: Trx, made: NewPrivateIp): Promise<number> {
  const address = parseAddress(made.ip)
  if (!address) throw new ApiError('CONSTR-PATTERN')
  const { id } = await trx
    .insertInto('private_ips')
    .values({
      virtual_datacenter_id: made.virtualDatacenterId,
      virtual_machine_id: made.virtualMachineId ?? null,
      nic: made.nic ?? null,
      ip: made.ip,
      ip_key: addressKey(address.version, address.value),
      mac: made.mac,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
