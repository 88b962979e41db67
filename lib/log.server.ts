import pino from 'pino'
import { env } from '#lib/env.server'

let logger: pino.Logger | undefined

/** The log: JSON lines on stdout. It is given ids, routes and figures, never bodies, headers or names. */
export function log(): pino.Logger {
  logger ??= pino({ level: env().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })
  return logger
}
