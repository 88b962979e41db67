import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiProcess, startApi } from '#lib/tools/testing/api-process'
import type { DatabaseCluster, Folders } from '#lib/tools/testing/cluster/database'
import { addMachine, addressOf, CLIENT, type Machine } from '#lib/tools/testing/cluster/network'
import { onMachine } from '#lib/tools/testing/cluster/programs'
import { urlOf, type Way } from '#lib/tools/testing/cluster/ways'

/* The servers under test, each on a machine of its own and with its own way to the database. */

/** The port of the client's machine on which webhooks are received. */
export const HOOK_PORT = 8080

export class Console {
  readonly machine: Machine
  readonly way: Way
  readonly #settings: { DATA_DIR: string; DATABASE_URL: string }
  readonly #folders: Folders
  #server: ApiProcess | undefined
  #starts = 0

  constructor(number: number, way: Way, database: DatabaseCluster, folders: Folders) {
    this.machine = `console${number}`
    this.way = way
    this.#folders = folders
    const directory = join(folders.data, this.machine)
    mkdirSync(directory)
    this.#settings = { DATA_DIR: directory, DATABASE_URL: urlOf(way, database) }
    addMachine(this.machine)
  }

  /** Undefined while it is not running. */
  get url(): string | undefined {
    return this.#server?.url
  }

  /** Tries again until the database can be reached. */
  async start(): Promise<void> {
    const settings = {
      HOST: addressOf(this.machine),
      WEBHOOK_ALLOW: `${CLIENT}:${HOOK_PORT}`,
      LOG_LEVEL: 'warn',
    }
    for (const deadline = Date.now() + 90_000; !this.#server; )
      try {
        this.#server = await startApi(this.#settings, settings, onMachine(this.machine))
      } catch (error) {
        if (Date.now() > deadline) throw error
        await delay(500)
      }
  }

  async kill(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const ended = once(server.process, 'exit')
    server.process.kill('SIGKILL')
    await ended
    this.#starts += 1
    writeFileSync(join(this.#folders.logs, `${this.machine}-${this.#starts}.log`), server.lines.join('\n'))
  }
}
