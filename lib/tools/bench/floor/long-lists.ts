import { filled, inOrderOf, marks, pageText, type Route, SIZE, startOf } from '#lib/tools/bench/floor/answers'
import type { File } from '#lib/tools/bench/floor/file'
import { IP, type Ip, ipText, RULE, type Rule, ruleText } from '#lib/tools/bench/floor/nat-documents'

/* Pages of the NAT IPs and NAT rules of a datacenter that has one NAT network: any one, and those of a search for an address. */

type Id = [id: number]

/** Rows that are skipped one by one. Beyond them the totals of blocks of addresses give the first row. */
const NEAR = 256

/** Wide, middle and narrow blocks. */
const WIDTHS = [1, 2, 0]

type LongList<Row> = {
  table: 'nat_ips' | 'nat_rules'
  path: RegExp
  /** The stored total of the rows. */
  counted: string
  where: string
  select: string
  text: (api: string, row: Row) => string
  search: (file: File) => (datacenter: number, word: string) => Id[]
}

function longList<Row extends [id: number, ...unknown[]]>(file: File, list: LongList<Row>): Route {
  const { table, path, counted, where, select, text, search } = list
  const { prepare } = file
  const place = prepare('select id, name, location from datacenters where id = ?')
  const total = prepare<[number]>(
    `select coalesce(sum(${counted}), 0) from nat_counts where datacenter_id = ?`,
  )
  const blocks = prepare<[block: string, own: number]>(`select block, ${counted} from nat_blocks
    where datacenter_id = ? and wide = ? and block >= ? and block < ? order by block`)
  const from = prepare<Id>(`select id from ${table} where datacenter_id = ? ${where} and ip_key >= ?
    order by ip_key, id limit ? offset ?`)
  const backwards = prepare<Id>(`select id from ${table} where datacenter_id = ? ${where}
    order by ip_key desc, id desc limit ? offset ?`)
  const details = prepare<Row>(`${select} where ${table}.id in ${marks(SIZE)}`)
  const found = search(file)

  /** The narrow block of the row at this position, and the number of rows before it. */
  function blockAt(datacenter: number, position: number): { block: string; before: number } {
    let [around, before] = ['', 0]
    for (const wide of WIDTHS)
      for (const [block, own] of blocks(datacenter, wide, around, `${around}~`)) {
        around = block
        if (before + own > position) break
        before += own
      }
    return { block: around, before }
  }

  function idsFrom(datacenter: number, start: number, all: number): Id[] {
    const size = Math.min(SIZE, all - start)
    const behind = all - start - size
    if (start <= NEAR) return from(datacenter, '', size, start)
    if (behind <= NEAR) return backwards(datacenter, size, behind).reverse()
    const { block, before } = blockAt(datacenter, start)
    return from(datacenter, block, size, start - before)
  }

  return {
    method: 'GET',
    path,
    isList: true,
    answer: ({ api, path: asked, ids: [datacenter = 0], query }) => {
      if (place(datacenter).length === 0) return undefined
      const has = query.get('has') ?? ''
      const matches = has === '' ? undefined : found(datacenter, has)
      const all = matches?.length ?? total(datacenter)[0]?.[0] ?? 0
      const start = startOf(query, all)
      const shown = matches?.slice(start, start + SIZE) ?? idsFrom(datacenter, start, all)
      const items = inOrderOf(shown, details(...filled(shown))).map((row) => text(api, row))
      return { text: pageText({ path: `${api}${asked}`, by: 'ip', total: all, start, has, items }) }
    },
  }
}

const octets = Array.from({ length: 256 }, (_, octet) => octet)
const hex = (octet: number): string => octet.toString(16).padStart(2, '0')

/** The first and last keys of the ranges of all IPv4 addresses whose text contains the address: 1.2.3.4 is in 11.2.3.40, too. */
function rangesOf(address: string): string[] {
  const [start = '', second, third, end] = address.split('.')
  const last = Number(end)
  const ends = [1, 10, 100].map((times) => [last * times, Math.min(last * times + times - 1, 255)])
  return octets
    .filter((octet) => String(octet).endsWith(start))
    .flatMap((octet) => {
      const prefix = `4${hex(octet)}${hex(Number(second))}${hex(Number(third))}`
      return ends.flatMap(([from = 0, to = 0]) => (from > 255 ? [] : [prefix + hex(from), prefix + hex(to)]))
    })
}

/** Finds the ids of the addresses in these ranges. Their number differs, so a statement is prepared at its first use. */
function addressesIn({ prepare }: File, table: 'nat_ips' | 'private_ips') {
  const known = new Map<number, ReturnType<typeof prepare<Id>>>()
  return (ranges: readonly string[]): string => {
    const within = Array.from({ length: ranges.length / 2 }, () => 'ip_key between ? and ?').join(' or ')
    const find =
      known.get(ranges.length) ??
      prepare<Id>(`select id from (select id from ${table} where ${within}) as found limit 5001`)
    known.set(ranges.length, find)
    return JSON.stringify(find(...ranges).map(([id]) => id))
  }
}

const AMONG = 'in (select value from json_each(?))'
const LIKE = "like ? escape '\\'"

function searchIps(file: File) {
  const addresses = addressesIn(file, 'nat_ips')
  const matches = file.prepare<Id>(`select id from nat_ips where id ${AMONG} and +datacenter_id = ?
    and available = 1 and ip ${LIKE} order by ip_key, datacenter_id, id`)
  return (datacenter: number, word: string) => matches(addresses(rangesOf(word)), datacenter, `%${word}%`)
}

/** Letters at the end of a word that the index of words looks up, three at a time. */
const LETTERS = 6

function searchRules(file: File) {
  const [publicOnes, privateOnes] = [addressesIn(file, 'nat_ips'), addressesIn(file, 'private_ips')]
  const machines = file.prepare<Id>(`select id from (select rowid as id from virtual_machines_words
    where virtual_machines_words match ?) as found limit 5001`)
  const candidates = file.prepare<Id>(`select id from (select id from nat_rules where nat_ip_id ${AMONG}
    union select id from nat_rules where private_ip_id ${AMONG}
    union select id from nat_rules where virtual_machine_id ${AMONG}) as found limit 5001`)
  const matches = file.prepare<Id>(`select id from nat_rules where id ${AMONG} and +datacenter_id = ? and (
    (select ip from nat_ips where nat_ips.id = nat_rules.nat_ip_id) ${LIKE}
    or coalesce((select private_ips.ip from private_ips
      join virtual_machines on virtual_machines.id = nat_rules.virtual_machine_id
      where private_ips.id = nat_rules.private_ip_id), '') ${LIKE}
    or lower(coalesce(protocol, '')) ${LIKE}
    or coalesce((select name_key from virtual_machines where id = nat_rules.virtual_machine_id), '') ${LIKE})
    order by ip_key, datacenter_id, id`)
  const listed = (ids: Id[]) => JSON.stringify(ids.map(([id]) => id))
  return (datacenter: number, word: string) => {
    const ranges = rangesOf(word)
    const end = word.slice(-LETTERS)
    const letters = Array.from({ length: end.length - 2 }, (_, at) => `"${end.slice(at, at + 3)}"`)
    const named = listed(machines(letters.join(' AND ')))
    const some = candidates(publicOnes(ranges), privateOnes(ranges), named)
    const like = `%${word}%`
    return some.length === 0 ? [] : matches(listed(some), datacenter, like, like, like, like)
  }
}

export const longLists = (file: File): Route[] => [
  longList<Ip>(file, {
    table: 'nat_ips',
    path: /^\/admin\/datacenters\/(\d+)\/natnetworks\/action\/allips$/,
    counted: 'available_ips',
    where: 'and available = 1',
    select: IP,
    text: ipText,
    search: searchIps,
  }),
  longList<Rule>(file, {
    table: 'nat_rules',
    path: /^\/admin\/datacenters\/(\d+)\/natnetworks\/action\/allrules$/,
    counted: 'snat_rules + dnat_rules',
    where: '',
    select: RULE,
    text: ruleText,
    search: searchRules,
  }),
]
