import { useRef, useState } from 'react'
import { type BulkAction, type Outcome, runAll } from './bulk'

type Task<Row> = { action: BulkAction<Row>; rows: readonly Row[] }

export type BulkRun<Row> = {
  task: Task<Row> | undefined
  phase: 'asked' | 'running' | 'over'
  outcomeOf: (id: number) => Outcome
  /** How many rows are in each state. */
  counts: Record<Outcome['state'], number>
  /** Asks first, where the action wants it; else begins. */
  open: (task: Task<Row>) => void
  begin: () => void
  retry: () => void
  stop: () => void
  close: () => void
}

const waiting: Outcome = { state: 'waiting' }

/** An action on many rows, and what has become of each so far. It begins with a click, never by being shown. */
export function useBulkRun<Row extends { id: number }>(): BulkRun<Row> {
  const [task, setTask] = useState<Task<Row>>()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [phase, setPhase] = useState<BulkRun<Row>['phase']>('asked')
  const isStopped = useRef(false)
  const outcomeOf = (id: number): Outcome => outcomes.get(id) ?? waiting

  const work = async ({ run }: BulkAction<Row>, rows: readonly Row[]) => {
    isStopped.current = false
    setPhase('running')
    const tell = (id: number, outcome: Outcome) => setOutcomes((known) => new Map(known).set(id, outcome))
    await runAll(rows, run, tell, () => isStopped.current)
    setPhase('over')
  }

  const counts = { waiting: 0, running: 0, done: 0, refused: 0, stopped: 0 }
  for (const { id } of task?.rows ?? []) counts[outcomeOf(id).state] += 1

  return {
    task,
    phase,
    outcomeOf,
    counts,
    open: (opened) => {
      setTask(opened)
      setOutcomes(new Map())
      setPhase('asked')
      if (!opened.action.confirm) void work(opened.action, opened.rows)
    },
    begin: () => {
      if (task) void work(task.action, task.rows)
    },
    retry: () => {
      if (task)
        void work(
          task.action,
          task.rows.filter(({ id }) => outcomeOf(id).state === 'refused'),
        )
    },
    stop: () => {
      isStopped.current = true
    },
    close: () => setTask(undefined),
  }
}
