import Alert from '@cloudscape-design/components/alert'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '#lib/client/api'
import { Seconds } from './seconds'
import { useSecondsLeft } from './use-seconds-left'

export const isTooMany = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 429 && error.retryAfter !== undefined

/** The seconds until the server listens to another try; 0: it does. */
export const useWait = ({ error, submittedAt }: { error: unknown; submittedAt: number }): number =>
  useSecondsLeft(isTooMany(error) ? submittedAt + (error.retryAfter ?? 0) * 1000 : 0)

/** `of`: what was wrong too often. */
export function TooMany({ wait, of }: { wait: number; of: 'code' | 'password' }) {
  const say = useTranslations('account')
  return <Alert type="warning">{say.rich(`${of}.tooMany`, { left: () => <Seconds left={wait} /> })}</Alert>
}
