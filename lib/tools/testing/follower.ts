import { setTimeout as delay } from 'node:timers/promises'
import type { ApiProcess } from '#lib/tools/testing/api-process'
import { basicOf } from '#lib/tools/testing/client'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/* A client of the stream of events that connects again and again, after the last cursor that it knows. */

export type Follower = {
  /** The names of created datacenters, in the order of their first delivery. */
  names: ReadonlySet<string>
  end: () => Promise<void>
}

type Following = { filter?: string; heard?: (event: Heard) => void }
type Heard = { id: number; entityName: string }

/** Follows the server that `server` gives at the time. `heard` takes each event as it arrives. */
export function follow(
  server: () => Pick<ApiProcess, 'url'>,
  { filter = 'entity=datacenter&action=create', heard = () => {} }: Following = {},
): Follower {
  const stop = new AbortController()
  const authorization = basicOf({ nick: adminNick, password: adminPassword })
  const names = new Set<string>()
  let cursor = Buffer.from('-1.0').toString('base64url')
  const take = (block: string): void => {
    const [, id = cursor] = /^id: (.*)$/m.exec(block) ?? []
    const [, data] = /^data: (.*)$/m.exec(block) ?? []
    cursor = id
    if (!data) return
    const event = JSON.parse(data) as Heard
    names.add(event.entityName)
    heard(event)
  }
  const connect = async (): Promise<void> => {
    const headers = { authorization, 'last-event-id': cursor }
    const path = `/api/events/stream?${filter}`
    const answer = await fetch(server().url + path, { headers, signal: stop.signal })
    if (answer.status !== 200) return answer.body?.cancel()
    let text = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + piece).split('\n\n')
      text = blocks.pop() ?? ''
      blocks.forEach(take)
    }
  }
  const following = (async () => {
    while (!stop.signal.aborted) {
      await connect().catch(() => {})
      await delay(10)
    }
  })()
  return {
    names,
    end: async () => {
      stop.abort()
      await following
    },
  }
}
