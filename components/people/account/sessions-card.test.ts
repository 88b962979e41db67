import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { deviceName } from './sessions-card'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'account.device' })

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/130.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0', 'Firefox on Windows'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/130.0.0.0 Safari/537.36 Edg/130.0`,
    'Microsoft Edge on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
])('a browser is named with its system: %s', (userAgent, name) => {
  expect(deviceName(say, userAgent)).toBe(name)
})

test.each([
  ['curl/8.5.0', 'Program (curl 8.5)'],
  ['python-requests/2.31.0', 'Program (python-requests 2.31)'],
  ['aws-cli/2.15.30 Python/3.11 Linux/5.10 botocore/2.4', 'Program (aws-cli 2.15)'],
  ['Go-http-client/1.1', 'Program (Go-http-client 1.1)'],
  ['tool/v3', 'Program (tool 3)'],
  ['tool/2024-beta+7', 'Program (tool/2024-beta+7)'],
  ['node', 'Program (node)'],
])('a program is named by its first product: %s', (userAgent, name) => {
  expect(deviceName(say, userAgent)).toBe(name)
})

test.each(['', '  ', 'Mozilla/5.0', 'Mozilla/5.0 (compatible; Somebody/1.0)'])(
  '%j is nothing known',
  (userAgent) => {
    expect(deviceName(say, userAgent)).toBe('Unknown device')
  },
)

test('a very long name is shortened', () => {
  expect(deviceName(say, 'x'.repeat(255))).toHaveLength('Program ()'.length + 40)
})
