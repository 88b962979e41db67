import { messagesOf } from '#lib/ground/http/event-stream'
import { linkOf } from '#lib/ground/http/view'
import { isOpenState, type JobDocument } from '#lib/record/jobs/jobs.schema'
import type { Command } from '#lib/tools/scripts/cli/commands'
import { exit, Failure, isCut, type Terminal } from '#lib/tools/scripts/cli/outcome'
import { printable } from '#lib/tools/scripts/cli/printable'
import { fetched, refusalOf, type Server } from '#lib/tools/scripts/cli/request'

type Waiting = { server: Server; terminal: Terminal }

const isJob = ({ method, path }: Command): boolean => method === 'GET' && path.endsWith('/jobs/{job}')

/** Whether the server can run the operation as a job, or it reads one. */
export const canFollow = (command: Command): boolean =>
  isJob(command) ||
  command.parameters.some(({ in: place, name }) => place === 'header' && name.toLowerCase() === 'prefer')

/**
 * Follows the job of the response to its end, and returns the response with what the operation would have answered. Throws the reason of a job
 * that failed or was stopped. Ctrl-C leaves the job alone.
 */
export async function followJob(command: Command, begun: Response, waiting: Waiting): Promise<Response> {
  if (begun.status !== 202 && !isJob(command)) return begun
  const job = await endOf(command, (await begun.json()) as JobDocument, waiting)
  const { state, code, message, id } = job
  if (state === 'failed') throw new Failure(exit.conflict, printable(`${code}: ${message}`))
  if (state !== 'done') throw new Failure(exit.refused, `Job ${id} was stopped. What it did by then stays.`)
  return read(command, new URL((linkOf(job, 'result') ?? linkOf(job, 'self'))?.href ?? '').pathname, waiting)
}

async function endOf(command: Command, begun: JobDocument, waiting: Waiting): Promise<JobDocument> {
  const { progress, tell, signal } = waiting.terminal
  if (!progress) tell(`Job ${begun.id}\n`)
  let job = begun
  const response = await read(command, `/api/jobs/${begun.id}`, waiting, 'text/event-stream')
  try {
    for await (const { event, data = '' } of messagesOf(response.body)) {
      if (event !== 'job') continue
      job = JSON.parse(data) as JobDocument
      progress?.(`Job ${job.id}: ${job.done ?? 0} of ${job.total ?? '…'}`)
    }
  } catch (error) {
    if (!signal?.aborted && !isCut(error)) throw error
  }
  progress?.('')
  if (!isOpenState(job.state)) return job
  throw new Failure(
    signal?.aborted ? exit.interrupted : exit.unavailable,
    `${signal?.aborted ? 'Interrupted.' : 'The connection is lost.'} Job ${job.id} goes on: cloudctl get-job ${job.id} --follow`,
  )
}

async function read(
  command: Command,
  path: string,
  { server: { origin, authorization }, terminal }: Waiting,
  accept = 'application/json',
): Promise<Response> {
  const headers = { accept, ...(authorization && { authorization }) }
  const response = await fetched(terminal, origin + path, { headers })
  if (response.status >= 400) throw await refusalOf(response, command, { origin, authorization })
  return response
}
