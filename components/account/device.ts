import Bowser from 'bowser'
import type { Say } from '#lib/words/words'

/** The browser or program in a User-Agent: `Chrome on Linux`, `Program (curl 8.5)`. */
export function deviceName(say: Say<'account.device'>, userAgent: string): string {
  if (!/^(Mozilla|Opera)\//.test(userAgent)) return programName(say, userAgent)
  const {
    browser: { name: browser },
    os: { name: system },
  } = Bowser.parse(userAgent)
  // For an unknown User-Agent, Bowser returns its first product as the browser.
  if (!browser || browser === 'Mozilla') return say('unknown')
  return system ? say('browserOn', { browser, system }) : browser
}

const LONGEST = 40

/** RFC 9110 §10.1.5: the first product is the most important one. */
function programName(say: Say<'account.device'>, userAgent: string): string {
  const [product = ''] = userAgent.trim().split(/\s/, 1)
  if (product === '') return say('unknown')
  const [, name, version] = /^([^/]+)\/v?(\d+(?:\.\d+)?)[\d.]*$/.exec(product) ?? []
  return say('program', { name: (name ? `${name} ${version}` : product).slice(0, LONGEST) })
}
