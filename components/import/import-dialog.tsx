import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ChangeProgress } from '#components/base/forms/change-progress'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useTranslateFault } from '#components/base/screens/words'
import { Button } from '#components/kit/button'
import { FileDrop } from '#components/kit/file-drop'
import { Radio } from '#components/kit/radio'
import { screenIcons } from '#components/kit/screen-icons'
import { rehearseChange } from '#lib/client/calls'
import { saveFile } from '#lib/client/save-file'
import type { Progress } from '#lib/ground/http/event-stream'
import { makePlan, type SentTable } from '#lib/state/plans/plans.queries'
import {
  type ExportEntity,
  type PlanDocument,
  type PlanMode,
  planModes,
  wantedItems,
} from '#lib/state/plans/plans.schema'
import { ColumnMatches } from './column-matches'
import {
  type CsvHead,
  fieldTwice,
  headOf,
  type Matches,
  matched,
  rememberedMatches,
  rememberMatches,
  tableOf,
} from './csv-columns'
import { faultyLines, withoutLines } from './csv-lines'
import { PlanDialog, useApplying } from './plan-dialog'
import { changesIn, hasSameChanges, linesToLeave } from './plan-rows'

type ImportDialogProps = { entity: ExportEntity; onClose: () => void }

/** The import of a table with the desired state: choose the file, match its columns, look at the difference, apply it. */
export function ImportDialog({ entity, onClose }: ImportDialogProps) {
  const say = useTranslations('layout.import')
  const sayEntity = useTranslations('layout.import.entities')
  const format = useFormatter()
  const source = useSource(entity)
  const { file, head, matches, sent } = source
  const [progress, setProgress] = useState<Progress>()
  // Beside the mutation, which forgets its plan while it makes the next one.
  const [planned, setPlanned] = useState<{ plan: PlanDocument; sent: SentTable }>()
  const [isOther, setOther] = useState(false)
  const planning = useMutation({
    mutationFn: (table: SentTable) => makePlan(table, setProgress),
    onMutate: () => setOther(false),
    onSuccess: (plan, sent) => setPlanned({ plan, sent }),
    onSettled: () => setProgress(undefined),
  })
  const applying = useApplying(onClose)
  const textOf = useTranslateFault()
  const guard = useOneAtATime()
  const compare = () => {
    if (!sent) return
    rememberMatches(entity, source.chosen)
    guard(() => planning.mutateAsync(sent))
  }
  if (planned && head) {
    const { plan, sent } = planned
    const lines = changesIn(plan) > 0 ? linesToLeave(plan) : undefined
    const applyGood = (left: ReadonlySet<number>) =>
      guard(async () => {
        const table = await withoutLines(sent.table, left)
        const good = await planning.mutateAsync({ ...sent, table })
        if (!hasSameChanges(plan, good)) setOther(true)
        else if (good.refused === 0) applying.apply(good)
      })
    const download = async () => {
      const faults = new Map<number, string>()
      for (const { line, field, ...fault } of plan.refusals) {
        if (line === undefined) continue
        const { text, detail } = textOf(fault)
        const one = [field, text, detail].filter(Boolean).join(': ')
        faults.set(line, [faults.get(line), one].filter(Boolean).join('; '))
      }
      const title = say('fault')
      saveFile(`${entity}-${say('refusedFile')}.csv`, await faultyLines(sent.table, { head, title, faults }))
    }
    return (
      <PlanDialog
        key={plan.id}
        plan={plan}
        applying={applying}
        isComparing={planning.isPending}
        isOther={isOther}
        progress={progress}
        error={planning.error}
        onCompare={compare}
        onGood={lines && (() => applyGood(lines))}
        onDownload={() => void download()}
        onBack={() => {
          planning.reset()
          setPlanned(undefined)
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      header={say('title', { list: sayEntity(entity) })}
      size="large"
      submit={{
        label: say('compare'),
        busyLabel: say('comparing'),
        isBusy: planning.isPending,
        refused: sent
          ? undefined
          : head
            ? say('twice', { field: fieldTwice(matches) ?? '' })
            : say('chooseFirst'),
      }}
      calls={sent && (() => rehearseChange(() => makePlan(sent, setProgress)))}
      onSubmit={compare}
      onClose={onClose}
    >
      <div>{say('about')}</div>
      <FileDrop
        label={say('file')}
        hint={say('fileHint')}
        accept=".csv,text/csv"
        file={file}
        words={{ choose: say('choose'), drop: say('drop'), remove: (name) => say('remove', { name }) }}
        size={(bytes) =>
          format.number(bytes / 1000, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 })
        }
        onChange={(chosen) => {
          planning.reset()
          void source.choose(chosen)
        }}
      />
      {!head && <Template entity={entity} />}
      {head && (
        <ColumnMatches entity={entity} columns={head.columns} fields={matches} onChange={source.match} />
      )}
      {head && <ModeField mode={source.mode} onChange={source.setMode} />}
      <ChangeProgress progress={progress} />
      {planning.error && <Failure error={planning.error} retry={compare} />}
    </FormDialog>
  )
}

/** An empty table with all columns of the list. */
function Template({ entity }: { entity: ExportEntity }) {
  const say = useTranslations('layout.import')
  const header = Object.keys(wantedItems[entity].shape).join(',')
  return (
    <div>
      <Button
        look="link"
        icon={screenIcons.download}
        onPress={() => saveFile(`${entity}.csv`, new Blob([header, '\r\n'], { type: 'text/csv' }))}
      >
        {say('template')}
      </Button>
    </div>
  )
}

/** The chosen file with its columns, and the part that is sent. */
function useSource(entity: ExportEntity) {
  const [file, setFile] = useState<File>()
  const [head, setHead] = useState<CsvHead>()
  const [chosen, setChosen] = useState<Matches>(() => rememberedMatches(entity))
  const [mode, setMode] = useState<PlanMode>('merge')
  const matches = matched(head?.columns ?? [], Object.keys(wantedItems[entity].shape), chosen)
  const isSound = head !== undefined && fieldTwice(matches) === undefined
  return {
    file,
    head,
    matches,
    chosen,
    mode,
    setMode,
    sent: isSound ? { entity, mode, table: tableOf(head, matches) } : undefined,
    choose: async (given: File | undefined) => {
      setFile(given)
      setHead(given && (await headOf(given)))
    },
    match: (column: string, field: string) => setChosen({ ...chosen, [column]: field }),
  }
}

function ModeField({ mode, onChange }: { mode: PlanMode; onChange: (mode: PlanMode) => void }) {
  const say = useTranslations('layout.import.modes')
  return (
    <Radio
      label={say('title')}
      value={mode}
      choices={planModes.map((value) => ({ value, text: say(value), about: say(`${value}About`) }))}
      onChange={onChange}
    />
  )
}
