import { type Collection, collections, type Difference, type Element } from '#lib/gateway/elements'
import type { Strange } from '#lib/gateway/listing'
import type { Family } from '#lib/gateway/networks'

/* The text that `nft -f -` reads. Only parsed addresses, ports and ids are in it. */

const types = (address: string): Record<Collection, string> => ({
  dnat_ports: `${address} . inet_proto . inet_service : ${address} . inet_service`,
  dnat_ranges: `${address} . inet_proto . inet_service : ${address}`,
  dnat_ranges_to_port: `${address} . inet_proto . inet_service : ${address} . inet_service`,
  dnat_sources: `${address} . inet_proto . inet_service . ${address} : ${address}`,
  dnat_sources_to_port: `${address} . inet_proto . inet_service . ${address} : ${address} . inet_service`,
  dnat_hosts_sources: `${address} . ${address} : ${address}`,
  dnat_protocols: `${address} . inet_proto : ${address}`,
  dnat_hosts: `${address} : ${address}`,
  snat_hosts: `${address} : ${address}`,
  snat_default: `${address} : ${address}`,
  private: address,
})

const withIntervals: ReadonlySet<Collection> = new Set(
  collections.filter((name) => /_(ranges|sources)/.test(name)),
)

const rules = (family: Family): Record<'pre' | 'post', string[]> => {
  const protocol = family === 'ip' ? 'ip protocol' : 'meta l4proto'
  // nft 1.0.6 demands this match where a map with intervals and IPv6 addresses has a port as value.
  const ports = 'meta l4proto { tcp, udp }'
  const [dnat, snat] = [`dnat ${family} to ${family}`, `snat ${family} to ${family}`]
  return {
    pre: [
      `${dnat} daddr . ${protocol} . th dport map @dnat_ports`,
      `${dnat} daddr . ${protocol} . th dport map @dnat_ranges`,
      `${ports} ${dnat} daddr . ${protocol} . th dport map @dnat_ranges_to_port`,
      `${dnat} daddr . ${protocol} . th dport . ${family} saddr map @dnat_sources`,
      `${ports} ${dnat} daddr . ${protocol} . th dport . ${family} saddr map @dnat_sources_to_port`,
      `${dnat} daddr . ${protocol} map @dnat_protocols`,
      `${dnat} daddr . ${family} saddr map @dnat_hosts_sources`,
      `${dnat} daddr map @dnat_hosts`,
    ],
    post: [
      `${snat} saddr map @snat_hosts`,
      `${snat} saddr map @snat_default`,
      // A machine that calls another one's NAT IP: the answer must return through this gateway.
      `ct status dnat ${family} saddr @private ${family} daddr @private masquerade`,
    ],
  }
}

const hooks = {
  pre: 'type nat hook prerouting priority dstnat; policy accept;',
  post: 'type nat hook postrouting priority srcnat; policy accept;',
}

/** Removes foreign objects from the table. Chains go first, because their rules use maps. */
function removalOf(place: string, strange: readonly Strange[]): string[] {
  const chains = strange.filter(({ kind }) => kind === 'chain').map(({ name }) => name)
  const others = strange.filter(({ kind }) => kind !== 'chain')
  return [
    ...['pre', 'post', ...chains].map((name) => `flush chain ${place} ${name}`),
    ...chains.map((name) => `delete chain ${place} ${name}`),
    ...others.map(({ kind, name }) => `delete ${kind} ${place} ${name}`),
  ]
}

/** The table, its maps and its chains, as one transaction. Elements that are there stay. */
export function frameOf(family: Family, table: string, strange: readonly Strange[] = []): string {
  const address = family === 'ip' ? 'ipv4_addr' : 'ipv6_addr'
  const place = `${family} ${table}`
  const ofMaps = types(address)
  const maps = collections.map((name) => {
    if (name === 'private') return `add set ${place} ${name} { type ${ofMaps[name]}; }`
    const flags = withIntervals.has(name) ? ' flags interval;' : ''
    return `add map ${place} ${name} { type ${ofMaps[name]};${flags} counter; }`
  })
  const chains = Object.entries(hooks).map(([chain, hook]) => `add chain ${place} ${chain} { ${hook} }`)
  const lines = Object.entries(rules(family)).flatMap(([chain, all]) =>
    all.map((line) => `add rule ${place} ${chain} ${line}`),
  )
  return `${[`add table ${place}`, ...maps, ...chains, ...removalOf(place, strange), ...lines].join('\n')}\n`
}

function elementText({ collection, key, value, rule }: Element): string {
  if (collection === 'private') return key
  const comment = rule === undefined ? '' : ` comment "rule ${rule}"`
  return `${key} counter${comment} : ${value}`
}

/** Elements that one line of text adds or deletes. */
const LINE = 1000

function lines(verb: 'add' | 'delete', elements: readonly Element[], table: string): string[] {
  const byPlace = Map.groupBy(elements, ({ family, collection }) => `${family} ${table} ${collection}`)
  return [...byPlace].flatMap(([place, all]) =>
    Array.from({ length: Math.ceil(all.length / LINE) }, (_, index) => {
      const some = all.slice(index * LINE, (index + 1) * LINE)
      const texts = some.map((element) => (verb === 'add' ? elementText(element) : element.key))
      return `${verb} element ${place} { ${texts.join(', ')} }`
    }),
  )
}

/** The transaction that makes the difference. `anyway`: also where another program has deleted some of the removed elements. */
export function changeOf({ added, removed }: Difference, table: string, anyway = false): string {
  const restored = anyway ? lines('add', removed, table) : []
  return `${[...restored, ...lines('delete', removed, table), ...lines('add', added, table)].join('\n')}\n`
}
