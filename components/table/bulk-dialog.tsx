import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { FailureText } from '#components/base/forms/failure'
import styles from '#components/frame/layout/layout.module.css'
import type { BulkImpact } from '#lib/record/bulk/bulk.schema'
import type { BulkRun } from './use-bulk-run'

type Props = { run: BulkRun; onClose: () => void }

/** The question with the rows of the action, the progress, and the report if rows were refused. */
export function BulkDialog({ run, onClose }: Props) {
  const say = useTranslations('layout.bulk')
  const { action, phase } = run
  const { confirm, label = '' } = action ?? {}
  const isRunning = phase === 'running'
  const isAsking = phase === 'confirming'
  return (
    <Dialog
      visible={isAsking || isRunning || phase === 'finished'}
      header={(isAsking && confirm?.title) || label}
      actions={<Buttons run={run} onClose={isAsking ? run.close : onClose} />}
      // A running action can be stopped, not hidden.
      onDismiss={isRunning ? run.stop : isAsking ? run.close : onClose}
      {...(isRunning && { closeLabel: say('stop') })}
    >
      {isAsking && <Question run={run} />}
      {isRunning && <Running run={run} />}
      {phase === 'finished' && <Report run={run} />}
    </Dialog>
  )
}

function Buttons({ run, onClose }: Props) {
  const say = useTranslations('layout.bulk')
  const sayCommon = useTranslations('common')
  if (run.phase === 'running') return <Button onClick={run.stop}>{say('stop')}</Button>
  if (run.phase === 'confirming')
    return (
      <>
        <Button variant="link" onClick={onClose}>
          {sayCommon('cancel')}
        </Button>
        <Button variant="primary" disabled={run.action?.confirm?.isReady === false} onClick={run.begin}>
          {run.action?.label}
        </Button>
      </>
    )
  return (
    <Button variant="primary" onClick={onClose}>
      {sayCommon('close')}
    </Button>
  )
}

function Question({ run: { action, preview } }: Pick<Props, 'run'>) {
  const say = useTranslations('layout.bulk')
  return (
    <SpaceBetween size="s">
      {preview && <Box variant="strong">{say('rows', { count: preview.total })}</Box>}
      {preview?.impact && <Impact impact={preview.impact} total={preview.total} />}
      <div>{action?.confirm?.text}</div>
    </SpaceBetween>
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
    <Alert type="warning">
      <ul className={styles.impact}>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Alert>
  )
}

function Running({ run: { progress, preview } }: Pick<Props, 'run'>) {
  const say = useTranslations('layout.bulk')
  const { changed, unchanged, refused } = progress
  const done = changed + unchanged + refused
  const count = progress.total || (preview?.total ?? 0)
  return (
    <ProgressBar
      value={count === 0 ? 0 : (done / count) * 100}
      ariaLabel={say('progress')}
      description={say('running', { done, count })}
    />
  )
}

function Report({ run: { progress, failure } }: Pick<Props, 'run'>) {
  const say = useTranslations('layout.bulk')
  const { total, changed: done, unchanged, refused, refusals } = progress
  const left = total - done - unchanged - refused
  const more = refused - refusals.length
  return (
    <>
      <div role="status">
        {refused > 0 ? (
          <StatusIndicator type="warning">{say('someRefused', { refused, done })}</StatusIndicator>
        ) : (
          <StatusIndicator type="stopped">{say('doneSoFar', { count: done })}</StatusIndicator>
        )}
        {left > 0 && <Box color="text-body-secondary">{say('stopped', { count: left })}</Box>}
      </div>
      {failure !== undefined && <FailureText error={failure} />}
      {refusals.length > 0 && (
        <ul className={styles.results} aria-label={say('results')}>
          {refusals.map(({ id, name, code, message }) => (
            <li key={id}>
              <span>{name ?? `#${id}`}</span>
              <div>
                <StatusIndicator type="error">{message}</StatusIndicator>
                <Box variant="small">{code}</Box>
              </div>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <Box color="text-body-secondary">{say('moreRefused', { count: more })}</Box>}
    </>
  )
}
