import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { admin, basicOf, newUser, unique } from '#lib/tools/testing/client'
import { debianProgram } from '#lib/tools/testing/debian-programs'
import { freePort } from '#lib/tools/testing/free-port'

/* The proxies of deploy/, each as it is shipped, in front of a console. */

const HOST = 'console.example.com'
const folder = mkdtempSync(join(tmpdir(), 'test-proxies-'))
// nginx works as another user.
chmodSync(folder, 0o755)
const inFolder = (name: string): string => join(folder, name)
const read = (file: string): string => readFileSync(join(process.cwd(), 'deploy', file), 'utf8')

type Places = { tls: string; plain: string; console: string }

/** Replaced texts have to be there: the test would else run another file than the one that is shipped. */
const changed = (text: string, changes: Record<string, string>): string =>
  Object.entries(changes).reduce((all, [from, to]) => {
    expect(all).toContain(from)
    return all.replaceAll(from, to)
  }, text)

const proxies = [
  {
    name: 'caddy',
    debian: 'caddy',
    file: 'Caddyfile',
    configure: (text: string, { tls, console }: Places) =>
      changed(text, {
        '\tservers {': '\tadmin off\n\tauto_https disable_redirects\n\tservers {',
        [`\n${HOST} {`]: `\n${HOST}:${tls} {`,
        '\ttls {': `\ttls ${inFolder('cert.pem')} ${inFolder('key.pem')} {`,
        '127.0.0.1:3000': console,
      }),
    args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'nginx',
    debian: 'nginx-light',
    file: 'nginx.conf',
    configure: (text: string, { tls, plain, console }: Places) =>
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}\nhttp { access_log off;\n${[
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'],
      ]
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(' ')}\n${changed(text, {
        'listen 443': `listen ${tls}`,
        'listen 80;': `listen ${plain};`,
        [`/etc/ssl/${HOST}.pem`]: inFolder('cert.pem'),
        [`/etc/ssl/private/${HOST}.key`]: inFolder('key.pem'),
        '127.0.0.1:3000': console,
      })}}`,
    args: (file: string) => ['-p', folder, '-c', file],
  },
  {
    name: 'haproxy',
    debian: 'haproxy',
    file: 'haproxy.cfg',
    configure: (text: string, { tls, plain, console }: Places) =>
      changed(text, {
        'bind :443': `bind 127.0.0.1:${tls}`,
        'bind :80': `bind 127.0.0.1:${plain}`,
        [`/etc/ssl/private/${HOST}.pem`]: inFolder('both.pem'),
        '127.0.0.1:3000': console,
      }),
    args: (file: string) => ['-db', '-f', file],
  },
].map((proxy) => ({ ...proxy, program: debianProgram(proxy.name, proxy.debian) }))

let server: ApiProcess

beforeAll(async () => {
  const pair = ['-keyout', inFolder('key.pem'), '-out', inFolder('cert.pem')]
  const name = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...pair, ...name], {
    stdio: 'ignore',
  })
  writeFileSync(
    inFolder('both.pem'),
    readFileSync(inFolder('cert.pem'), 'utf8') + readFileSync(inFolder('key.pem'), 'utf8'),
  )
  mkdirSync(inFolder('home'))
  server = await startApi(env(), {
    BASE_URL: `https://${HOST}`,
    TRUST_PROXY: '127.0.0.1',
    PORT: String(await freePort()),
  })
}, 120_000)

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

type Sent = { method?: string; headers?: Record<string, string>; body?: string }

const through = async (port: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method, servername: HOST, ca: readFileSync(inFolder('cert.pem')) },
    headers: { host: HOST, ...headers },
    agent: false,
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

const json = { 'content-type': 'application/json' }
const own = { origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' }

describe.each(proxies)('$name with deploy/$file', ({ program, file, configure, args }) => {
  let proxy: ChildProcess
  let tls: string

  beforeAll(async () => {
    if (!program) return
    const ports = { tls: String(await freePort()), plain: String(await freePort()) }
    tls = ports.tls
    writeFileSync(inFolder(file), configure(read(file), { ...ports, console: new URL(server.url).host }))
    proxy = spawn(program.file, args(inFolder(file)), {
      env: { ...program.env, HOME: inFolder('home'), XDG_DATA_HOME: inFolder('home') },
      stdio: 'ignore',
    })
    await vi.waitFor(async () => expect((await through(tls, '/healthz')).statusCode).toBe(200), 20_000)
  }, 60_000)

  afterAll(async () => {
    if (!program) return
    proxy.kill()
    await once(proxy, 'exit')
  })

  test.runIf(program)('signs in, with secure cookies and HSTS', async () => {
    const { nick, password } = await newUser()
    const signedIn = await through(tls, '/api/session', {
      method: 'POST',
      headers: { ...json, ...own },
      body: JSON.stringify({ nick, password }),
    })
    expect(signedIn.statusCode).toBe(200)
    expect(signedIn.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
    const cookies = signedIn.headers['set-cookie'] ?? []
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure/i)
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    expect((await through(tls, '/api/session', { headers: { cookie, ...own } })).statusCode).toBe(200)
  })

  test.runIf(program)('passes each event of the stream on at once', async () => {
    const headers = { accept: 'text/event-stream', authorization: basicOf(admin) }
    const stream = await through(tls, '/api/events/stream', { headers })
    expect(stream.statusCode).toBe(200)
    const name = unique('Streamed')
    const made = ask(server, '/api/admin/scopes', {
      as: admin,
      body: { name },
      headers: { host: HOST, 'x-forwarded-host': HOST },
    })
    let seen = ''
    for await (const piece of stream) {
      seen += piece
      if (seen.includes(name)) break
    }
    expect((await made).status).toBe(201)
    stream.destroy()
  })

  test.runIf(program)('lets an import of 10 MB through, and no metrics', async () => {
    const body = `{"scopes":[]${' '.repeat(10_000_000)}}`
    const headers = { ...json, authorization: basicOf(admin), 'content-length': String(body.length) }
    const plan = await through(tls, '/api/plans', { method: 'POST', headers, body })
    expect([plan.statusCode, await text(plan)]).toEqual([201, expect.stringContaining('"refused":0')])
    expect((await through(tls, '/metrics')).statusCode).toBe(404)
  })
})
