import { describe, expect, test } from 'vitest'
import { csvRows } from '#lib/ground/http/read-csv.server'
import { call, codesOf, expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import { natSample } from '#lib/tools/testing/nat-sample'
import { newScope } from '#lib/tools/testing/scopes'

const { datacenter, networks, seen, limited } = await natSample()

const entities = ['enterprises', 'scopes', 'roles', 'users', 'natnetworks', 'natips', 'natrules']

const headers = { 'content-type': 'text/csv' }

const plan = (entity: string, body: string, { as, mode }: { as?: User; mode?: string } = {}) =>
  expectStatus(
    201,
    call('POST', `/api/plans?entity=${entity}${mode ? `&mode=${mode}` : ''}`, {
      body,
      headers,
      ...(as && { as }),
    }),
  )

const table = (entity: string, as?: User): Promise<string> =>
  expectStatus(
    200,
    call('GET', `/api/export?entity=${entity}`, { headers: { accept: 'text/csv' }, ...(as && { as }) }),
  )

describe('the export as a table', () => {
  test.each(entities)('of %s has no differences from what is there', async (entity) => {
    for (const as of [undefined, limited]) {
      if (as && entity !== 'natips') continue
      const made = await plan(entity, await table(entity, as), { mode: 'replace', ...(as && { as }) })
      expect(made.refusals).toEqual([])
      expect(made.operations).toEqual([])
    }
  })

  test('has the columns of the list', async () => {
    const [first] = (await table('scopes')).split('\r\n')
    const list = await expectStatus(200, call('GET', '/api/admin/scopes?format=csv'))
    expect(list).toMatch(new RegExp(`^${first}\r\n`))
  })

  test('is only there for one list', async () => {
    await expectStatus(406, call('GET', '/api/export', { headers: { accept: 'text/csv' } }))
    await expectStatus(406, call('GET', '/api/export?format=csv'))
  })
})

describe('a table of what should be', () => {
  test('names resources, and its ids are ignored', async () => {
    const name = unique('=1+1')
    const text = `id,name,parent,parentId,enterprises\r\n99,'${name},,3,"${seen.name}"\r\n,"''${name}",'${name},,\r\n`
    const made = await plan('scopes', text)
    expect(made.refusals).toEqual([])
    expect(made.operations).toEqual([
      expect.objectContaining({ operation: 'create', name, line: 2 }),
      expect.objectContaining({ operation: 'create', name: `'${name}`, line: 3 }),
    ])
    await expectStatus(200, call('POST', `/api/plans/${made.id}/action/apply`))
    expect((await plan('scopes', await table('scopes'))).operations).toEqual([])
    expect((await plan('scopes', text)).operations).toEqual([])
  })

  test('separates names by a bar', async () => {
    const scope = await newScope({ name: unique('Contents') })
    const made = await plan(
      'scopes',
      `name;enterprises;datacenters\n${scope.name};${seen.name};${datacenter.name}\n`,
    )
    expect(made.operations[0].changes).toEqual([
      { field: 'enterprises', before: '', after: seen.name },
      { field: 'datacenters', before: '', after: datacenter.name },
    ])
    const role = unique('Role')
    const roles = await plan('roles', `name,privileges\n${role},USERS_VIEW|ENTERPRISE_ENUMERATE\n`)
    expect(roles.operations[0].changes).toEqual([
      { field: 'privileges', after: 'ENTERPRISE_ENUMERATE|USERS_VIEW' },
    ])
  })

  test('reports the line and the column of each fault', async () => {
    const at = `${datacenter.name},${networks.four.name}`
    const text = [
      'datacenter,network,ip,available',
      `${at},10.0.0.2,true`,
      '',
      `${at},10.0.0.300,true`,
      `${at},10.0.0.3,perhaps`,
      `"${datacenter.name}","no\nsuch",10.0.0.4,`,
      `${at},10.9.9.9,TRUE`,
      `${at},10.0.0.5`,
    ].join('\r\n')
    const { refusals } = await plan('natips', text)
    expect(refusals.map(({ line, field, code }: Record<string, unknown>) => [line, field, code])).toEqual([
      [4, 'ip', 'CONSTR-PATTERN'],
      [5, 'available', 'GEN-3'],
      [9, undefined, 'CONSTR-LENGTH'],
      [6, 'network', 'NAT-NET-1'],
      [8, 'ip', 'NAT-IP-9'],
    ])
  })

  test('creates users with a password, which nothing shows', async () => {
    const [nick, password] = [unique('bea'), 'a long enough secret']
    const role = (await expectStatus(200, call('GET', '/api/export?entity=users'))).users[0].role
    const text = `nick,name,enterprise,role,password,allowedCIDRs\r\n${nick},Bea,${seen.name},${role},${password},127.0.0.0/8|::1/128\r\n`
    const response = await call('POST', '/api/plans?entity=users', { body: text, headers })
    const shown = await response.text()
    expect(shown).not.toContain(password)
    const { id } = JSON.parse(shown)
    await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))
    await expectStatus(200, call('GET', '/api/login', { as: { nick, password } }))
    expect((await plan('users', text)).operations).toEqual([])
  })

  test.each([
    ['', ['GEN-3']],
    ['name,colour\n', ['GEN-3']],
    ['name,name\n', ['GEN-3']],
    ['parent\n', ['GEN-3']],
    ['name\n"open\n', ['GEN-3']],
    ['name\n"a"b\n', ['GEN-3']],
    ['name\na"b"\n', ['GEN-3']],
  ])('%j is refused as a whole', async (body, codes) => {
    expect(await codesOf(call('POST', '/api/plans?entity=scopes', { body, headers }))).toEqual(codes)
  })

  test('with wrong quotes is refused by line, and its text is not quoted', async () => {
    const body = 'nick,password\r\n"a\r\nb",one two three\r\nc,"one two"three\r\n'
    const [refusal] = (await expectStatus(400, call('POST', '/api/plans?entity=users', { body, headers })))
      .collection
    expect(refusal).toEqual({ code: 'GEN-3', message: expect.stringContaining('line 4') })
    expect(refusal.message).not.toContain('three')
  })

  test('needs the name of its list', async () => {
    for (const query of ['', '?entity=clouds', '?entity=scopes&mode=all'])
      expect(await codesOf(call('POST', `/api/plans${query}`, { body: 'name\n', headers }))).toEqual([
        'GEN-22',
      ])
    const as = await newUser({ privileges: [] })
    await expectStatus(403, call('POST', '/api/plans?entity=scopes', { body: 'name\n', headers, as }))
  })
})

test.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['\ufeffa\n1', [['a'], ['1']]],
  [
    'a;b\r1;"2;3"\r',
    [
      ['a', 'b'],
      ['1', '2;3'],
    ],
  ],
  [
    'a,b\n"1 ""x""\n",\n\n,',
    [
      ['a', 'b'],
      ['1 "x"\n', ''],
      ['', ''],
    ],
  ],
])('the rows of %j', async (text, rows) => {
  const read: string[][] = []
  for await (const { cells } of csvRows([text])) read.push(cells)
  expect(read).toEqual(rows)
})

test('pieces of the text end between letters', async () => {
  const cells = Array.from({ length: 5000 }, (_, index) => '😀'.repeat((index % 7) + 1))
  const read: string[] = []
  for await (const row of csvRows([cells.join('\r\n')])) read.push(...row.cells)
  expect(read).toEqual(cells)
})

test('each row has its first line, also after cells with line breaks', async () => {
  const text = 'a,b\r\n"1\r\n2\n3",x\r\n\r\n4,ø\r5,y'
  const lines: number[] = []
  for await (const { line } of csvRows([text])) lines.push(line)
  expect(lines).toEqual([1, 2, 6, 7])
})
