import { createFrontServer } from '#lib/server/front.server'
import type { Router } from '#lib/server/router.server'
import type { Random } from '#lib/tools/sample/random'
import { end, getRaw, listen, type RawAnswer } from '#lib/tools/testing/raw'
import { misreading, spellingsOf } from '#lib/tools/testing/spellings'

/* Paths as attackers write them: on raw connections to a front server of its own, for a Request would tidy them. */

export type Spelled = {
  /** Asks for a path in its plain form and in one of some hundreds of others. Throws where the answers differ and it is no 400. */
  check: (path: string, headers: Record<string, string>, title: string) => Promise<void>
  end: () => void
}

const statusAndType = ({ status, headers }: RawAnswer): string => `${status} ${headers.get('content-type')}`

export async function spelledPaths(router: Router, random: Random): Promise<Spelled> {
  const server = createFrontServer({
    router,
    servePage: (_request, response) => void response.end('a page'),
    limits: { requests: 256, delay: 60_000 },
  })
  const port = await listen(server)
  // A run that throws ends nevertheless.
  server.unref()
  return {
    async check(path, headers, title) {
      const spellings = spellingsOf(path, `127.0.0.1:${port}`)
      const spelling = spellings[random.below(spellings.length)]
      if (!spelling) return
      const plain = await getRaw(port, path, headers)
      const wrong = misreading(spelling, plain, await getRaw(port, spelling.target, headers), statusAndType)
      if (wrong || plain.status === 0) throw new Error(`${title} is misread: ${wrong ?? 'no answer'}`)
    },
    end: () => end(server),
  }
}
