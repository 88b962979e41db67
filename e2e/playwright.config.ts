import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { freePort } from '#lib/tools/testing/free-port'
import { findChromium, findHeadlessShell } from '#lib/tools/testing/programs'
import { testSettings } from '#lib/tools/testing/settings'

// Playwright reads this file again in each worker: the choice of the first reading is in the environment.
if (process.env.E2E_DATA_DIR === undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'test-e2e-'))
  const sample = mkdtempSync(join(tmpdir(), 'test-sample-'))
  process.env.E2E_DATA_DIR = directory
  process.env.E2E_SAMPLE_DIR = sample
  process.env.E2E_PORT = String(await freePort())
  process.once('exit', () => {
    for (const made of [directory, sample]) rmSync(made, { recursive: true, force: true })
  })
}

const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  globalSetup: './sample.ts',
  outputDir: '../test-results',
  // A third would finish no sooner: each takes more than one core.
  workers: 2,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // Generous, so that a busy machine makes no test fail.
  timeout: 300_000,
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  expect: {
    timeout: 30_000,
  },
  use: {
    baseURL,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    // Scripts and styles are fetched and compiled once for all tests of a worker.
    reuseContext: true,
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      env: { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') },
      executablePath: findHeadlessShell() ?? (await findChromium()),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A test begins on an empty page: otherwise the next page would start another process and compile everything again, which is half
        // of the cost of a page.
        '--process-per-site',
        '--renderer-process-limit=1',
        // No page lives long enough to earn back its optimised code, or the collections of a small heap: a fifth of the processor time.
        '--js-flags=--min-semi-space-size=64,--max-semi-space-size=64,--initial-heap-size=1024,--no-turbofan,--no-maglev',
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" lib/tools/scripts/run.js demo`,
    cwd: join(import.meta.dirname, '..'),
    url: `${baseURL}/readyz`,
    reuseExistingServer: false,
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    stdout: 'pipe',
    env: {
      ...testSettings,
      // Receivers of webhooks that tests start.
      WEBHOOK_ALLOW: '127.0.0.1',
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: new URL(baseURL).port,
      DATA_DIR: process.env.E2E_DATA_DIR,
    },
  },
})
