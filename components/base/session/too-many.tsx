import Alert from '@cloudscape-design/components/alert'
import { useTranslations } from 'use-intl'
import { Seconds } from './waiting-time'

export function TooMany({ wait, of }: { wait: number; of: 'code' | 'password' }) {
  const say = useTranslations('account')
  return <Alert type="warning">{say.rich(`${of}.tooMany`, { left: () => <Seconds left={wait} /> })}</Alert>
}
