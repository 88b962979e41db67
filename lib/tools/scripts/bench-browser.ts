import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright'
import { startServer } from '#lib/tools/testing/own-server'
import { findChromium } from '#lib/tools/testing/programs'
import { adminNick, adminPassword, testSettings } from '#lib/tools/testing/settings'

/* What a user waits for in the list of NAT IPs and at the sign-in: `npm run bench:browser`. Needs a build. Times in ms. */

const { values } = parseArgs({
  options: { 'nat-ips': { type: 'string', default: '200000' }, turns: { type: 'string', default: '60' } },
})
const turns = Number(values.turns)
const list = '/nat/ips'
const rows = 'tbody tr :is(td, th)'
const pause = 1500

const report = (what: string, unit: string, measured: number[], most: number[]) => {
  const isOver = measured.some((value, index) => value > (most[index] ?? 0))
  const text = (figures: number[]) => figures.map((value) => Math.round(value * 1000) / 1000).join(' / ')
  console.log(
    `${what.padEnd(46)} ${text(measured).padStart(14)} ${unit.padEnd(14)} at most ${text(most)}${isOver ? '   OVER' : ''}`,
  )
}

const share = (times: readonly number[], part: number): number => {
  const sorted = times.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)
}

type Opened = { page: Page; tools: CDPSession; close: () => Promise<void> }

async function open(browser: Browser, url: string, isSignedIn: boolean): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  if (isSignedIn) {
    const answer = await context.request.post(`${url}/api/session`, {
      data: { nick: adminNick, password: adminPassword },
    })
    if (!answer.ok()) throw new Error(`sign-in: ${answer.status()}`)
  }
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  await page.addInitScript(() => {
    const scope = globalThis as unknown as { shift: number }
    scope.shift = 0
    new PerformanceObserver((seen) => {
      for (const entry of seen.getEntries() as (PerformanceEntry & { value: number })[])
        scope.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return { page, tools, close: () => context.close() }
}

const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shift: number }).shift)

/** Requests and kilobytes with an empty cache. */
async function sizeOf({ page, tools }: Opened, address: string): Promise<[number, number]> {
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
  let requests = 0
  let bytes = 0
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    if (encodedDataLength === 0) return
    requests += 1
    bytes += encodedDataLength
  })
  await page.goto(address)
  await page.waitForTimeout(2500)
  return [requests, bytes / 1024]
}

/** Until something can be read or typed, with 400 ms for each request. */
async function slowOf({ page, tools }: Opened, address: string, wanted: string): Promise<number> {
  await tools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  const begun = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(
    (selector) => {
      const found = document.querySelector(selector)
      return found && found.getBoundingClientRect().width > 0
    },
    wanted,
    { polling: 'raf' },
  )
  return performance.now() - begun
}

/** From a scroll by so many rows to the frame that shows all rows in view. */
async function scrollsOf({ page }: Opened, address: string, by: number): Promise<number[]> {
  await page.goto(address)
  await page.waitForSelector(rows)
  await page.waitForTimeout(pause)
  const times = await page.evaluate(
    async ({ count, step }) => {
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
      const box = document.querySelector('[role=grid]')?.parentElement as HTMLElement
      const height = document.querySelector('tbody tr')?.getBoundingClientRect().height ?? 0
      const head = document.querySelector('thead')?.getBoundingClientRect().height ?? 0
      const isShown = (index: number) => {
        const row = document.querySelector(`tr[aria-rowindex="${index + 2}"]`)
        return row !== null && row.ariaBusy !== 'true'
      }
      const afterFrame = (done: () => void) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = done
          channel.port2.postMessage(0)
        })
      const seen = Math.floor((box.clientHeight - head) / height) - 1
      const found: number[] = []
      for (let turn = 1; turn <= count; turn += 1) {
        const begun = performance.now()
        box.scrollTop = turn * step * height
        await new Promise<void>((done) => {
          const look = () =>
            isShown(turn * step) && isShown(turn * step + seen)
              ? afterFrame(done)
              : requestAnimationFrame(look)
          requestAnimationFrame(look)
        })
        found.push(performance.now() - begun)
        await wait(400)
      }
      return found
    },
    { count: turns, step: by },
  )
  return times.slice(5)
}

/** The same with a table of plain text: what the browser and the server need at least. */
async function bareTurnsOf({ page }: Opened, address: string, size: number): Promise<number[]> {
  await page.goto(address)
  return page.evaluate(
    async ({ count, limit }) => {
      const table = document.createElement('table')
      document.body.replaceChildren(table)
      const found: number[] = []
      for (let turn = 0; turn < count; turn += 1) {
        const begun = performance.now()
        const answer = await fetch(`/api/admin/natips?limit=${limit}&startwith=${turn * limit}`, {
          headers: { accept: 'application/json' },
        })
        const { collection } = (await answer.json()) as { collection: Record<string, unknown>[] }
        table.replaceChildren(
          ...collection.map((row) => {
            const line = document.createElement('tr')
            line.append(
              ...[row.ip, row.available, row.quarantine, row.rules].map((value) => {
                const cell = document.createElement('td')
                cell.textContent = String(value)
                return cell
              }),
            )
            return line
          }),
        )
        await new Promise<void>((done) =>
          requestAnimationFrame(() => {
            const channel = new MessageChannel()
            channel.port1.onmessage = () => done()
            channel.port2.postMessage(0)
          }),
        )
        found.push(performance.now() - begun)
      }
      return found.slice(5)
    },
    { count: turns, limit: size },
  )
}

/** From a key in the filter to the frame that shows its letter. */
async function keysOf({ page }: Opened, address: string): Promise<number[]> {
  await page.goto(address)
  await page.waitForSelector(rows)
  await page.waitForTimeout(pause)
  await page.getByRole('combobox').first().click()
  await page.evaluate(() => {
    const scope = globalThis as unknown as { keys: number[] }
    scope.keys = []
    const input = document.activeElement as HTMLInputElement
    let begun = 0
    input.addEventListener('keydown', () => (begun = performance.now()), true)
    input.addEventListener(
      'input',
      () => {
        const from = begun
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => scope.keys.push(performance.now() - from)
          channel.port2.postMessage(0)
        })
      },
      true,
    )
  })
  for (let round = 0; round < 10; round += 1) {
    await page.keyboard.type('10.0.1', { delay: 90 })
    for (let key = 0; key < 6; key += 1) await page.keyboard.press('Backspace', { delay: 90 })
    await page.waitForTimeout(400)
  }
  return page.evaluate(() => (globalThis as unknown as { keys: number[] }).keys)
}

/** Rows that are whole on the screen, where the first begins, and what moves when one is selected. */
async function placeOf({ page }: Opened, address: string): Promise<[number, number, number]> {
  await page.goto(address)
  await page.waitForSelector(rows)
  await page.waitForTimeout(pause)
  const before = await shiftOf(page)
  await page.locator('tbody input').nth(1).click()
  await page.waitForTimeout(500)
  const [whole, top] = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect())
    const shown = boxes.filter(({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight)
    return [shown.length, boxes[0]?.top ?? 0] as const
  })
  return [whole, top, (await shiftOf(page)) - before]
}

const directory = mkdtempSync(join(tmpdir(), 'bench-browser-'))
const filling = spawn(
  process.execPath,
  ['lib/tools/scripts/run.js', 'sample', `--nat-ips=${values['nat-ips']}`, '--nat-rules=20000'],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...testSettings, LOG_LEVEL: 'silent', DATA_DIR: directory },
  },
)
await once(filling, 'exit')
const server = await startServer({ DATA_DIR: directory })
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
})
/** One measurement in a browser context of its own. */
async function inOwnContext<T>(isSignedIn: boolean, measure: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await open(browser, server.url, isSignedIn)
  const result = await measure(opened)
  await opened.close()
  return result
}
const best = async (isSignedIn: boolean, address: string, wanted: string) => {
  const times: number[] = []
  for (let run = 0; run < 3; run += 1)
    times.push(await inOwnContext(isSignedIn, (opened) => slowOf(opened, address, wanted)))
  return share(times, 0.5)
}
const at = (path: string) => `${server.url}${path}`
try {
  report('NAT IPs, cold: requests, kB', '', await inOwnContext(true, (o) => sizeOf(o, at(list))), [20, 430])
  report(
    'Sign-in, cold: requests, kB',
    '',
    await inOwnContext(false, (o) => sizeOf(o, at('/sign-in'))),
    [10, 200],
  )
  for (const [size, most] of [
    [25, [40, 70]],
    [100, [60, 120]],
  ] as const) {
    const times = await inOwnContext(true, (o) => scrollsOf(o, at(list), size))
    report(`a scroll by ${size} rows: p50, p95`, 'ms', [share(times, 0.5), share(times, 0.95)], [...most])
    const bare = await inOwnContext(true, (o) => bareTurnsOf(o, at('/sign-in'), size))
    report(`  a bare table of ${size} rows`, 'ms', [share(bare, 0.5), share(bare, 0.95)], [...most])
  }
  report('rows at 400 ms latency', 'ms', [await best(true, at(list), rows)], [2800])
  report('sign-in at 400 ms latency', 'ms', [await best(false, at('/sign-in'), 'form input')], [1600])
  const keys = await inOwnContext(true, (o) => keysOf(o, at(list)))
  report('key to character in the filter: p95', 'ms', [share(keys, 0.95)], [33])
  const [whole, top, shift] = await inOwnContext(true, (o) => placeOf(o, at(list)))
  report('first row from the top', 'px', [top], [200])
  report('layout shift when a row is selected', '', [shift], [0])
  console.log(`rows at 1440 × 900, one selected: ${whole} (at least 28)`)
} finally {
  await browser.close()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
