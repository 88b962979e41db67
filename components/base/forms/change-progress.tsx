import { useTranslations } from 'use-intl'
import { Progress as ProgressBar } from '#components/kit/progress'
import type { Progress } from '#lib/ground/http/event-stream'

const phases = ['compare', 'try', 'keep', 'apply', 'undo'] as const

/** How far the server is with a plan or an undo. Nothing before its first word. */
export function ChangeProgress({ progress }: { progress: Progress | undefined }) {
  const say = useTranslations('layout.import.progress')
  const phase = phases.find((known) => known === progress?.phase)
  if (!progress || !phase) return null
  const { done, total } = progress
  return (
    <ProgressBar
      label={say(phase)}
      value={total === 0 ? 0 : done / total}
      about={say('rows', { done, total })}
    />
  )
}
