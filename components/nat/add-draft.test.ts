import { expect, test } from 'vitest'
import { type AddDraft, cameRun, checkAdd, fieldOfAddFault, ipBody } from './add-draft'

const draft = (changes: Partial<AddDraft>): AddDraft => ({
  mode: 'lowest',
  network: { id: 1, name: 'public', cidr: '203.0.113.0/24' },
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
  ['no address at all', draft({ mode: 'address', ip: '203.0.113' }), { ip: 'noAddress' }],
  ['one of elsewhere', draft({ mode: 'address', ip: '198.51.100.7' }), { ip: 'outside' }],
  ['one of the other version', draft({ mode: 'address', ip: '2001:db8::1' }), { ip: 'outside' }],
  ['a range from anywhere', draft({ mode: 'range', count: '65536' }), {}],
  ['a range of none', draft({ mode: 'range', count: '0' }), { count: 'countWrong' }],
  ['a range without a number', draft({ mode: 'range' }), { count: 'countWrong' }],
  ['a range too large', draft({ mode: 'range', count: '65537' }), { count: 'countWrong' }],
  ['a broken number', draft({ mode: 'range', count: '1.5' }), { count: 'countWrong' }],
])('%s', (_, given, problems) => {
  expect(checkAdd(given)).toEqual(problems)
})

test('only the address that is asked for is sent', () => {
  expect(ipBody(draft({ mode: 'lowest', ip: '203.0.113.7' }))).toEqual({ available: true, quarantine: false })
  expect(ipBody(draft({ mode: 'address', ip: ' 203.0.113.7' }))).toMatchObject({ ip: '203.0.113.7' })
})

test('a fault stands at the field that caused it', () => {
  const fault = (code: string, message = '') => ({ code, message })
  const ofRange = fieldOfAddFault(draft({ mode: 'range' }))
  expect(ofRange(fault('NAT-IP-5'))).toBe('count')
  expect(fieldOfAddFault(draft({}))(fault('NAT-IP-5'))).toBe('mode')
  expect(ofRange(fault('NAT-IP-10'))).toBe('ip')
  expect(ofRange(fault('CONSTR-MAX', 'numips: must be at most 65536'))).toBe('count')
  expect(ofRange(fault('DC-0'))).toBeUndefined()
})

test('a run that came is told by its ends', () => {
  const ip = { id: 1, ip: '10.0.0.250', links: [], available: true, quarantine: false, defaultSnat: false }
  const first = { ...ip, ipv6: false, networkName: 'public' }
  expect(cameRun({ links: [], totalSize: 256, collection: [first] })).toEqual({
    count: 256,
    first: '10.0.0.250',
    last: '10.0.1.249',
  })
})
