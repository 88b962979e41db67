import { expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { type AddDraft, addedIps, addNames, checkAdd, ipBody } from './add-draft'

const draft = (changes: Partial<AddDraft>): AddDraft => ({
  mode: 'lowest',
  network: { id: 1, name: 'public', cidr: '203.0.113.0/24', ips: 54 },
  ip: '',
  count: '',
  available: true,
  quarantine: false,
  ...changes,
})

test.each([
  ['the lowest free one', draft({}), {}],
  ['no network', draft({ network: undefined }), { network: 'networkMissing' }],
  ['an address', draft({ mode: 'address', ip: ' 203.0.113.7 ' }), {}],
  ['no address', draft({ mode: 'address' }), { ip: 'ipMissing' }],
  ['a text that is no address', draft({ mode: 'address', ip: '203.0.113' }), { ip: 'noAddress' }],
  ['an address of another network', draft({ mode: 'address', ip: '198.51.100.7' }), { ip: 'outside' }],
  ['an address of the other version', draft({ mode: 'address', ip: '2001:db8::1' }), { ip: 'outside' }],
  ['a range without a first address', draft({ mode: 'range', count: '200' }), {}],
  ['more than are free', draft({ mode: 'range', count: '201' }), { count: 'countWrong' }],
  [
    'a range of a full network',
    draft({
      mode: 'range',
      count: '1',
      network: { id: 1, name: 'public', cidr: '203.0.113.0/24', ips: 254 },
    }),
    { count: 'noneFree' },
  ],
  ['an empty range', draft({ mode: 'range', count: '0' }), { count: 'countWrong' }],
  ['a range without a number', draft({ mode: 'range' }), { count: 'countWrong' }],
  ['a range too large', draft({ mode: 'range', count: '65537' }), { count: 'countWrong' }],
  ['a broken number', draft({ mode: 'range', count: '1.5' }), { count: 'countWrong' }],
])('%s', (_, added, problems) => {
  expect(checkAdd(added)).toEqual(problems)
})

test('sends only the requested address', () => {
  expect(ipBody(draft({ mode: 'lowest', ip: '203.0.113.7' }))).toEqual({ available: true, quarantine: false })
  expect(ipBody(draft({ mode: 'address', ip: ' 203.0.113.7' }))).toMatchObject({ ip: '203.0.113.7' })
})

test('a fault of the address is shown at the choice of none where the API chooses it', () => {
  expect(addNames({ mode: 'range' })).toEqual({ numips: 'count', ip: 'ip' })
  expect(addNames({ mode: 'lowest' }).ip).toBe('mode')
})

test('names the first and the last address of an added range', () => {
  const ip = { id: 1, ip: '10.0.0.250', links: [], available: true, quarantine: false, defaultSnat: false }
  const first = { ...ip, ipv6: false, networkName: 'public', rules: 0, ...noNotes }
  expect(addedIps({ links: [], totalSize: 256, collection: [first] })).toEqual({
    count: 256,
    first: '10.0.0.250',
    last: '10.0.1.249',
  })
})
