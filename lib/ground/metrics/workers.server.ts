import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { ApiError, fault } from '#lib/ground/http/errors'
import { registry, sharedFigures } from '#lib/ground/metrics/metrics.server'

/* Behind one address any worker may be scraped. It answers for all workers, with the help of the primary. */

type Question = { kind: 'figures?'; id: number }
type Answer = { kind: 'figures'; id: number } & ({ text: string } | { failure: string })

const isA = <M extends Question | Answer>(kind: M['kind'], message: unknown): message is M =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind

/** Runs in the primary: answers the workers' requests for metrics. */
export function gatherFigures(): void {
  const all = new AggregatorRegistry()
  cluster.on('message', async (worker: Worker, message: unknown) => {
    if (!isA<Question>('figures?', message)) return
    const answer = await all.clusterMetrics().then(
      (text) => ({ text }),
      (error) => ({ failure: String(error) }),
    )
    if (worker.isConnected()) worker.send({ kind: 'figures', id: message.id, ...answer } satisfies Answer)
  })
}

const waiting = new Map<number, PromiseWithResolvers<string>>()
let lastId = 0

if (cluster.isWorker) {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()
  process.on('message', (message) => {
    if (!isA<Answer>('figures', message)) return
    const pending = waiting.get(message.id)
    waiting.delete(message.id)
    if ('text' in message) pending?.resolve(message.text)
    else pending?.reject(new Error(message.failure))
  })
}

function askPrimary(): Promise<string> {
  const answer = Promise.withResolvers<string>()
  lastId += 1
  waiting.set(lastId, answer)
  process.send?.({ kind: 'figures?', id: lastId } satisfies Question)
  return answer.promise
}

/** The metrics of this process, or of all workers. Throws 503 if a worker does not answer. */
export async function figuresOfAll(): Promise<string> {
  if (!cluster.isWorker) return registry.metrics()
  try {
    const [all, shared] = await Promise.all([askPrimary(), sharedFigures()])
    return `${all}\n${shared}\n`
  } catch (cause) {
    throw new ApiError(fault('503-UNAVAILABLE', 'One of the processes does not respond'), { cause })
  }
}
