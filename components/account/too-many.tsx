import Alert from '@cloudscape-design/components/alert'
import { Seconds } from '#components/layout/seconds'
import { ApiFailure } from '#lib/client/api'
import { useSecondsLeft } from '../layout/use-seconds-left'

export const isTooMany = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 429 && error.retryAfter !== undefined

/** The seconds until the server listens to another try; 0: it does. */
export const useWait = ({ error, submittedAt }: { error: unknown; submittedAt: number }): number =>
  useSecondsLeft(isTooMany(error) ? submittedAt + (error.retryAfter ?? 0) * 1000 : 0)

export const TooMany = ({ wait, what }: { wait: number; what: string }) => (
  <Alert type="warning" i18nStrings={{ warningIconAriaLabel: 'Warning' }}>
    Too many {what}. Try again in <Seconds left={wait} />.
  </Alert>
)
