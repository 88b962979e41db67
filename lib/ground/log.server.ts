import { format } from 'node:util'
import pino from 'pino'
import { env } from '#lib/ground/env.server'

let logger: pino.Logger | undefined

/** The log: JSON lines on stdout. It is given ids, routes and figures, never bodies, headers or names. */
export function log(): pino.Logger {
  const timestamp = pino.stdTimeFunctions.isoTime
  logger ??= pino({ level: env().LOG_LEVEL, base: null, timestamp, serializers: { err: errorView } })
  return logger
}

/** Mail servers name the recipient whom they refuse. */
const MAIL_ADDRESS = /(?<![^\s<>"'@])[^\s<>"'@]+@[^\s<>"']+/g

type ErrorView = { type: string; code?: string | number; message?: string; stack?: string; cause?: ErrorView }

/** SQLSTATE class 22, "data exception": the message quotes the value. */
const quotesValue = (error: Error, code: unknown): boolean =>
  // The message of a parser quotes the text around the fault, which may be a password.
  error instanceof SyntaxError || (typeof code === 'string' && /^22...$/.test(code))

/**
 * The content of an error and its causes in the log. Every other property is left out: drivers keep rows and addresses there, such as
 * PostgreSQL's `detail` ("Failing row contains …").
 */
export function errorView(error: unknown): ErrorView | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const cause = errorView(error.cause)
  return {
    type: error.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(!quotesValue(error, code) && { message: error.message.replaceAll(MAIL_ADDRESS, '…') }),
    stack: error.stack?.match(/^ {4}at .*$/gm)?.join('\n') ?? '',
    ...(cause && { cause }),
  }
}

const levels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'debug',
} as const

/**
 * Makes log lines of the output of libraries, such as Next and its warnings: their text may contain a client's, whose line breaks would
 * begin lines of their own.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, pino.Level][])
    console[method] = (...printed: unknown[]) => log()[level]({ by: 'console' }, format(...printed))
}
