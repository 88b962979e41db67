import { newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { databaseNumber } from '#lib/tools/testing/fresh-database'
import {
  addIps,
  addRule,
  attach,
  changeIp,
  ipOf,
  makeDefault,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { newScope } from '#lib/tools/testing/scopes'

type NatSample = Awaited<ReturnType<typeof makeSample>>

let made: { in: number; sample: Promise<NatSample> } | undefined

/**
 * A datacenter with three NAT networks, of which two have the same addresses, IPs in every state, and the machines of two enterprises with
 * their rules. `limited` sees the datacenter and only the enterprise `seen`. Made once in a database, and never changed.
 */
export function natSample(): Promise<NatSample> {
  if (made?.in !== databaseNumber()) made = { in: databaseNumber(), sample: makeSample() }
  return made.sample
}

async function makeSample() {
  const [datacenter, seen, hidden] = await Promise.all([newDatacenter(), newEnterprise(), newEnterprise()])
  const at = { datacenter: datacenter.id }
  const four = await newNetwork({ ...at, cidr: '10.0.0.0/24', name: unique('m four') })
  const again = await newNetwork({ ...at, cidr: '10.0.0.0/24', name: unique('Z again') })
  const six = await newNetwork({ ...at, cidr: '2001:db8::/64', name: unique('a six') })
  const networks = { four, again, six }
  await addIps(six, { count: 3 })
  await addIps(again, { from: '10.0.0.9', count: 2 })
  await addIps(four, { count: 12 })
  await addIps(four, { from: '10.0.0.20', count: 2, available: false })
  await addIps(four, { from: '10.0.0.30', count: 1, quarantine: true })
  await addIps(four, { from: '10.0.0.40', count: 1, available: false, quarantine: true })
  const machines = await makeMachines(datacenter.id, seen.id, hidden.id)
  await attach(four, machines.seen.virtualDatacenter, '10.0.0.2', '10.0.0.3', '10.0.0.10')
  await makeDefault(four, '10.0.0.2')
  await attach(six, machines.hidden.virtualDatacenter, '2001:db8::2')
  await attach(again, machines.hidden.virtualDatacenter, '10.0.0.10')
  await makeDefault(again, '10.0.0.10')
  await makeUnavailable(again, '10.0.0.10')
  await makeRules(networks, machines)
  const scope = await newScope({ datacenters: [datacenter.id], enterprises: [seen.id] })
  return { datacenter, networks, seen, hidden, machines, limited: await newUser({ scopeId: scope.id }) }
}

async function makeMachines(datacenter: number, seen: number, hidden: number) {
  return {
    seen: await newMachine({
      datacenter,
      enterprise: seen,
      name: unique('m Web'),
      virtualDatacenterName: unique('B visible'),
      privateIps: ['192.168.0.5'],
    }),
    hidden: await newMachine({
      datacenter,
      enterprise: hidden,
      name: unique('z Vault'),
      virtualDatacenterName: unique('A secret'),
      privateIps: ['172.30.9.9'],
    }),
  }
}

type Network = Awaited<ReturnType<typeof newNetwork>>

/** The default SNAT of a virtual datacenter that is not available any more. */
async function makeUnavailable(network: Network, ip: string): Promise<void> {
  const { id } = await ipOf(network, ip)
  await changeIp(id, { available: 0 })
}

/** Eight rules: 3 + 5 of the two machines, in no order. */
async function makeRules(
  { four, again, six }: Record<'four' | 'again' | 'six', Network>,
  { seen, hidden }: Awaited<ReturnType<typeof makeMachines>>,
): Promise<void> {
  await addRule(six, '2001:db8::2', hidden, { protocol: 'TCP', originalPort: 22, translatedPort: 22 })
  await addRule(four, '10.0.0.10', seen, { protocol: 'ANY' })
  await addRule(four, '10.0.0.2', seen, { protocol: 'TCP', originalPort: 443, translatedPort: 8443 })
  await addRule(six, '2001:db8::2', hidden)
  await addRule(again, '10.0.0.10', hidden, { protocol: 'TCP', originalPort: 80, translatedPort: 80 })
  await addRule(four, '10.0.0.2', seen)
  await addRule(four, '10.0.0.2', seen, { protocol: 'TCP', originalPort: 80, translatedPort: 8080 })
  await addRule(four, '10.0.0.3', seen, { protocol: 'UDP', originalPort: 53, translatedPort: 53 })
}
