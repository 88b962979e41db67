import { useState } from 'react'
import { useSecondsLeft } from '#components/session/use-seconds-left'

/** The seconds that are left, and how to begin with so many. */
export function useCountdown(): [left: number, begin: (seconds: number) => void] {
  const [until, setUntil] = useState(0)
  return [useSecondsLeft(until), (seconds) => setUntil(Date.now() + seconds * 1000)]
}
