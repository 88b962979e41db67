import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { FailureText } from '#components/base/forms/failure'
import { RefusedRows } from '#components/frame/jobs/refused-rows'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Progress } from '#components/kit/progress'
import { Status } from '#components/kit/status'
import type { BulkImpact } from '#lib/record/bulk/bulk.schema'
import styles from './table.module.css'
import type { BulkRun } from './use-bulk-run'

type Props = { run: BulkRun; onClose: () => void }

/** The question with the rows of the action, the progress, and the report if rows were refused. */
export function BulkDialog({ run, onClose }: Props) {
  const say = useTranslations('layout.bulk')
  const { action, question, phase } = run
  const isRunning = phase === 'running'
  const isAsking = phase === 'confirming'
  const isChecking = phase === 'checking'
  return (
    <Dialog
      visible={phase !== 'idle'}
      header={(isAsking && question?.title) || action?.label || ''}
      actions={<Buttons run={run} onClose={isAsking || isChecking ? run.close : onClose} />}
      onDismiss={isRunning ? run.hide : isAsking || isChecking ? run.close : onClose}
      closeLabel={isRunning ? say('hide') : undefined}
    >
      {isChecking && <Progress label={say('checking')} />}
      {isAsking && <Question run={run} />}
      {isRunning && <Running run={run} />}
      {phase === 'finished' && <Report run={run} />}
    </Dialog>
  )
}

function Buttons({ run, onClose }: Props) {
  const say = useTranslations('layout.bulk')
  const sayCommon = useTranslations('common')
  if (run.phase === 'running')
    return (
      <>
        <Button onPress={run.stop}>{say('stop')}</Button>
        <Button look="main" onPress={run.hide}>
          {say('hide')}
        </Button>
      </>
    )
  if (run.phase === 'checking') return <Button onPress={onClose}>{sayCommon('cancel')}</Button>
  if (run.phase === 'confirming')
    return (
      <>
        <Button look="quiet" onPress={onClose}>
          {sayCommon('cancel')}
        </Button>
        <Button look="main" disabled={run.question?.isReady === false} onPress={run.begin}>
          {run.action?.label}
        </Button>
      </>
    )
  return (
    <Button look="main" onPress={onClose}>
      {sayCommon('close')}
    </Button>
  )
}

function Question({ run: { question, preview } }: Pick<Props, 'run'>) {
  return (
    <Stack gap="s">
      {preview?.impact && <Impact impact={preview.impact} total={preview.total} />}
      <div>{question?.text}</div>
    </Stack>
  )
}

function Impact({ impact, total }: { impact: BulkImpact; total: number }) {
  const say = useTranslations('layout.bulk')
  const { attached, defaultSnat, rules, enterprises, totalEnterprises } = impact
  const facts = [
    attached > 0 && say('attached', { count: attached, total }),
    defaultSnat > 0 && say('defaultSnat', { count: defaultSnat }),
    rules > 0 && say('rules', { count: rules }),
    enterprises.length > 0 &&
      say('usedBy', { names: enterprises.join(', '), more: totalEnterprises - enterprises.length }),
  ].filter((fact) => fact !== false)
  if (facts.length === 0) return null
  return (
    <Notice kind="warn">
      <ul className={styles.facts}>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Notice>
  )
}

function Running({ run: { progress, preview } }: Pick<Props, 'run'>) {
  const say = useTranslations('layout.bulk')
  const { done } = progress
  const count = progress.total || (preview?.total ?? 0)
  return (
    <Progress
      label={say('progress')}
      value={count === 0 ? 0 : done / count}
      about={say('running', { done, count })}
    />
  )
}

function Report({ run: { progress } }: Pick<Props, 'run'>) {
  const say = useTranslations('layout.bulk')
  const { total, changed: done, unchanged, refused, failure } = progress
  const left = total - done - unchanged - refused
  return (
    <>
      <div role="status">
        {refused > 0 ? (
          <Status kind="warn">{say('someRefused', { refused, done })}</Status>
        ) : (
          <Status kind="off">{say('doneSoFar', { count: done })}</Status>
        )}
        {left > 0 && <div className="quiet">{say('stopped', { count: left })}</div>}
      </div>
      {failure !== undefined && <FailureText error={failure} />}
      <RefusedRows report={progress} />
    </>
  )
}
