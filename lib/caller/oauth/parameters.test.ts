import { describe, expect, test } from 'vitest'
import {
  isOAuthHeader,
  normalize,
  readAuthorization,
  readForm,
  signatureBase,
} from '#lib/caller/oauth/parameters.server'
import { percentEncode } from '#lib/ground/http/percent-encode'

describe('percent-encoding (RFC 5849 §3.6)', () => {
  test.each([
    ['abcABC123', 'abcABC123'],
    ['-._~', '-._~'],
    ['%', '%25'],
    ['+', '%2B'],
    [' ', '%20'],
    ["!*'()", '%21%2A%27%28%29'],
    ['&=*', '%26%3D%2A'],
    ['\n', '%0A'],
    ['\u{7f}\u{80}', '%7F%C2%80'],
    ['☃', '%E2%98%83'],
    ['😀', '%F0%9F%98%80'],
  ])('%j becomes %s', (text, encoded) => {
    expect(percentEncode(text)).toBe(encoded)
  })
})

describe('an Authorization header (RFC 5849 §3.5.1)', () => {
  test('is parsed into its decoded parameters, without the realm', () => {
    const header =
      'OAuth realm="Example", oauth_consumer_key="0685bd9184jfhq22", oauth_token="ad180jjd733klru7",oauth_signature="wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D" , oauth_version="1.0"'
    expect(readAuthorization(header)).toEqual([
      ['oauth_consumer_key', '0685bd9184jfhq22'],
      ['oauth_token', 'ad180jjd733klru7'],
      ['oauth_signature', 'wOJIO9A2W5mFwDgiDvZbTSMK/PY='],
      ['oauth_version', '1.0'],
    ])
  })

  test('may have a comma within quotes, an empty value, and an encoded name', () => {
    expect(readAuthorization('OAuth realm="a,b=c", oauth%5Ftoken="", x="%2C"')).toEqual([
      ['oauth_token', ''],
      ['x', ','],
    ])
  })

  test.each(['OAuth x', 'OAuth x="%zz"', 'OAuth ="y"', 'OAuth x="a"b'])('cannot be read: %s', (header) => {
    expect(readAuthorization(header)).toBeUndefined()
  })

  test('is recognized by its scheme in any case', () => {
    expect(['OAuth x="y"', 'oauth x', 'OAUTH', 'OAuthX', 'Basic x', null].map(isOAuthHeader)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

/** RFC 5849 §3.4.1.3.1 and §3.4.1.3.2. */
const example = [
  ...readForm('b5=%3D%253D&a3=a&c%40=&a2=r%20b'),
  ...(readAuthorization(
    'OAuth realm="Example",oauth_consumer_key="9djdj82h48djs9d2",oauth_token="kkk9d7dh3k39sjv7",oauth_signature_method="HMAC-SHA1",oauth_timestamp="137131201",oauth_nonce="7d8f3e4a",oauth_signature="djosJKDKJSD8743243%2Fjdk33klY%3D"',
  ) ?? []),
  ...readForm('c2&a3=2+q'),
]

test('the parameters of the RFC’s example are collected by §3.4.1.3.1', () => {
  expect(example.map(([name, value]) => `${name}|${value}`)).toEqual([
    'b5|=%3D',
    'a3|a',
    'c@|',
    'a2|r b',
    'oauth_consumer_key|9djdj82h48djs9d2',
    'oauth_token|kkk9d7dh3k39sjv7',
    'oauth_signature_method|HMAC-SHA1',
    'oauth_timestamp|137131201',
    'oauth_nonce|7d8f3e4a',
    'oauth_signature|djosJKDKJSD8743243/jdk33klY=',
    'c2|',
    'a3|2 q',
  ])
})

test('and normalized by §3.4.1.3.2', () => {
  expect(normalize(example)).toBe(
    'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9djdj82h48djs9d2&oauth_nonce=7d8f3e4a&oauth_signature_method=HMAC-SHA1&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7',
  )
})

test('the signature base string of the RFC’s example (§3.4.1.1)', () => {
  expect(signatureBase('post', 'http://EXAMPLE.COM:80/request', example)).toBe(
    'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
  )
})

test.each([
  ['http://EXAMPLE.COM:80/r%20v/X?id=123', 'http://example.com/r%20v/X'],
  ['https://www.example.net:8080/?q=1', 'https://www.example.net:8080/'],
  ['https://example.net:443/a', 'https://example.net/a'],
])('the base string address of %s is %s (§3.4.1.2)', (address, base) => {
  expect(signatureBase('GET', address, [])).toBe(`GET&${percentEncode(base)}&`)
})

test('parameters are sorted by their encoded bytes, not as text', () => {
  const parameters = [
    ['é', '1'],
    ['z', '2'],
    ['a b', '3'],
    ['a-b', '4'],
    ['a', 'ü'],
    ['a', 'z'],
  ] as const
  expect(normalize(parameters)).toBe('%C3%A9=1&a=%C3%BC&a=z&a%20b=3&a-b=4&z=2')
})
