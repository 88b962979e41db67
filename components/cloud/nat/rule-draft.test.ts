import { expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import {
  checkRule,
  draftEnds,
  emptyRule,
  machineOf,
  overlapsOf,
  type RuleDraft,
  ruleNames,
  ruleOf,
  settingsDraftOf,
  withMachine,
} from './rule-draft'
import { endText } from './rule-ends'

const machine = machineOf({
  id: 3,
  name: 'web-1',
  label: 'web-1',
  state: 'ON',
  natrules: [],
  ...noNotes,
  links: [
    { rel: 'edit', href: '/vm/3', title: 'web-1' },
    { rel: 'nic0', href: '/privateips/5', title: '10.0.0.5' },
  ],
})

const whole: RuleDraft = {
  ...emptyRule,
  ...withMachine(machine),
  center: { id: 1, name: 'web' },
  appliance: { id: 2, name: 'shop' },
  natIp: { href: '/ips/7', ip: '203.0.113.7' },
}

test('selects the only private IP of a machine', () => {
  expect(whole.privateIp).toEqual({ href: '/privateips/5', ip: '10.0.0.5' })
  const { privateIp } = withMachine({ ...machine, privateIps: [...machine.privateIps, { href: '', ip: '' }] })
  expect(privateIp).toBeUndefined()
})

test('accepts a whole rule, and reports each missing part at its field', () => {
  expect(checkRule(whole)).toEqual({})
  expect(Object.keys(checkRule(emptyRule))).toEqual(['center', 'appliance', 'machine', 'privateIp', 'natIp'])
})

test.each([
  ['443', '8443', {}],
  ['', '', {}],
  ['443', '', { translatedPort: 'portMissing' }],
  ['', '8443', { originalPort: 'portMissing' }],
  ['0', '65536', { originalPort: 'portsWrong', translatedPort: 'portWrong' }],
  ['http', '80', { originalPort: 'portsWrong' }],
  ['2000-2999', '2000', {}],
  ['2000 – 2999', '80', {}],
  ['2000-2000', '80', { originalPort: 'rangeWrong' }],
  ['2000-', '80', { originalPort: 'portsWrong' }],
  ['1-2-3', '80', { originalPort: 'portsWrong' }],
])('ports %j and %j', (originalPort, translatedPort, problems) => {
  expect(checkRule({ ...whole, originalPort, translatedPort })).toEqual(problems)
})

test('sends the user’s choices; a SNAT rule has neither protocol nor ports', () => {
  const links = [
    { rel: 'original', href: '/ips/7' },
    { rel: 'translated', href: '/privateips/5' },
  ]
  expect(ruleOf({ ...whole, originalPort: '443', translatedPort: '8443' })).toEqual({
    machine: '/vm/3',
    rule: { snat: false, protocol: 'TCP', originalPort: 443, translatedPort: 8443, sources: [], links },
  })
  expect(ruleOf(whole).rule).toEqual({ snat: false, protocol: 'TCP', sources: [], links })
  expect(ruleOf({ ...whole, snat: true, originalPort: '443' }).rule).toEqual({
    snat: true,
    links: [
      { rel: 'original', href: '/privateips/5' },
      { rel: 'translated', href: '/ips/7' },
    ],
  })
  expect(() => ruleOf(emptyRule)).toThrow('incomplete')
})

test('previews the rule in the form of the list', () => {
  const { original, translated } = draftEnds({ ...whole, originalPort: '443', translatedPort: '8443' })
  expect([endText(original), endText(translated)]).toEqual(['203.0.113.7:443', '10.0.0.5:8443'])
  expect(endText(draftEnds({ ...whole, snat: true, originalPort: '443' }).original)).toBe('10.0.0.5')
})

test('the links of a rule are its ends, of which one is the NAT IP', () => {
  expect(ruleNames({ snat: true })).toEqual({ original: 'privateIp', translated: 'natIp' })
  expect(ruleNames({ snat: false })).toEqual({
    original: 'natIp',
    translated: 'privateIp',
    originalPortEnd: 'originalPort',
  })
})

test('a range of every protocol is refused', () => {
  const draft: RuleDraft = { ...whole, protocol: 'ANY', originalPort: '80-90', translatedPort: '80' }
  expect(checkRule(draft)).toEqual({ originalPort: 'rangeOfAny' })
})

test('sends a range and the sources, and reads them back', () => {
  const typed = { originalPort: '2000-2999', translatedPort: '2000', sources: ['198.51.100.0/24'] }
  const sent = { originalPort: 2000, originalPortEnd: 2999, translatedPort: 2000, sources: typed.sources }
  expect(ruleOf({ ...whole, ...typed }).rule).toMatchObject(sent)
  expect(settingsDraftOf({ ...sent, id: 1, snat: false, enabled: true, links: [] } as never)).toEqual(typed)
})

test.each([
  ['2000', '10.0.0.5:2000-2999'],
  ['80', '10.0.0.5:80'],
])('a range that becomes %s is previewed', (translatedPort, inside) => {
  const { original, translated } = draftEnds({ ...whole, originalPort: '2000-2999', translatedPort })
  expect([endText(original), endText(translated)]).toEqual(['203.0.113.7:2000-2999', inside])
})

test('asks for the rules that overlap the ports, once they are typed whole', () => {
  const asked = (originalPort: string, translatedPort = '', protocol?: 'TCP' | 'ANY') =>
    overlapsOf({ originalPort, translatedPort, sources: [] }, protocol)
  expect(asked('443', '', 'TCP')).toBe('TCP:443')
  expect(asked('2000 - 2999', '80', 'TCP')).toBe('TCP:2000-2999')
  expect(asked('', '', 'TCP')).toBe('TCP')
  expect(asked('443')).toBe('ANY:443')
  for (const typed of ['2000-', '2000-1', '70000', 'web']) expect(asked(typed, '', 'TCP')).toBeUndefined()
  expect(asked('', '80', 'TCP')).toBeUndefined()
  expect(asked('1-2', '', 'ANY')).toBeUndefined()
})
