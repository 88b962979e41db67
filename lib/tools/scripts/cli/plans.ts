import { z } from 'zod'
import { messagesOf, type Progress } from '#lib/ground/http/event-stream'
import { optionsOf, type Parsed, parse, requireCommand } from '#lib/tools/scripts/cli/arguments'
import type { Manual } from '#lib/tools/scripts/cli/commands'
import { followJob } from '#lib/tools/scripts/cli/follow-job'
import { exit, Failure, type Terminal } from '#lib/tools/scripts/cli/outcome'
import { printDocument } from '#lib/tools/scripts/cli/print'
import { printable } from '#lib/tools/scripts/cli/printable'
import { refusalOf, type Server, send, serverOf } from '#lib/tools/scripts/cli/request'

/* `cloudctl plan FILE` shows the changes of a document, and `cloudctl apply FILE` applies it. */

const changed = z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() })

const planned = z.object({
  id: z.int(),
  totals: z.array(z.object({ create: z.int(), update: z.int(), delete: z.int(), none: z.int() })),
  refused: z.int(),
  refusals: z.array(
    z.object({
      line: z.int().optional(),
      name: z.string().optional(),
      code: z.string(),
      message: z.string(),
    }),
  ),
  operations: z.array(
    z.object({
      operation: z.string(),
      entity: z.string(),
      place: z.string().optional(),
      name: z.string(),
      changes: z.array(changed),
    }),
  ),
})
type Planned = z.infer<typeof planned>

const changeOf = ({ field, before, after }: z.infer<typeof changed>): string =>
  before === undefined ? `${field}: ${after ?? ''}` : `${field}: ${before} → ${after ?? ''}`

const rowOf = ({ changes, ...operation }: Planned['operations'][number]) => ({
  ...operation,
  changes: operation.operation === 'delete' ? '' : changes.map(changeOf).join('; '),
})

const sumOf = ({ totals }: Planned, kind: 'create' | 'update' | 'delete' | 'none'): number =>
  totals.reduce((sum, total) => sum + total[kind], 0)

const summaryOf = (plan: Planned): string =>
  `${sumOf(plan, 'create')} to create, ${sumOf(plan, 'update')} to change, ${sumOf(plan, 'delete')} to delete, ${sumOf(plan, 'none')} as they should be`

function refusalsOf({ refused, refusals }: Planned): string {
  const lines = refusals.map(({ line, name, code, message }) => {
    const where = [...(line === undefined ? [] : [`line ${line}`]), ...(name ? [name] : [])].join(', ')
    return printable(`${where === '' ? '' : `${where}: `}${code}: ${message}`)
  })
  const more = refused > refusals.length ? [`and ${refused - refusals.length} more`] : []
  return [...lines, ...more, 'The plan has refusals. Nothing was changed.'].join('\n')
}

const made = z.object({
  id: z.int(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
})

/** Explains how to undo the plan. */
function undoOf(document: unknown): string {
  const event = made.parse(document).links.find(({ rel }) => rel === 'event')
  const id = event && /(?<!\d)\d+$/.exec(event.href)?.[0]
  return id ? ` To take it back: cloudctl undo-event --event ${id}` : ''
}

const phases: Record<string, string> = {
  compare: 'Comparing',
  try: 'Trying',
  keep: 'Storing',
  apply: 'Applying',
}

/** The plan in the response of an operation. On a terminal it shows the progress of the operation. */
async function planFrom(
  manual: Manual,
  operation: 'createPlan' | 'applyPlan',
  parsed: Parsed,
  { server, terminal }: { server: Server; terminal: Terminal },
): Promise<unknown> {
  const command = requireCommand(manual, operation)
  const { progress } = terminal
  const accept = progress ? 'text/event-stream' : 'application/json'
  const response = await send(command, parsed, { server, terminal, accept })
  if (!progress) return response.json()
  for await (const { event, data = '' } of messagesOf(response.body)) {
    if (event === 'progress') {
      const { phase, done, total } = JSON.parse(data) as Progress
      progress(`${phases[phase] ?? phase}: ${done} of ${total}`)
      continue
    }
    progress('')
    if (event === 'errors') {
      const { status } = JSON.parse(data) as { status: number }
      throw await refusalOf(new Response(data, { status, headers: response.headers }), command, server)
    }
    const values = { plan: String(made.parse(JSON.parse(data)).id) }
    const { file: _file, ...without } = parsed
    const whole = { server, terminal, accept: 'application/json' }
    return (await send(requireCommand(manual, 'getPlan'), { ...without, values }, whole)).json()
  }
  throw new Failure(exit.unavailable, `${server.origin} ended the answer too early.`)
}

/** Makes the plan and prints it. Fails with 1 if anything refuses it. */
async function makePlan(manual: Manual, word: 'plan' | 'apply', args: string[], terminal: Terminal) {
  const create = requireCommand(manual, 'createPlan')
  const options = { ...optionsOf(create), yes: { type: 'boolean' as const } }
  const { words, values, ...given } = parse(args, options, `help ${word}`)
  if (word === 'plan' && given.follow) throw new Failure(exit.usage, 'plan is no job: leave out --follow.')
  const [file = given.file, ...others] = words
  if (!file || others.length > 0)
    throw new Failure(exit.usage, `Name the document: cloudctl ${word} FILE.\nSee: cloudctl help ${word}`)
  const isAgreed = values.yes === true
  const server = await serverOf(terminal, given)
  const sent = { ...given, words, values, file }
  const document = await planFrom(manual, 'createPlan', sent, { server, terminal })
  const plan = planned.parse(document)
  const format = given.format ?? 'table'
  const hasRows = plan.operations.length + plan.refusals.length > 0
  if (word === 'plan' || format === 'table')
    printDocument(format === 'json' ? document : { collection: plan.operations.map(rowOf) }, format, {
      ...terminal,
      tell: () => {},
    })
  terminal.tell(`${summaryOf(plan)}\n`)
  if (word === 'plan' && hasRows)
    terminal.tell(`Look at it in the console, and apply it there: ${server.origin}/plans/${plan.id}\n`)
  if (plan.refused > 0) throw new Failure(exit.refused, refusalsOf(plan))
  const canAsk = file !== '-' && terminal.input.isTTY === true
  return { plan, given, server, format, isAgreed, canAsk }
}

export async function planFile(manual: Manual, args: string[], terminal: Terminal): Promise<void> {
  await makePlan(manual, 'plan', args, terminal)
}

async function appliedByJob(
  manual: Manual,
  parsed: Parsed,
  { server, terminal }: { server: Server; terminal: Terminal },
): Promise<unknown> {
  const command = requireCommand(manual, 'applyPlan')
  const asked = { ...parsed, values: { ...parsed.values, prefer: 'respond-async' } }
  const begun = await send(command, asked, { server, terminal, accept: 'application/json' })
  return (await followJob(command, begun, { server, terminal })).json()
}

/** The server goes on with a plan whose client has left. */
async function orMayGoOn<T>({ id }: Planned, { signal }: Terminal, apply: () => Promise<T>): Promise<T> {
  try {
    return await apply()
  } catch (error) {
    if (!signal?.aborted || error instanceof Failure) throw error
    throw new Failure(
      exit.interrupted,
      `Interrupted. The plan may be applied all the same: cloudctl get-plan ${id}`,
      error,
    )
  }
}

export async function applyFile(manual: Manual, args: string[], terminal: Terminal): Promise<void> {
  const { plan, given, server, format, isAgreed, canAsk } = await makePlan(manual, 'apply', args, terminal)
  if (plan.operations.length === 0) return terminal.tell('Nothing has to change.\n')
  if (!isAgreed && !canAsk)
    throw new Failure(exit.usage, 'Nothing was changed. Without a terminal, apply needs --yes.')
  if (!isAgreed && !/^y(es)?$/i.test(await terminal.ask('Apply this plan? (yes or no) ', 'shown')))
    throw new Failure(exit.refused, 'Nothing was changed.')
  const { file: _file, ...parsed } = { ...given, words: [], values: { plan: String(plan.id) }, help: false }
  const document = await orMayGoOn(plan, terminal, () =>
    given.follow
      ? appliedByJob(manual, parsed, { server, terminal })
      : planFrom(manual, 'applyPlan', parsed, { server, terminal }),
  )
  if (format === 'json') printDocument(document, 'json', terminal)
  terminal.tell(`Plan ${plan.id} was applied.${undoOf(document)}\n`)
}
