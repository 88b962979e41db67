import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { FailureText } from '#components/forms/failure'
import styles from '#components/layout/layout.module.css'
import { type BulkAction, type Outcome, runAll, type Selection } from './bulk'

type BulkProps<Row> = {
  actions: readonly BulkAction<Row>[]
  selection: Selection<Row>
  /** The rows on the screen, in their current state. */
  shown: readonly Row[]
}

/** The number of selected rows, and their actions. */
export function BulkActions<Row extends { id: number }>({ actions, selection, shown }: BulkProps<Row>) {
  const say = useTranslations('layout.bulk')
  const label = useTranslations('labels')
  const run = useBulkRun<Row>()
  const rows = selection.selected.map((row) => shown.find(({ id }) => id === row.id) ?? row)
  const close = () => {
    run.close()
    // Refused rows stay selected.
    selection.onChange(selection.selected.filter(({ id }) => run.outcomeOf(id).state !== 'done'))
  }
  return (
    <span className={styles.bulk}>
      {rows.length > 0 && (
        <>
          <span role="status">{say('selected', { count: rows.length })}</span>
          <Button variant="inline-link" onClick={() => selection.onChange([])}>
            {say('clear')}
          </Button>
        </>
      )}
      <ButtonDropdown
        disabled={rows.length === 0}
        disabledReason={say('nothingSelected')}
        expandToViewport
        items={actions.map(({ id, label, needs }) => {
          const reason = rows.length > 0 ? needs?.(rows) : undefined
          return { id, text: label, disabled: reason !== undefined, disabledReason: reason }
        })}
        onItemClick={({ detail }) => {
          const action = actions.find(({ id }) => id === detail.id)
          if (action) run.open({ action, rows })
        }}
      >
        {label('actions')}
      </ButtonDropdown>
      <BulkDialog run={run} nameOf={selection.nameOf} onClose={close} />
    </span>
  )
}

type BulkDialogProps<Row extends { id: number }> = {
  run: BulkRun<Row>
  nameOf: (row: Row) => string
  onClose: () => void
}

/** Asks for confirmation if necessary, then shows the outcome of each row. */
function BulkDialog<Row extends { id: number }>({ run, nameOf, onClose }: BulkDialogProps<Row>) {
  const say = useTranslations('layout.bulk')
  const { task, phase } = run
  const { confirm, label = '' } = task?.action ?? {}
  const isRunning = phase === 'running'
  return (
    <Dialog
      visible={task !== undefined}
      header={confirm?.title ?? label}
      actions={<Buttons label={label} run={run} onClose={onClose} />}
      // A running action can be stopped, not hidden.
      onDismiss={isRunning ? run.stop : onClose}
      {...(isRunning && { closeLabel: say('stop') })}
    >
      {phase === 'confirming' ? (
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

type ButtonsProps<Row extends { id: number }> = Pick<BulkDialogProps<Row>, 'run' | 'onClose'> & {
  label: string
}

function Buttons<Row extends { id: number }>({ label, run, onClose }: ButtonsProps<Row>) {
  const say = useTranslations('layout.bulk')
  const sayCommon = useTranslations('common')
  if (run.phase === 'running') return <Button onClick={run.stop}>{say('stop')}</Button>
  if (run.phase === 'confirming')
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
        <Button onClick={run.begin}>{say('retry', { count: run.counts.refused })}</Button>
      )}
      <Button variant="primary" onClick={onClose}>
        {sayCommon('close')}
      </Button>
    </>
  )
}

function Progress({
  run: { phase, counts },
  count,
}: {
  run: Pick<BulkRun<never>, 'phase' | 'counts'>
  count: number
}) {
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

type Task<Row> = { action: BulkAction<Row>; rows: readonly Row[] }

type BulkRun<Row extends { id: number }> = ReturnType<typeof useBulkRun<Row>>

const waiting: Outcome = { state: 'waiting' }

/** The state of an action on many rows. */
function useBulkRun<Row extends { id: number }>() {
  const [task, setTask] = useState<Task<Row>>()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [phase, setPhase] = useState<'confirming' | 'running' | 'finished'>('confirming')
  const isStopped = useRef(false)
  const outcomeOf = (id: number): Outcome => outcomes.get(id) ?? waiting
  /** The number of rows in each state. */
  const counts = { waiting: 0, running: 0, done: 0, refused: 0, stopped: 0 }
  for (const { id } of task?.rows ?? []) counts[outcomeOf(id).state] += 1

  const work = async ({ action, rows }: Task<Row>) => {
    isStopped.current = false
    setPhase('running')
    await runAll({
      rows,
      run: action.run,
      report: (id, outcome) => setOutcomes((known) => new Map(known).set(id, outcome)),
      isStopped: () => isStopped.current,
    })
    setPhase('finished')
  }

  return {
    task,
    phase,
    outcomeOf,
    counts,
    /** Asks for confirmation if the action wants it; otherwise starts the action. */
    open: (opened: Task<Row>) => {
      setTask(opened)
      setOutcomes(new Map())
      setPhase('confirming')
      if (!opened.action.confirm) void work(opened)
    },
    /** Processes the rows that are waiting, or tries refused ones again. */
    begin: () => {
      const isLeft = ({ id }: Row) => ['waiting', 'refused'].includes(outcomeOf(id).state)
      if (task) void work({ ...task, rows: task.rows.filter(isLeft) })
    },
    stop: () => {
      isStopped.current = true
    },
    close: () => setTask(undefined),
  }
}
