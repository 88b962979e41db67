import { expect, test } from 'playwright/test'
import { startServer } from '#lib/tools/testing/own-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

test('the demo prints its address and its users in few lines, and they can sign in', async ({
  playwright,
}) => {
  const server = await startServer({}, 'demo')
  try {
    const stop = /^Stop with Ctrl\+C\. To start over, also remove the directory /
    await expect.poll(() => server.lines.at(-1)).toMatch(stop)
    // The line of the build comes before these.
    expect(server.lines.length).toBeLessThan(10)
    expect(server.lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^Filling .* with a sample cloud and 60 days of its past, once …$/),
      `Console and API: ${server.url.replace('127.0.0.1', 'localhost')}`,
      `Sign in with the password: ${adminPassword}`,
    ])
    const nicks = server.lines.flatMap((line) => /^ {2}(\S+) /.exec(line)?.[1] ?? [])
    expect(nicks).toHaveLength(4)
    expect(nicks[0]).toBe(adminNick)
    const request = await playwright.request.newContext({ baseURL: server.url })
    for (const nick of nicks) {
      const response = await request.post('/api/session', { data: { nick, password: adminPassword } })
      expect(response.status(), nick).toBe(200)
    }
    await request.dispose()
  } finally {
    await server.stop()
  }
})
