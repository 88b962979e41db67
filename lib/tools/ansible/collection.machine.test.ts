import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { admin } from '#lib/tools/testing/client'
import { ownDatabase } from '#lib/tools/testing/own-database'

/** Prints the result of each task in a line. */
const printer = `import json
from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'stdout'
    CALLBACK_NAME = 'lines'

    def v2_runner_on_ok(self, result):
        print(json.dumps(result._result))

    def v2_runner_on_failed(self, result, ignore_errors=False):
        print(json.dumps(result._result))
`

/* Debian's ansible-core: each task of a playbook twice, and in check mode before it. */

const isThere = spawnSync('ansible-playbook', ['--version']).status === 0

let api: ApiProcess
let folder = ''
let token = ''

const made = async (path: string, body: object) => {
  const answer = await ask(api, `/api${path}`, { as: admin, body })
  expect(answer.status, path).toBe(201)
  return answer.json()
}

const read = async (path: string) => (await ask(api, `/api${path}`, { as: admin })).json()

const to = (rel: string, href: string) => ({ links: [{ rel, href }] })

beforeAll(async () => {
  if (!isThere) return
  api = await startApi(await ownDatabase())
  folder = mkdtempSync(join(tmpdir(), 'ansible-'))
  const collection = join(folder, 'ansible_collections/cloud/console')
  mkdirSync(collection, { recursive: true })
  cpSync('deploy/ansible', collection, { recursive: true })
  writeFileSync(join(folder, 'lines.py'), printer)
  const { id } = await read('/login')
  token = (await made(`/admin/enterprises/_/users/${id}/tokens`, { name: 'Ansible' })).token
  const datacenter = await made('/admin/datacenters', { name: 'Madrid', location: 'Here' })
  const types = await read('/config/devicetypes')
  const type = types.collection.find(({ nat }: { nat?: boolean }) => nat) ?? types.collection[0]
  await made(`/cloud/locations/${datacenter.id}/devices`, {
    name: 'edge-1',
    ...to('devicetype', type.links[0].href),
  })
})

afterAll(async () => {
  if (!isThere) return
  await api.stop()
  rmSync(folder, { recursive: true })
})

const environment = () => ({
  ...process.env,
  ANSIBLE_COLLECTIONS_PATH: folder,
  ANSIBLE_HOME: join(folder, 'home'),
  ANSIBLE_LOCALHOST_WARNING: 'false',
  ANSIBLE_INVENTORY_UNPARSED_WARNING: 'false',
  ANSIBLE_CALLBACK_PLUGINS: folder,
  ANSIBLE_STDOUT_CALLBACK: 'lines',
  API_URL: `${api.url}/api`,
  API_TOKEN: token,
  LC_ALL: 'C.UTF-8',
})

const run = promisify(execFile)

type Result = { changed: boolean; msg?: string; operations?: object[] }

/** Runs these tasks, and gives the result of each. */
async function play(tasks: object[], ...options: string[]): Promise<Result[]> {
  const file = join(folder, 'play.yml')
  writeFileSync(file, JSON.stringify([{ hosts: 'localhost', gather_facts: false, tasks }]))
  const { stdout } = await run('ansible-playbook', [file, ...options], {
    env: environment(),
    maxBuffer: 2 ** 24,
  }).catch((error: { stdout: string }) => error)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const task = (module: string, options: object) => ({ [`cloud.console.${module}`]: options })

const network = { datacenter: 'Madrid', name: 'Public', cidr: '203.0.113.0/24', device: 'edge-1' }

const hasLint = spawnSync('ansible-lint', ['--version']).status === 0

test.runIf(hasLint)(
  'ansible-lint finds nothing against its profile for production',
  { timeout: 120_000 },
  () => {
    const lint = join(mkdtempSync(join(tmpdir(), 'ansible-lint-')), 'ansible_collections/cloud/console')
    try {
      cpSync('deploy/ansible', lint, { recursive: true })
      const { status, stdout, stderr } = spawnSync(
        'ansible-lint',
        ['--offline', '--nocolor', '--profile', 'production'],
        { cwd: lint, encoding: 'utf8' },
      )
      expect({ status, said: status === 0 || stdout + stderr }).toEqual({ status: 0, said: true })
    } finally {
      rmSync(join(lint, '../../..'), { recursive: true })
    }
  },
)

describe.runIf(isThere)('the Ansible collection', { timeout: 300_000 }, () => {
  test.each([
    ['enterprise', { name: 'Acme', tags: ['=1+1', '{{ 7 * 7 }}'] }, { description: 'Anvils' }],
    ['scope', { name: 'Iberia', enterprises: ['Acme'] }, { automatic_add_datacenter: true }],
    ['role', { name: 'Auditor', privileges: [] }, { description: 'Reads' }],
    [
      'user',
      { nick: 'ada', name: 'Ada', email: 'ada@example.com', enterprise: 'Acme', role: 'Auditor' },
      { active: false },
    ],
    ['nat_network', network, { description: 'Addresses' }],
    ['nat_ip', { datacenter: 'Madrid', network: 'Public', ip: '203.0.113.7' }, { quarantine: true }],
  ])('%s: check mode says what happens; then nothing is left to do', async (module, options, change) => {
    const of = (...all: object[]) => all.map((each) => task(module, { ...options, ...each }))
    const [checked] = await play(of({}), '--check', '--diff')
    const [created, again, changed, once] = await play(of({}, {}, change, change))
    expect([checked, created, again, changed, once].map((result) => result?.changed)).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
    expect(checked?.operations).toEqual(created?.operations)
  })

  test('an address or a token that cannot be used is refused with its reason, and no token is shown', async () => {
    const role = (connection: object) => ({
      ...task('role', { name: 'Auditor', ...connection }),
      ignore_errors: true,
    })
    const results = await play([
      role({ api_url: api.url, api_token: `${token}\n` }),
      role({ api_url: 'http://cloud.example.com/api' }),
      role({ api_url: 'cloud.example.com' }),
      role({ api_token: 'sat_secret\nof_two_lines' }),
      role({ api_token: 'sat_wrong' }),
    ])
    expect(results[0]).toMatchObject({ changed: false, operations: [] })
    expect(results.slice(1).map(({ msg }) => msg)).toEqual([
      'http://cloud.example.com is not encrypted: others could read the token. Use https, or set insecure.',
      'api_url is no address. Example: https://cloud.example.com/api',
      'api_token must be one word of ASCII letters',
      'The server answered 401: the token is wrong, has expired, or may not be used from here',
    ])
    const [sent] = await play([role({ api_url: 'http://cloud.invalid/api', insecure: true })])
    expect(sent?.msg).toMatch(/^http:\/\/cloud.invalid\/api cannot be reached/)
  })

  test('what is absent is deleted once', async () => {
    const gone = task('nat_ip', {
      datacenter: 'Madrid',
      network: 'Public',
      ip: '203.0.113.7',
      state: 'absent',
    })
    expect((await play([gone, gone])).map(({ changed }) => changed)).toEqual([true, false])
  })

  test('a plan is refused with thing, field and code, and changes nothing', async () => {
    const document = { scopes: [{ name: 'Fine' }, { name: 'Lost', parent: 'Nowhere' }] }
    const [result] = await play([task('plan', { document })])
    expect(result?.msg).toContain('scopes Lost parent: SCOPE-1')
    const scopes = await read('/admin/scopes?has=fine')
    expect(scopes.totalSize).toBe(0)
  })

  test('the passwords of a plan are in no output', async () => {
    const password = 'seven green lamps'
    const user = { nick: 'bob', name: 'Bob', enterprise: 'Acme', role: 'Auditor', password }
    const [result] = await play([task('plan', { document: { users: [user] } })], '--check', '--diff')
    expect(result).toMatchObject({ changed: true, operations: [{ name: 'bob' }] })
    expect(JSON.stringify(result)).not.toContain(password)
  })

  test('next_free_ip gives each key its address, the same each time, and check mode creates none', async () => {
    const lookup = (key: string) =>
      `{{ lookup('cloud.console.next_free_ip', '${key}', datacenter='Madrid', network='Public') }}`
    const asked = { 'ansible.builtin.debug': { msg: `${lookup('web')} ${lookup('mail')} ${lookup('web')}` } }
    const [checked] = await play([asked], '--check')
    expect(checked?.msg).toBe('203.0.113.1 203.0.113.1 203.0.113.1')
    const [first] = await play([asked])
    const [second] = await play([asked])
    expect([first?.msg, second?.msg]).toEqual(Array(2).fill('203.0.113.1 203.0.113.2 203.0.113.1'))
    const [next] = await play([{ 'ansible.builtin.debug': { msg: lookup('other') } }], '--check')
    expect(next?.msg).toBe('203.0.113.3')
    const { collection } = await read('/admin/datacenters')
    const datacenter = `/admin/datacenters/${collection[0].id}/natnetworks`
    const { collection: networks } = await read(datacenter)
    await made(`${datacenter}/${networks[0].id}/ips`, { tags: ['ANSIBLE web'] })
    const [taken] = await play([asked])
    expect(taken?.msg).toContain('Several NAT IPs of the network Public have the tag')
  })

  test('machines come by scope and tag, and no name that a user wrote is run', async () => {
    const { collection: datacenters } = await read('/admin/datacenters')
    const { collection: enterprises } = await read('/admin/enterprises?has=acme')
    const [datacenter, enterprise] = [datacenters[0].id, enterprises[0].id]
    const center = await made('/cloud/virtualdatacenters', {
      name: 'Shop',
      links: [
        { rel: 'enterprise', href: `/api/admin/enterprises/${enterprise}` },
        { rel: 'location', href: `/api/cloud/locations/${datacenter}` },
      ],
    })
    const below = `/cloud/virtualdatacenters/${center.id}`
    const nic = await made(`${below}/privateips`, { ip: '192.168.1.10' })
    const appliance = await made(`${below}/virtualappliances`, { name: 'Web' })
    const machines = `${below}/virtualappliances/${appliance.id}/virtualmachines`
    const hostile = "{{ lookup('pipe', 'touch run') }}"
    await made(machines, {
      name: hostile,
      tags: ['web', hostile],
      ...to('nic0', `/api${below}/privateips/${nic.id}`),
    })
    const twins = [
      await made(machines, { name: 'twin', tags: ['web'] }),
      await made(machines, { name: 'twin', tags: ['web'] }),
    ]
    await made(machines, { name: 'other', tags: [] })
    const acting = ['-oProxyCommand=touch run', 'localhost', '../../all', `twin.${twins[0].id}`]
    const ids: number[] = []
    for (const name of acting) ids.push((await made(machines, { name, tags: ['web'] })).id)
    const renamed = [...ids.slice(0, 3).map((id) => `machine.${id}`), `twin.${twins[0].id}.${ids[3]}`]
    const plugin = {
      plugin: 'cloud.console.machines',
      scope: 'Iberia',
      tags: ['web'],
      keyed_groups: [{ key: 'cloud_tags', prefix: 'tag' }],
    }
    writeFileSync(join(folder, 'shop.console.yml'), JSON.stringify(plugin))
    const options = ['-i', join(folder, 'shop.console.yml'), '--list']
    const { stdout } = await run('ansible-inventory', options, { env: environment() })
    const { _meta, tag_web: web } = JSON.parse(stdout)
    const data = (text: string) => ({ __ansible_unsafe: text })
    const strange = `machine.${twins[0].id - 1}`
    expect(web.hosts.toSorted()).toEqual(
      [strange, ...twins.map(({ id }) => `twin.${id}`), ...renamed].toSorted(),
    )
    for (const name of renamed)
      expect(_meta.hostvars[name]).toMatchObject({ ansible_host: data('without-address.invalid') })
    expect(_meta.hostvars[strange]).toMatchObject({
      ansible_host: data('192.168.1.10'),
      cloud_enterprise: data('Acme'),
      cloud_datacenter: data('Madrid'),
    })
    const shown = { 'ansible.builtin.debug': { msg: '{{ cloud_name }} {{ cloud_tags[1] }}' } }
    writeFileSync(
      join(folder, 'play.yml'),
      JSON.stringify([{ hosts: strange, gather_facts: false, tasks: [shown] }]),
    )
    const played = await run('ansible-playbook', [...options.slice(0, 2), join(folder, 'play.yml')], {
      env: environment(),
      cwd: folder,
    })
    expect(JSON.parse(played.stdout.trim()).msg).toBe(`${hostile} ${hostile}`)
    expect(existsSync(join(folder, 'run'))).toBe(false)
  })
})
