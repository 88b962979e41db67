import { setTimeout as pause } from 'node:timers/promises'
import { csvRow } from '#lib/ground/http/csv'
import { messagesOf } from '#lib/ground/http/event-stream'
import { eventDocument } from '#lib/record/events/events.schema'
import type { Format, Parsed } from '#lib/tools/scripts/cli/arguments'
import type { Command } from '#lib/tools/scripts/cli/commands'
import { exit, Failure, type Terminal } from '#lib/tools/scripts/cli/outcome'
import { cellOf } from '#lib/tools/scripts/cli/print'
import { printable, printableJson } from '#lib/tools/scripts/cli/printable'
import { type Server, send } from '#lib/tools/scripts/cli/request'

const shown = eventDocument.pick({
  timestamp: true,
  user: true,
  entityType: true,
  action: true,
  entityName: true,
})

/** One event as a line. */
export function lineOf(data: string, format: Format): string {
  if (format === 'json') return `${printableJson(data)}\n`
  const { timestamp, user, entityType, action, entityName } = shown.parse(JSON.parse(data))
  const cells = [timestamp, user, entityType, action, entityName].map(cellOf)
  return format === 'csv' ? csvRow(cells) : `${printable(cells.join('  '))}\n`
}

type Following = { server: Server; terminal: Terminal; format: Format }

/** Longest wait between two connections, in milliseconds. */
const LONGEST = 10_000

/** A connection that broke is a TypeError of fetch. */
const isOutage = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Failure && error.code === exit.unavailable)

/** Prints events as they happen. Connects again after the last event, so none is missed. */
export async function follow(
  command: Command,
  parsed: Parsed,
  { server, terminal, format }: Following,
): Promise<void> {
  let { values } = parsed
  let wait = 500
  for (let connected = false; !terminal.signal?.aborted; ) {
    try {
      const response = await send(
        command,
        { ...parsed, values },
        { server, terminal, accept: 'text/event-stream' },
      )
      connected = true
      wait = 500
      for await (const { id, data } of messagesOf(response.body)) {
        if (data) terminal.write(lineOf(data, format))
        if (id) values = { ...values, 'last-event-id': id }
      }
    } catch (error) {
      if (terminal.signal?.aborted) return
      if (!connected || !isOutage(error)) throw error
    }
    await pause(wait, undefined, terminal.signal && { signal: terminal.signal }).catch(() => {})
    wait = Math.min(wait * 2, LONGEST)
  }
}
