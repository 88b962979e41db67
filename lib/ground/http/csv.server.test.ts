import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newUser, unique } from '#lib/tools/testing/client'
import { csvOf, readCsv } from '#lib/tools/testing/csv'
import { networksPath, newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'

const LIST = '/api/admin/datacenters'

const CSV = 'text/csv; charset=utf-8; header=present'

const typeOf = async (path: string, accept?: string) => {
  const response = await call('GET', path, { headers: accept === undefined ? {} : { accept } })
  return response.ok ? response.headers.get('content-type') : response.status
}

/** Creates a datacenter with this name. Returns its CSV row without the id. */
async function rowOf(name: string, location = 'Here'): Promise<string> {
  const { id } = await expectStatus(201, call('POST', LIST, { body: { name, location } }))
  const text = await csvOf(`${LIST}?by=id&asc=false&limit=1`)
  const [header] = text.split('\r\n', 1)
  const before = `${header}\r\n${id},`
  expect(text.startsWith(before)).toBe(true)
  return text.slice(before.length)
}

describe('a list as text/csv', () => {
  test('is a download with a file name, which must not be stored', async () => {
    const { status, headers } = await call('GET', LIST, { headers: { accept: 'text/csv' } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(CSV)
    expect(headers.get('content-disposition')).toBe('attachment; filename="datacenters.csv"')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-service-token')).toBeTruthy()
  })

  test('is no download in JSON', async () => {
    expect((await call('GET', LIST)).headers.get('content-disposition')).toBeNull()
  })

  test.each([
    'text/csv',
    'TEXT/CSV',
    'text/csv; charset=utf-8; header=present',
    'text/csv, application/json;q=0.9',
    'text/html, text/csv;q=0.1',
    'application/json;q=0.5, text/csv;q=0.6',
  ])('is sent for Accept %s', async (accept) => {
    expect(await typeOf(LIST, accept)).toBe(CSV)
  })

  test.each([
    [undefined, 'application/vnd.service.datacenters+json'],
    ['*/*', 'application/vnd.service.datacenters+json'],
    ['text/csv;q=0, */*', 'application/vnd.service.datacenters+json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/xml, text/csv', 'text/xml'],
    ['text/csv;q=0', 406],
  ])('for Accept %s the response is %s', async (accept, expected) => {
    expect(await typeOf(LIST, accept)).toBe(expected)
  })

  test('has the same pages as JSON, with 25 items by default', async () => {
    const word = unique('page')
    for (const last of [3, 1, 2]) await newDatacenter(`${word} ${last}`)
    const query = `?has=${encodeURIComponent(word)}`
    const names = async (more: string) => (await readCsv(LIST + query + more)).rows.map(({ name }) => name)
    expect(await names('')).toEqual([`${word} 1`, `${word} 2`, `${word} 3`])
    expect(await names('&asc=false&limit=2')).toEqual([`${word} 3`, `${word} 2`])
    expect(await names('&limit=2&startwith=2')).toEqual([`${word} 3`])
    expect(await names('&limit=0&by=id')).toEqual([`${word} 3`, `${word} 1`, `${word} 2`])
  })

  test('has a header row even if there are no items', async () => {
    const nothing = encodeURIComponent(unique('nothing'))
    for (const limit of [25, 0])
      expect(await csvOf(`${LIST}?has=${nothing}&limit=${limit}`)).toBe(
        'id,name,location,description,tags\r\n',
      )
  })

  test.each(['', '?limit=0'])('has the same headers in response to HEAD (%j)', async (query) => {
    const response = await call('HEAD', LIST + query, { headers: { accept: 'text/csv' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, CSV])
    expect(response.headers.get('content-disposition')).toContain('datacenters.csv')
    expect(await response.text()).toBe('')
  })
})

describe('format=csv', () => {
  test.each([undefined, 'application/xml', 'text/html,application/xhtml+xml,*/*;q=0.8', 'image/png'])(
    'takes precedence over Accept %s',
    async (accept) => {
      expect(await typeOf(`${LIST}?format=csv`, accept)).toBe(CSV)
    },
  )

  test('counts if it is the last format in the query', async () => {
    expect(await typeOf(`${LIST}?format=xml&format=csv`)).toBe(CSV)
    expect(await refusal(call('GET', `${LIST}?format=csv&format=xml`))).toEqual([400, 'GEN-22'])
  })

  test.each(['json', 'xlsx', 'CSV', ''])('is the only format: %j is refused', async (format) => {
    expect(await refusal(call('GET', `${LIST}?format=${format}`))).toEqual([400, 'GEN-22'])
  })
})

describe('a resource without CSV', () => {
  test.each([
    '/api/admin/scopes/1',
    '/api/admin/scopes/action/tree',
    '/api/config/privileges',
    '/api/cloud/locations',
    '/api/session/sessions',
    '/api/admin/enterprises/1',
  ])('%s is 406', async (path) => {
    expect(await typeOf(path, 'text/csv')).toBe(406)
    expect(await typeOf(`${path}?format=csv`, 'application/json')).toBe(406)
    expect(await typeOf(path, 'text/csv, application/json;q=0.1')).toBe('application/json')
  })

  test('a write that requires a CSV response is 406 and changes nothing', async () => {
    const name = unique('Datacenter')
    const asked = [
      call('POST', LIST, { body: { name }, headers: { accept: 'text/csv' } }),
      call('POST', `${LIST}?format=csv`, { body: { name } }),
    ]
    for (const each of asked) expect(await refusal(each)).toEqual([406, '406-NOT-ACCEPTABLE'])
    expect((await readCsv(`${LIST}?has=${encodeURIComponent(name)}`)).rows).toEqual([])
  })
})

describe('a refused request for CSV', () => {
  const missing = `${networksPath(999_999_999)}?format=csv&limit=0`

  test('gets an error document, in JSON by default', async () => {
    const response = await call('GET', missing, { headers: { accept: 'text/csv' } })
    expect(response.headers.get('content-type')).toBe('application/vnd.service.errors+json')
    expect(response.headers.get('content-disposition')).toBeNull()
    expect([response.status, await codesOf(response)]).toEqual([404, ['DC-0']])
    const xml = await call('GET', missing, { headers: { accept: 'application/xml' } })
    expect(await xml.text()).toContain('<code>DC-0</code>')
    const problem = await call('GET', missing, { headers: { accept: 'text/csv, application/problem+json' } })
    expect(await problem.json()).toMatchObject({ status: 404, code: 'DC-0' })
  })

  test('gets the same codes as one for JSON', async () => {
    expect(await refusal(call('GET', `${LIST}?format=csv&limit=x`))).toEqual([400, 'GEN-22'])
    expect(await refusal(call('GET', `${LIST}?format=csv&by=x`))).toEqual([400, 'QUERY-0'])
    expect((await call('GET', `${LIST}?format=csv`, { as: null })).status).toBe(401)
    const as = await newUser({ privileges: ['EVENTLOG_VIEW_ALL'] })
    expect((await call('GET', `${LIST}?format=csv`, { as })).status).toBe(403)
  })
})

describe('a CSV cell', () => {
  const mark = unique('cell')

  test.each([
    [`${mark} plain; it's`, `${mark} plain; it's`],
    [`${mark}, and more`, `"${mark}, and more"`],
    [`${mark} "quoted"`, `"${mark} ""quoted"""`],
    [`"${mark}"`, `"""${mark}"""`],
    [`${mark}\nbelow`, `"${mark}\nbelow"`],
    [`${mark}\r\nbelow`, `"${mark}\r\nbelow"`],
    [`${mark}\rover`, `"${mark}\rover"`],
    [`${mark} Zürich Ελλάδα 東京 👩‍🚀`, `${mark} Zürich Ελλάδα 東京 👩‍🚀`],
    [` ${mark}\tspaced `, ` ${mark}\tspaced `],
  ])('with %j is written as %j (RFC 4180)', async (name, written) => {
    expect(await rowOf(name)).toBe(`${written},Here,,\r\n`)
  })

  test.each(['=', '+', '-', '@', '\t', '\r'])(
    'that begins with %j is escaped, so that no spreadsheet runs it as a formula',
    async (first) => {
      const name = `${first}${mark}()`
      const guarded = first === '\r' ? `"'${name}"` : `'${name}`
      expect(await rowOf(name, `${first}1+1`)).toBe(
        `${guarded},${first === '\r' ? `"'${first}1+1"` : `'${first}1+1`},,\r\n`,
      )
      expect(await rowOf(`${first}"${mark}",`)).toBe(`"'${first}""${mark}"",",Here,,\r\n`)
    },
  )

  test('that begins with an apostrophe and such a sign gets one more', async () => {
    expect(await rowOf(`'=${mark}`)).toBe(`''=${mark},Here,,\r\n`)
  })

  test.each(['a=', "'a", '1-', ' =', '#'])('that begins with %j is unchanged', async (first) => {
    expect(await rowOf(`${first}${mark}`)).toBe(`${first}${mark},Here,,\r\n`)
  })
})
