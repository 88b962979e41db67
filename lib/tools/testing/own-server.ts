import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '#lib/tools/testing/free-port'
import { testSettings } from '#lib/tools/testing/settings'

export type OwnServer = {
  url: string
  /** What it has printed so far. */
  lines: string[]
  stop: () => Promise<void>
}

/** An installation of its own, empty or with the sample cloud, with settings that the shared one does not have. */
export async function startServer(
  settings: Record<string, string>,
  script: 'start' | 'demo' = 'start',
): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'test-own-server-'))
  const port = settings.PORT ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ['lib/tools/scripts/run.js', script], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...testSettings,
      NODE_ENV: 'production',
      LOG_LEVEL: 'silent',
      DATA_DIR: directory,
      PORT: String(port),
      ...settings,
    },
  })
  const lines: string[] = []
  createInterface({ input: server.stdout }).on('line', (line) => lines.push(line))
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(directory, { recursive: true, force: true })
  }
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return { url, lines, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error('the server did not start')
}
