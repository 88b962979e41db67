import { hostname } from 'node:os'
import { z } from 'zod'
import { parse, requireNoWords } from '#lib/tools/scripts/cli/arguments'
import { exit, Failure, readAll, type Terminal } from '#lib/tools/scripts/cli/outcome'
import { fetched, refusalOf, requireToken, safeOrigin } from '#lib/tools/scripts/cli/request'
import { forget, requireWritable, save } from '#lib/tools/scripts/cli/saved-token'

const user = z.object({
  id: z.int(),
  nick: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })),
})

type Answered = { origin: string; authorization: string }

const command = { name: 'login', description: 'The user may not sign in here.' }

const basic = (nick: string, password: string): string =>
  `Basic ${Buffer.from(`${nick}:${password}`).toString('base64')}`

/** Signs in by Basic. Asks for the verification code where the server does. */
async function signIn(
  terminal: Terminal,
  server: Answered,
): Promise<{ response: Response; code: Record<string, string> }> {
  const url = `${server.origin}/api/login`
  const headers = { authorization: server.authorization, accept: 'application/json' }
  const response = await fetched(terminal, url, { headers })
  const [codeHeader] = [...response.headers.keys()].filter((name) => name.endsWith('-otp'))
  if (response.status !== 401 || !codeHeader) return { response, code: {} }
  const code = { [codeHeader]: await terminal.ask('Verification code: ', 'shown') }
  return { response: await fetched(terminal, url, { headers: { ...headers, ...code } }), code }
}

async function documentOf(response: Response, server: Answered): Promise<unknown> {
  if (!response.ok) {
    const refused = await refusalOf(response, command, server)
    throw response.status === 401
      ? new Failure(exit.unauthorized, 'The nick, the password or the code is wrong.', refused)
      : refused
  }
  return response.json()
}

/** Makes an access token with the privileges of the user. */
async function makeToken(terminal: Terminal, origin: string, nick: string): Promise<string> {
  const server = { origin, authorization: basic(nick, await terminal.ask('Password: ', 'secret')) }
  const { response, code } = await signIn(terminal, server)
  const { links, id } = user.parse(await documentOf(response, server))
  const [, enterprise] = links.flatMap(({ rel, href }) =>
    rel === 'enterprise' ? (/\/(\d+)$/.exec(href) ?? []) : [],
  )
  const moment = new Date().toISOString().slice(0, 19).replace('T', ' ')
  const made = await fetched(terminal, `${origin}/api/admin/enterprises/${enterprise}/users/${id}/tokens`, {
    method: 'POST',
    headers: {
      authorization: server.authorization,
      accept: 'application/json',
      'content-type': 'application/json',
      ...code,
    },
    body: JSON.stringify({ name: `cloudctl on ${hostname()}, ${moment}`.slice(0, 128) }),
  })
  return z.object({ token: z.string() }).parse(await documentOf(made, server)).token
}

export async function login(terminal: Terminal, args: string[]): Promise<void> {
  const {
    api = terminal.env.API_URL,
    insecure,
    values,
    words,
  } = parse(
    args,
    { nick: { type: 'string' }, token: { type: 'boolean' }, forget: { type: 'boolean' } },
    'help login',
  )
  requireNoWords('login', words)
  if (values.forget) return forget(terminal)
  if (!api)
    throw new Failure(exit.usage, 'Name the server: cloudctl login --api https://cloud.example.com/api')
  const origin = safeOrigin(api, { insecure })
  await requireWritable(terminal)
  const nick = async () => (typeof values.nick === 'string' ? values.nick : terminal.ask('Nick: ', 'shown'))
  const token = values.token
    ? requireToken('The token on standard input', (await readAll(terminal.input)).trim())
    : await makeToken(terminal, origin, await nick())
  const file = await save(terminal, { api: `${origin}/api`, token })
  terminal.tell(`The token for ${origin} is saved in ${file}.\n`)
}
