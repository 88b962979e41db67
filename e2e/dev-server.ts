import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '#lib/tools/testing/free-port'
import { testSettings } from '#lib/tools/testing/settings'

const root = join(import.meta.dirname, '..')

/** `next dev` on the data of the tests. A second one in the same directory ends at once, so this waits until the first has stopped. */
export async function startDevServer(): Promise<{ url: string; stop: () => void }> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + 240_000; Date.now() < deadline; ) {
    const server = spawn(
      process.execPath,
      ['node_modules/next/dist/bin/next', 'dev', '--port', port, '--hostname', '127.0.0.1'],
      {
        cwd: root,
        stdio: 'ignore',
        // It serves in a process of its own below this one: both end as a group.
        detached: true,
        env: {
          ...process.env,
          ...testSettings,
          NODE_ENV: 'development',
          NEXT_TELEMETRY_DISABLED: '1',
          LOG_LEVEL: 'silent',
          DATA_DIR: process.env.E2E_DATA_DIR,
        },
      },
    )
    const ended = once(server, 'exit')
    const stop = () => {
      if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGKILL')
    }
    while (server.exitCode === null && Date.now() < deadline) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      if (answer?.ok) return { url, stop }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    stop()
    await ended
  }
  throw new Error('next dev did not start')
}
