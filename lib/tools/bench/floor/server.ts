import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Env, env } from '#lib/ground/env.server'
import { tokenHeader } from '#lib/ground/http/names.server'
import { apiProtection } from '#lib/ground/http/protection.server'
import type { Asked, Route } from '#lib/tools/bench/floor/answers'
import { callers } from '#lib/tools/bench/floor/callers'
import { changes } from '#lib/tools/bench/floor/changes'
import { openFile } from '#lib/tools/bench/floor/file'
import { longLists } from '#lib/tools/bench/floor/long-lists'
import { pages } from '#lib/tools/bench/floor/pages'

/*
 * The floor of the measurements (docs/performance.md): the least that a server by hand does for the same answers, from the same file. It
 * trusts its clients: it checks their credentials, but neither their privileges nor what they send.
 */

type Reply = ReturnType<Route['answer']>

/** The floor over the database of these settings. It does not listen yet. */
export function createFloor(settings: Env): Server {
  const file = openFile(settings.DATA_DIR)
  const callerOf = callers(file, settings)
  const routes = [...pages(file), ...longLists(file), ...changes(file)]
  const headers = { ...apiProtection(), 'cache-control': 'no-store', 'content-type': 'application/json' }
  const newToken = tokenHeader()

  function send(response: ServerResponse, { method, isList }: Route, asked: Asked, reply: Reply): void {
    if (!reply) {
      refuse(response, 404)
      return
    }
    const { token, expires } = asked.caller
    const cookie = `=${token}; Expires=${new Date(expires).toUTCString()}; Path=/; HttpOnly; SameSite=Lax`
    response.writeHead(method === 'POST' ? 201 : 200, {
      ...headers,
      ...(!isList && {
        etag: `"${createHash('sha256').update(reply.text).digest('base64url').slice(0, 27)}"`,
      }),
      ...(reply.location && { location: asked.api + reply.location }),
      'content-length': Buffer.byteLength(reply.text),
      'set-cookie': [`auth${cookie}`, `session${cookie}`],
      'x-request-id': asked.requestId,
      [newToken]: token,
    })
    response.end(reply.text)
  }

  let waiting: { change: () => Reply; reply: (reply: Reply) => void; fail: () => void }[] = []

  /** The changes that arrived in one turn of the event loop share a transaction, and with it the wait for the disk. */
  function commit(): void {
    const group = waiting
    waiting = []
    try {
      const replies = file.transaction(group.map(({ change }) => change))
      for (const [index, { reply }] of group.entries()) reply(replies[index])
    } catch (error) {
      process.stderr.write(`${String(error)}\n`)
      for (const { fail } of group) fail()
    }
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '', headers } = request
    if (url === '/readyz') {
      response.end()
      return
    }
    const caller = callerOf(headers.authorization ?? '')
    const [address = '', search] = url.split('?')
    const path = address.replace(/^\/api/, '')
    const route = routes.find((route) => route.method === method && route.path.test(path))
    if (!caller || !route) {
      refuse(response, caller ? 404 : 401)
      return
    }
    const asked: Asked = {
      api: `http://${headers.host}/api`,
      path,
      ids: (route.path.exec(path) ?? []).slice(1).map(Number),
      query: new URLSearchParams(search),
      caller,
      body: '',
      requestId: randomUUID(),
    }
    if (method === 'GET') {
      send(response, route, asked, route.answer(asked))
      return
    }
    request.setEncoding('utf8')
    request.on('data', (text) => {
      asked.body += text
    })
    request.on('end', () => {
      if (waiting.length === 0) setImmediate(commit)
      waiting.push({
        change: () => route.answer(asked),
        reply: (reply) => send(response, route, asked, reply),
        fail: () => refuse(response, 500),
      })
    })
  }

  const server = createServer({ keepAliveTimeout: 75_000 }, serve)
  return server.once('close', file.close)
}

const refuse = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': 0 }).end()
}

if (import.meta.main) createFloor(env()).listen(Number(process.env.PORT), '127.0.0.1')
