import { useTranslations } from 'use-intl'

/** A time that is counted down: `27 seconds`, `1:05 minutes`. A screen reader does not read out each of them. */
export function Seconds({ left }: { left: number }) {
  const say = useTranslations('common.timeLeft')
  return (
    <span aria-live="off">
      {left < 60
        ? say('seconds', { seconds: left })
        : say('minutes', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })}
    </span>
  )
}
