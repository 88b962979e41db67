import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { startServer } from '#lib/tools/testing/own-server'
import { findChromium } from '#lib/tools/testing/programs'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/* Measures the sign-in screen and the table of NAT IPs of the sample cloud: `npm run lighthouse`. Needs a build. */

/** Run by npx, because the package is too large for a dependency. */
const lighthouse = 'lighthouse@13.5.0'
const categories = ['performance', 'accessibility', 'best-practices'] as const
const wanted = 0.95

const report = z.object({
  categories: z.record(z.enum(categories), z.object({ score: z.number() })),
  environment: z.object({ benchmarkIndex: z.number() }),
  audits: z.record(z.string(), z.object({ displayValue: z.string().optional() })),
})

const chromeFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function measure(url: string, cookie: string | undefined): Promise<z.infer<typeof report>> {
  const directory = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const output = join(directory, 'report.json')
  const program = spawn(
    'npx',
    [
      ...['--yes', lighthouse, url, '--preset=desktop', '--quiet'],
      ...['--output=json', `--output-path=${output}`, `--only-categories=${categories.join(',')}`],
      `--chrome-flags=${chromeFlags.join(' ')}`,
      ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CHROME_PATH: await findChromium() } },
  )
  const [code] = await once(program, 'exit')
  if (code !== 0) throw new Error(`${lighthouse} ended with ${code}`)
  const found = report.parse(JSON.parse(readFileSync(output, 'utf8')))
  rmSync(directory, { recursive: true, force: true })
  return found
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nick: adminNick, password: adminPassword }),
  })
  if (!response.ok) throw new Error(`sign-in: ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

const server = await startServer({}, 'demo')
let low = false
try {
  const screens = [
    { name: 'Sign-in', path: '/sign-in', cookie: undefined },
    { name: 'NAT IPs', path: '/datacenters/1/natips', cookie: await signIn(server.url) },
  ]
  for (const { name, path, cookie } of screens) {
    const { categories: scores, audits, environment } = await measure(`${server.url}${path}`, cookie)
    const figures = categories.map((category) => {
      const score = scores[category]?.score ?? 0
      low ||= score < wanted
      return `${category} ${Math.round(score * 100)}`
    })
    const paint = audits['largest-contentful-paint']?.displayValue
    const bytes = audits['total-byte-weight']?.displayValue
    const blocked = audits['total-blocking-time']?.displayValue
    // Lighthouse's CPU benchmark. The performance score depends on it.
    const machine = Math.round(environment.benchmarkIndex)
    console.log(
      `${name.padEnd(10)}${figures.join('   ')}   (largest paint ${paint}; blocked ${blocked}; ${bytes}; machine ${machine})`,
    )
  }
} finally {
  await server.stop()
}
process.exit(low ? 1 : 0)
