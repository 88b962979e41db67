import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListingReader } from '#lib/gateway/listing'

/** As nft 1.0.6 prints it. */
const document = JSON.stringify({
  nftables: [
    { metainfo: { version: '1.0.6', json_schema_version: 1 } },
    { table: { family: 'ip', name: 't', handle: 1 } },
    {
      map: {
        family: 'ip',
        name: 'dnat_ports',
        table: 't',
        handle: 3,
        map: 'ipv4_addr',
        elem: [
          [
            {
              elem: {
                val: { concat: ['203.0.113.1', 'tcp', 80] },
                comment: 'rule 417',
                counter: { packets: 3, bytes: 180 },
              },
            },
            { concat: ['192.168.0.10', 8000] },
          ],
          [
            { elem: { val: { concat: ['203.0.113.1', 'udp', 80] }, comment: 'a "]}, [" of others' } },
            '1.1.1.1',
          ],
        ],
      },
    },
    {
      set: {
        family: 'ip',
        name: 'private',
        table: 't',
        handle: 2,
        type: 'ipv4_addr',
        elem: ['192.168.0.10', '192.168.0.11'],
      },
    },
    {
      map: {
        family: 'ip6',
        name: 'dnat_sources',
        table: 't',
        handle: 7,
        map: 'ipv6_addr',
        flags: ['interval'],
        elem: [
          [
            {
              elem: {
                val: {
                  concat: [
                    '2001:db8::1',
                    'tcp',
                    { range: [90, 99] },
                    { prefix: { addr: '64:ff9b::', len: 96 } },
                  ],
                },
              },
            },
            'fd00::1',
          ],
          [
            { elem: { val: { concat: ['2001:db8::1', 'udp', 90, { range: ['fd00::1', 'fd00::6'] }] } } },
            'fd00::1',
          ],
        ],
      },
    },
    { set: { family: 'ip', name: 'foreign', table: 't', handle: 9, type: 'ipv4_addr', elem: ['10.0.0.1'] } },
    { chain: { family: 'ip', table: 't', name: 'pre', handle: 4, type: 'nat', policy: 'accept' } },
    { chain: { family: 'ip', table: 't', name: 'jumped', handle: 5 } },
    { rule: { family: 'ip', table: 't', chain: 'pre', handle: 6, expr: [{ drop: null }] } },
  ],
})
  .replaceAll('":', '": ')
  .replaceAll(',', ', ')

function read(pieces: string[]) {
  const reader = new ListingReader(new Map())
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return reader.found
}

test('elements, counters and foreign objects come out of a listing', () => {
  const { elements, counters, strange, frame } = read([document])
  expect([...elements.values()].map(({ key, value, rule }) => ({ key, value, rule }))).toEqual([
    { key: '203.0.113.1 . tcp . 80', value: '192.168.0.10 . 8000', rule: 417 },
    { key: '203.0.113.1 . udp . 80', value: '1.1.1.1', rule: undefined },
    { key: '192.168.0.10', value: undefined, rule: undefined },
    { key: '192.168.0.11', value: undefined, rule: undefined },
    { key: '2001:db8::1 . tcp . 90-99 . 64:ff9b::/96', value: 'fd00::1', rule: undefined },
    { key: '2001:db8::1 . udp . 90 . fd00::1-fd00::6', value: 'fd00::1', rule: undefined },
  ])
  expect([...counters]).toEqual([['ip dnat_ports 203.0.113.1 . tcp . 80', { packets: 3, bytes: 180 }]])
  expect(strange).toEqual([
    { family: 'ip', kind: 'set', name: 'foreign' },
    { family: 'ip', kind: 'chain', name: 'jumped' },
  ])
  expect(frame).toContain('"policy":"accept"')
  expect(frame).not.toContain('handle')
})

test('the chunks of a listing make no difference', () => {
  const whole = read([document])
  fc.assert(
    fc.property(fc.array(fc.nat(document.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), document.length]
      expect(read(places.map((place, index) => document.slice(place, places[index + 1])))).toEqual(whole)
    }),
  )
})

test('a listing that breaks off is an error', () => {
  expect(() => read([document.slice(0, -20)])).toThrow(SyntaxError)
})
