import { expect, test } from 'vitest'
import { endpointText, portsText } from '#lib/ground/net/endpoints'

test.each([
  ['192.0.2.1', portsText(80), '192.0.2.1:80'],
  ['192.0.2.1', portsText(2000, 2999), '192.0.2.1:2000-2999'],
  ['192.0.2.1', portsText(), '192.0.2.1'],
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['2001:db8::1', portsText(80), '[2001:db8::1]:80'],
  ['2001:db8::1', portsText(), '2001:db8::1'],
])('%s and the ports %s are %s', (address, ports, text) => expect(endpointText(address, ports)).toBe(text))
