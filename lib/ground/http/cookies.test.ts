import { describe, expect, test } from 'vitest'
import { browserCookies, cookieOf, setCookie } from '#lib/ground/http/cookies'

describe('reading a Cookie header', () => {
  test.each([
    ['auth=T', 'T'],
    ['a=1; auth=T; b=2', 'T'],
    ['a=1;auth=T', 'T'],
    ['  auth = T ', 'T'],
    ['auth="T"', 'T'],
    ['auth=a=b=', 'a=b='],
    ['xauth=1; auth=T; authx=2', 'T'],
    ['Auth=1; auth=T', 'T'],
  ])('%j has the cookie', (header, value) => {
    expect(cookieOf(header, 'auth')).toBe(value)
  })

  test.each([null, '', 'auth', 'auth=', 'auth=""', '=T', 'session=T', 'xauth=T'])(
    '%j has no such cookie',
    (header) => {
      expect(cookieOf(header, 'auth')).toBeUndefined()
    },
  )

  const echoed = setCookie({ name: 'auth', value: 'T', expires: Date.UTC(2027, 0, 7) }, true)

  test('a whole Set-Cookie value that a client echoes is understood', () => {
    expect(cookieOf(echoed, 'auth')).toBe('T')
    expect(cookieOf(`${echoed}; session=S; Expires=Thu, 07 Jan 2027 00:00:00 GMT; Path=/`, 'session')).toBe(
      'S',
    )
  })

  test('several Set-Cookie values joined by commas are understood', () => {
    const session = setCookie({ name: 'session', value: 'S', expires: Date.UTC(2027, 0, 7) }, false)
    const joined = `${echoed}, ${session}`
    expect(cookieOf(joined, 'auth')).toBe('T')
    expect(cookieOf(joined, 'session')).toBe('S')
    expect(cookieOf('auth=T,session=S', 'session')).toBe('S')
  })

  test('an attribute is no cookie, in any case', () => {
    for (const name of ['Path', 'path', 'Expires', 'SameSite', 'Domain', 'Max-Age'])
      expect(cookieOf(`auth=T; ${name}=x`, name)).toBeUndefined()
  })

  test('the last cookie of a repeated name counts', () => {
    expect(cookieOf('auth=old; Path=/, auth=new; Path=/', 'auth')).toBe('new')
  })
})

test('a cookie is set for the whole site and hidden from scripts', () => {
  const cookie = { name: 'auth', value: 'T', expires: 0 }
  expect(setCookie(cookie, false)).toBe(
    'auth=T; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
  )
  expect(setCookie(cookie, true)).toMatch(/; Secure$/)
})

test('cookies of a browser are split only at semicolons, and repeated names are all returned', () => {
  expect(browserCookies('a=1; __Host-x=T;b=2; __Host-x=U', '__Host-x')).toEqual(['T', 'U'])
  for (const header of [null, '', 'a=1,__Host-x=T', 'a="1, __Host-x=T"', 'a=1 __Host-x=T', 'x__Host-x=T'])
    expect(browserCookies(header, '__Host-x')).toEqual([])
})
