import { useTranslations } from 'use-intl'
import { ChangeTool } from '#components/base/forms/change-tool'
import { Dialog } from '#components/base/forms/dialog'
import { Failure } from '#components/base/forms/failure'
import { Button } from '#components/kit/button'
import { Heading, Row, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import type { ScopeImpact } from '#lib/caller/scopes/scopes.schema'
import { Effects, isQuiet, Refusals } from './impact-lists'

/** A query of the impact, which starts when the dialog opens. */
type ImpactRead = {
  impact: ScopeImpact | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

type ImpactDialogProps = {
  title: string
  read: ImpactRead
  /** The heading over the refusals. */
  refusedTitle: string
  confirmLabel: string
  busyLabel?: string
  busy?: boolean
  /** Why the change itself failed. */
  error?: Error | null
  /** Goes back one step, if there is one. */
  back?: { label: string; onBack: () => void }
  onConfirm: () => void
  onCancel: () => void
}

/** Before a scope changes: all refusals of the change, and its effects on users. */
export function ImpactDialog(props: ImpactDialogProps) {
  const { title, read, refusedTitle, confirmLabel, busyLabel, busy, error, back, onConfirm, onCancel } = props
  const say = useTranslations('scopes.impact')
  const words = useTranslations('common')
  const { impact } = read
  const isRefused = impact !== undefined && impact.refusals.length > 0
  return (
    <Dialog
      header={title}
      size="large"
      onDismiss={onCancel}
      actions={
        <Row>
          <Button look="quiet" onPress={onCancel}>
            {words('cancel')}
          </Button>
          {back && <Button onPress={back.onBack}>{back.label}</Button>}
          {isRefused && (
            <Button busy={read.isFetching} onPress={() => read.refetch()}>
              {say('again')}
            </Button>
          )}
          <ChangeTool
            look="main"
            disabled={!impact}
            refused={isRefused ? say('refusedReason') : undefined}
            busy={busy}
            busyText={busyLabel}
            onPress={onConfirm}
          >
            {confirmLabel}
          </ChangeTool>
        </Row>
      }
    >
      {error && <Failure error={error} />}
      <ImpactFacts read={read} refusedTitle={refusedTitle} />
    </Dialog>
  )
}

/** The impact, or that it is loading, or why it failed to load. */
export function ImpactFacts({ read, refusedTitle }: { read: ImpactRead; refusedTitle: string }) {
  const say = useTranslations('scopes.impact')
  const { impact, error, refetch } = read
  if (!impact) {
    if (error) return <Failure error={error} retry={() => refetch()} />
    return (
      <div role="status">
        <Status kind="busy">{say('asking')}</Status>
      </div>
    )
  }
  const isRefused = impact.refusals.length > 0
  return (
    <Stack gap="l">
      {isRefused && <Refusals title={refusedTitle} refusals={impact.refusals} />}
      {!(isRefused && isQuiet(impact)) && (
        <Stack>
          <Heading level={2}>{say('effects')}</Heading>
          <Effects impact={impact} />
        </Stack>
      )}
    </Stack>
  )
}
