import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { FailureText } from '#components/forms/failure'
import styles from '#components/layout/layout.module.css'
import type { Outcome } from './bulk'
import type { BulkRun } from './use-bulk-run'

type BulkDialogProps<Row> = { run: BulkRun<Row>; nameOf: (row: Row) => string; onClose: () => void }

/** Asks first where it must, then tells of each row what has become of it. */
export function BulkDialog<Row extends { id: number }>({ run, nameOf, onClose }: BulkDialogProps<Row>) {
  const say = useTranslations('layout.bulk')
  const { task, phase } = run
  const { confirm, label = '' } = task?.action ?? {}
  const isRunning = phase === 'running'
  return (
    <Dialog
      visible={task !== undefined}
      header={confirm?.title ?? label}
      actions={<Buttons label={label} run={run} onClose={onClose} />}
      // What is under way is not lost from sight.
      onDismiss={isRunning ? run.stop : onClose}
      {...(isRunning && { closeLabel: say('stop') })}
    >
      {phase === 'asked' ? (
        <div>{confirm?.text}</div>
      ) : (
        <>
          <Progress run={run} count={task?.rows.length ?? 0} />
          <ul className={styles.results} aria-label={say('results')}>
            {task?.rows.map((row) => (
              <Result key={row.id} name={nameOf(row)} outcome={run.outcomeOf(row.id)} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

type ButtonsProps<Row> = Pick<BulkDialogProps<Row>, 'run' | 'onClose'> & { label: string }

function Buttons<Row>({ label, run, onClose }: ButtonsProps<Row>) {
  const say = useTranslations('layout.bulk')
  const sayCommon = useTranslations('common')
  if (run.phase === 'running') return <Button onClick={run.stop}>{say('stop')}</Button>
  if (run.phase === 'asked')
    return (
      <>
        <Button variant="link" onClick={onClose}>
          {sayCommon('cancel')}
        </Button>
        <Button variant="primary" onClick={run.begin}>
          {label}
        </Button>
      </>
    )
  return (
    <>
      {run.counts.refused > 0 && (
        <Button onClick={run.retry}>{say('retry', { count: run.counts.refused })}</Button>
      )}
      <Button variant="primary" onClick={onClose}>
        {sayCommon('close')}
      </Button>
    </>
  )
}

function Progress<Row>({ run: { phase, counts }, count }: { run: BulkRun<Row>; count: number }) {
  const say = useTranslations('layout.bulk')
  const { done, refused, stopped } = counts
  if (phase === 'running')
    return (
      <ProgressBar
        value={((done + refused + stopped) / count) * 100}
        ariaLabel={say('results')}
        description={say('running', { done: done + refused, count })}
      />
    )
  const isWhole = refused + stopped === 0
  return (
    <div role="status">
      <StatusIndicator type={isWhole ? 'success' : 'warning'}>
        {isWhole ? say('allDone', { count: done }) : say('someRefused', { refused, done })}
      </StatusIndicator>
      {stopped > 0 && <Box color="text-body-secondary">{say('stopped', { count: stopped })}</Box>}
    </div>
  )
}

const types: Record<Outcome['state'], StatusIndicatorProps.Type> = {
  waiting: 'pending',
  running: 'in-progress',
  done: 'success',
  refused: 'error',
  stopped: 'stopped',
}

function Result({ name, outcome }: { name: string; outcome: Outcome }) {
  const say = useTranslations('layout.bulk.state')
  return (
    <li>
      <span>{name}</span>
      <div>
        <StatusIndicator type={types[outcome.state]}>{say(outcome.state)}</StatusIndicator>
        {outcome.state === 'refused' && <FailureText error={outcome.error} />}
      </div>
    </li>
  )
}
