import { expect, test } from 'vitest'
import { headOf, matched, otherHeadings } from './csv-columns'
import { isOwnTable, networkTable } from './network-table'

const fields = ['datacenter', 'name', 'cidr', 'device']

async function read(text: string, isLeavesOnly = true) {
  const head = await headOf(new Blob([text]))
  const guess = matched(head.columns, { fields, chosen: {}, others: otherHeadings.natnetworks })
  const given = { datacenter: 'Lisbon', device: 'edge-1' }
  const { table, leftOut } = await networkTable(head, guess, { given, isLeavesOnly })
  return { guess, leftOut, lines: (await table.text()).replaceAll('"', '').split(/\r?\n/) }
}

test('prefixes of NetBox: the description is the name, a prefix without one is named by its range, parents are left out', async () => {
  const { guess, lines, leftOut } = await read(
    [
      'Prefix,Status,Children,VRF,Utilization,Tenant,Scope,VLAN,Role,Description',
      '198.51.100.0/24,Container,2,Global,50.0%,—,Lisbon,—,—,All of it',
      '• 198.51.100.0/26,Active,0,Global,0.0%,—,Lisbon,—,—,"Servers, public"',
      '• 198.51.100.64/26,Active,0,Global,0.0%,—,Lisbon,—,—,',
      '',
    ].join('\r\n'),
  )
  expect(guess.flatMap((field) => field ?? [])).toEqual(['cidr', 'name'])
  expect(lines).toEqual([
    'cidr,id,id,id,id,id,id,id,id,name,datacenter,device',
    '',
    '198.51.100.0/26,Active,0,Global,0.0%,—,Lisbon,—,—,Servers, public,Lisbon,edge-1',
    '198.51.100.64/26,Active,0,Global,0.0%,—,Lisbon,—,—,198.51.100.64/26,Lisbon,edge-1',
    '',
  ])
  expect(leftOut).toEqual(['198.51.100.0/24'])
})

test("NetBox's own CSV, and a table that has the range under two headings", async () => {
  const own = await read(
    'prefix,vrf,tenant,site,vlan_group,vlan,status,role,is_pool,description\n10.0.0.0/8,,,,,,active,,,A\n',
  )
  expect(own.lines[1]).toBe('10.0.0.0/8,,,,,,active,,,A,Lisbon,edge-1')
  const { guess } = await read('ID,Prefix,Prefix (Flat),Subnet,Name,Description\n')
  expect(guess).toEqual([undefined, 'cidr', undefined, undefined, 'name', undefined])
})

test('subnets of phpIPAM: repeated descriptions get their range, folders and short rows stay for the API to refuse', async () => {
  const { guess, lines } = await read(
    [
      'Section;Subnet;Description;VLAN;VLAN Domain;VRF;Master Subnet',
      'Customers;Offices (folder);Offices;NA;;;/',
      'Customers;203.0.113.0/25;Office;10;default;;Offices [folder]',
      'Customers;203.0.113.128/25;Office;11;default;;Offices [folder]',
      'Customers;192.0.2.0/24',
    ].join('\n'),
    false,
  )
  expect(guess.flatMap((field) => field ?? [])).toEqual(['cidr', 'name'])
  expect(lines).toEqual([
    'id;cidr;name;id;id;id;id;datacenter;device',
    'Customers;Offices (folder);Offices;NA;;;/;Lisbon;edge-1',
    'Customers;203.0.113.0/25;Office;10;default;;Offices [folder];Lisbon;edge-1',
    'Customers;203.0.113.128/25;Office 203.0.113.128/25;11;default;;Offices [folder];Lisbon;edge-1',
    'Customers;192.0.2.0/24;Lisbon;edge-1',
  ])
})

test('what follows a parent with a line break in its cells keeps its line', async () => {
  const { lines } = await read('Prefix,Description\n10.0.0.0/8,"two\nlines"\n10.1.0.0/16,Child\n')
  expect(lines).toEqual(['cidr,name,datacenter,device', '', '', '10.1.0.0/16,Child,Lisbon,edge-1', ''])
})

test('parents of parents, of both families, and a range that is there twice', async () => {
  const ranges = [
    '10.0.0.0/8',
    '10.1.0.0/16',
    '10.1.2.0/24',
    '10.1.2.0/24',
    '10.2.0.0/16',
    '::/0',
    '2001:db8::/32',
  ]
  const { leftOut, lines } = await read(['Network', ...ranges, ''].join('\n'))
  expect(leftOut).toEqual(['10.0.0.0/8', '10.1.0.0/16', '::/0'])
  expect(lines.filter((line) => line.startsWith('10.1.2.0/24'))).toHaveLength(2)
  expect((await read(['Network', ...ranges, ''].join('\n'), false)).leftOut).toEqual([])
})

test('a file that names its networks and their datacenters is taken as it is', () => {
  expect(isOwnTable(fields)).toBe(true)
  expect(isOwnTable(['cidr', 'name'])).toBe(false)
})
