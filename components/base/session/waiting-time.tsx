import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '#lib/client/api'

/** A countdown: `27 seconds`, `1:05 minutes`. Screen readers do not announce each second. */
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

/** The seconds until a time (epoch milliseconds), counting down. */
export function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return left
}

export const isTooMany = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 429 && error.retryAfter !== undefined

/** The seconds until the server accepts another attempt; 0 if it does now. */
export const useWait = ({ error, submittedAt }: { error: unknown; submittedAt: number }): number =>
  useSecondsLeft(isTooMany(error) ? submittedAt + (error.retryAfter ?? 0) * 1000 : 0)

/** A countdown in seconds, and the function that starts it. */
export function useCountdown(): [left: number, begin: (seconds: number) => void] {
  const [until, setUntil] = useState(0)
  return [useSecondsLeft(until), (seconds) => setUntil(Date.now() + seconds * 1000)]
}
