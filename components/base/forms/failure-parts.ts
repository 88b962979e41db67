import { ApiFailure } from '#lib/client/api'

const headings = {
  0: 'unreachable',
  401: 'ended',
  403: 'forbidden',
  404: 'missing',
  412: 'changed',
  429: 'tooMany',
} as const

/** The name of the heading in the words `common.failure`. */
export function headingOf(error: unknown) {
  if (!(error instanceof ApiFailure)) return 'unknown'
  const { status } = error
  if (error.has('IDEMPOTENCY-2')) return 'saved'
  return status in headings ? headings[status as keyof typeof headings] : status < 500 ? 'refused' : 'server'
}

export type Fault = { code: string; message: string }

const ownFault: Fault = { code: 'CONSOLE', message: '' }

export const faultsOf = (error: unknown): readonly Fault[] =>
  error instanceof ApiFailure ? error.faults : [ownFault]
