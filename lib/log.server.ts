import { format } from 'node:util'
import pino from 'pino'
import { env } from '#lib/env.server'

let logger: pino.Logger | undefined

/** The log: JSON lines on stdout. It is given ids, routes and figures, never bodies, headers or names. */
export function log(): pino.Logger {
  logger ??= pino({ level: env().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })
  return logger
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
 * Makes log lines of what libraries print, such as Next and whatever it warns of: a text of theirs may hold a client's, and a line
 * break in that would begin a line of its own.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, pino.Level][])
    console[method] = (...printed: unknown[]) => log()[level]({ by: 'console' }, format(...printed))
}
