import { defineConfig } from 'vitest/config'
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node'
import config from '#lib/tools/testing/vitest.config'

type Listener = Parameters<PoolWorker['on']>[1]

/** A worker keeps little of a former run, but it adds up. */
const RUNS = 25

const kept = new Map<string, { fork: ForksPoolWorker; runs: number }>()

/**
 * A worker whose process outlives the run of a mutant. A new process would take three seconds of a core to load the API again, and to
 * prepare a database; here only the modules are evaluated again.
 */
class KeptWorker implements PoolWorker {
  readonly name = 'kept'
  readonly cacheFs = true
  readonly #project: string
  #fork: ForksPoolWorker
  readonly #listeners: [event: string, listener: Listener][] = []
  #isDone = false

  constructor(options: PoolOptions) {
    this.#project = options.project.name
    this.#fork = new ForksPoolWorker(options)
  }

  /** A worn process is replaced here: when the former worker stops, this one may already use its process. */
  async start(): Promise<void> {
    const former = kept.get(this.#project)
    if (former && former.runs < RUNS) {
      former.runs += 1
      this.#fork = former.fork
      return
    }
    kept.set(this.#project, { fork: this.#fork, runs: 1 })
    await former?.fork.stop()
    await this.#fork.start()
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#fork.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    this.#fork.off(event, listener)
  }

  send(message: WorkerRequest): void {
    if (message.type === 'stop') this.#answerStop()
    else this.#fork.send(message)
  }

  #answerStop(): void {
    this.#isDone = true
    for (const [event, listener] of this.#listeners)
      if (event === 'message') listener({ __vitest_worker_response__: true, type: 'stopped' })
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#fork.off(event, listener)
    if (this.#isDone) return
    kept.delete(this.#project)
    await this.#fork.stop()
  }

  deserialize(data: unknown): unknown {
    return this.#fork.deserialize(data)
  }
}

/** The files of the room, separated by commas. Were they Stryker's `testFiles`, it would load modules without the mutant that they hold. */
const files = (process.env.MUTANTS_TESTS ?? '').split(',')
const ofServer = /\.(server|engines)\.test\.ts$/

/** The tests that can kill a mutant soon: of the units, and of the API on SQLite. */
export default defineConfig({
  ...config,
  plugins: [
    {
      name: 'kept-workers',
      configureVitest({ project }) {
        Object.assign(project.config, {
          pool: 'kept',
          poolRunner: { name: 'kept', createPoolWorker: (options: PoolOptions) => new KeptWorker(options) },
          isolate: true,
          maxWorkers: 1,
          setupFiles: ['lib/tools/testing/mutants.setup.ts', ...project.config.setupFiles],
          sequence: { ...project.config.sequence, setupFiles: 'list' },
          include: files.filter((file) => ofServer.test(file) === (project.name === 'sqlite')),
        })
      },
    },
  ],
  test: { ...config.test, projects: config.test?.projects?.slice(0, 2) },
})
