import { useTranslations } from 'use-intl'
import { Notice } from '#components/kit/notice'
import { Seconds } from './waiting-time'

export function TooMany({ wait, of }: { wait: number; of: 'code' | 'password' }) {
  const say = useTranslations('account')
  return <Notice kind="warn">{say.rich(`${of}.tooMany`, { left: () => <Seconds left={wait} /> })}</Notice>
}
