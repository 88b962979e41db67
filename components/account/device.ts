import Bowser from 'bowser'

/** What a session was begun with, out of its User-Agent: `Chrome on Linux`, `Program (curl 8.5)`. */
export function deviceName(userAgent: string): string {
  if (!/^(Mozilla|Opera)\//.test(userAgent)) return programName(userAgent)
  const { browser, os } = Bowser.parse(userAgent)
  // Bowser takes the first product of a User-Agent that it does not know for the browser.
  if (!browser.name || browser.name === 'Mozilla') return UNKNOWN
  return os.name ? `${browser.name} on ${os.name}` : browser.name
}

const UNKNOWN = 'Unknown device'
const LONGEST = 40

/** RFC 9110 §10.1.5: the first product is the most important one. */
function programName(userAgent: string): string {
  const [product = ''] = userAgent.trim().split(/\s/, 1)
  if (product === '') return UNKNOWN
  const [, name, version] = /^([^/]+)\/v?(\d+(?:\.\d+)?)[\d.]*$/.exec(product) ?? []
  return `Program (${(name ? `${name} ${version}` : product).slice(0, LONGEST)})`
}
