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
import { makePlan } from '#lib/state/plans/plans.queries'
import {
  type ExportEntity,
  type PlanDocument,
  type PlanMode,
  planModes,
  wantedItems,
} from '#lib/state/plans/plans.schema'
import { ColumnMatches } from './column-matches'
import { rememberMatches } from './csv-columns'
import { faultyLines, withoutLines } from './csv-lines'
import { NetworkPlace } from './network-place'
import { PlanDialog, useApplying } from './plan-dialog'
import { changesIn, hasSameChanges, linesToLeave } from './plan-rows'
import { type Prepared, type SameForAll, useSource } from './use-source'

type ImportDialogProps = {
  entity: ExportEntity
  /** What all NAT networks of a file begin with that does not say it. */
  same?: SameForAll
  onClose: () => void
}

/** The import of a table with the desired state: choose the file, match its columns, look at the difference, apply it. */
export function ImportDialog({ entity, same, onClose }: ImportDialogProps) {
  const say = useTranslations('layout.import')
  const sayEntity = useTranslations('layout.import.entities')
  const format = useFormatter()
  const source = useSource(entity, same)
  const { file, head, matches, prepare } = source
  const [progress, setProgress] = useState<Progress>()
  // Beside the mutation, which forgets its plan while it makes the next one.
  const [planned, setPlanned] = useState<{ plan: PlanDocument; sent: Prepared }>()
  const [isOther, setOther] = useState(false)
  const planning = useMutation({
    mutationFn: (sent: Prepared) => makePlan(sent, setProgress),
    onMutate: () => setOther(false),
    onSuccess: (plan, sent) => setPlanned({ plan, sent }),
    onSettled: () => setProgress(undefined),
  })
  const applying = useApplying(onClose)
  const textOf = useTranslateFault()
  const guard = useOneAtATime()
  const compare = () => {
    if (!prepare) return
    rememberMatches(entity, source.chosen)
    guard(async () => planning.mutateAsync(await prepare()))
  }
  if (planned && head) {
    const { plan, sent } = planned
    const lines = changesIn(plan) > 0 ? linesToLeave(plan) : undefined
    const applyGood = (left: ReadonlySet<number>) =>
      guard(async () => {
        const table = await withoutLines(sent.table, left)
        const original = await withoutLines(sent.original, left)
        const good = await planning.mutateAsync({ ...sent, table, original })
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
      saveFile(
        `${entity}-${say('refusedFile')}.csv`,
        await faultyLines(sent.original, { head, title, faults }),
      )
    }
    return (
      <PlanDialog
        key={plan.id}
        plan={plan}
        leftOut={sent.leftOut}
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
        refused: source.refused,
      }}
      calls={prepare && (() => rehearseChange(async () => makePlan(await prepare(), setProgress)))}
      onSubmit={compare}
      onClose={onClose}
    >
      <div>{say(entity === 'natnetworks' ? 'aboutNetworks' : 'about')}</div>
      <FileDrop
        label={say('file')}
        hint={say('fileHint')}
        accept=".csv,text/csv"
        file={file}
        error={source.isBinary && say('binary')}
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
      {source.networks && <NetworkPlace {...source.networks} />}
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
