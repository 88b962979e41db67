import { call, ORIGIN } from '#lib/tools/testing/client'

/* A browser without scripts: it keeps cookies, follows redirects and sends forms. */

type Cookie = { name: string; value: string; path: string }

const isOver = (attributes: Map<string, string>): boolean =>
  attributes.get('max-age') === '0' || Date.parse(attributes.get('expires') ?? '') <= Date.now()

function readCookie(setCookie: string): Cookie & { over: boolean } {
  const [pair = '', ...rest] = setCookie.split(';').map((part) => part.trim())
  const halves = (text: string): [string, string] => {
    const [name = '', ...value] = text.split('=')
    return [name, value.join('=')]
  }
  const attributes = new Map(rest.map(halves).map(([name, value]) => [name.toLowerCase(), value]))
  const [name, value] = halves(pair)
  return { name, value, path: attributes.get('path') ?? '/', over: isOver(attributes) }
}

const isBelow = (path: string, top: string): boolean =>
  top === '/' || path === top || path.startsWith(top.endsWith('/') ? top : `${top}/`)

export type Page = { url: URL; html: string }

export type Browser = {
  /** The cookies that it would send to this address. */
  cookiesFor: (address: string | URL) => Cookie[]
  /** One request, with its cookies; redirects are not followed. */
  send: (address: string | URL, sending?: Sending) => Promise<Response>
  /** Follows redirects until it reaches a console page, which the test server does not serve. */
  open: (address: string | URL, form?: Record<string, string>) => Promise<Page>
}

type Sending = { method?: string; form?: Record<string, string>; headers?: Record<string, string> }

/** Follows redirects until `stopAt`, a path of the console. */
export function newBrowser({ stopAt }: { stopAt?: string } = {}): Browser {
  const jars = new Map<string, Map<string, Cookie>>()
  const cookiesFor = (address: string | URL) => {
    const { origin, pathname } = new URL(address, ORIGIN)
    return [...(jars.get(origin)?.values() ?? [])].filter(({ path }) => isBelow(pathname, path))
  }
  const keep = ({ origin }: URL, response: Response) => {
    const jar = jars.get(origin) ?? new Map<string, Cookie>()
    jars.set(origin, jar)
    for (const { over, ...cookie } of response.headers.getSetCookie().map(readCookie)) {
      const key = `${cookie.name} ${cookie.path}`
      if (over) jar.delete(key)
      else jar.set(key, cookie)
    }
  }
  const send: Browser['send'] = async (address, { form, method = form ? 'POST' : 'GET', headers } = {}) => {
    const url = new URL(address, ORIGIN)
    const cookie = cookiesFor(url)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const sent = {
      ...(cookie && { cookie }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    }
    const body = form && new URLSearchParams(form).toString()
    const response =
      url.origin === ORIGIN
        ? await call(method, url.href, { as: null, headers: sent, body })
        : await fetch(url, { method, headers: sent, ...(body && { body }), redirect: 'manual' })
    keep(url, response)
    return response
  }
  const open: Browser['open'] = async (address, form) => {
    let url = new URL(address, ORIGIN)
    let response = await send(url, form && { form })
    for (let hops = 0; hops < 12; hops += 1) {
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || !location) break
      url = new URL(location, url)
      const { origin, pathname } = url
      if (origin === ORIGIN && (pathname === stopAt || !pathname.startsWith('/api/'))) break
      response = await send(url)
    }
    return { url, html: await response.text() }
  }
  return { cookiesFor, send, open }
}
