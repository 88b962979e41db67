import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import type { ScopeImpact } from '#lib/scopes/scopes.schema'
import { Effects, isQuiet, Refusals } from './impact-lists'

/** The impact of a change as far as it is known: it is asked for when the dialog opens. */
type Asking = {
  impact: ScopeImpact | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

type ImpactDialogProps = {
  title: string
  asking: Asking
  /** Over what refuses the change. */
  refusedTitle: string
  confirmLabel: string
  busyLabel: string
  busy: boolean
  /** Why the change itself failed. */
  error: Error | null
  /** A step back, where there is one. */
  back?: { label: string; onBack: () => void }
  onConfirm: () => void
  onCancel: () => void
}

/** Before a scope changes: everything that refuses it, and what changes for whom. */
export function ImpactDialog(props: ImpactDialogProps) {
  const { title, asking, refusedTitle, confirmLabel, busyLabel, busy, error, back, onConfirm, onCancel } =
    props
  const say = useTranslations('scopes.impact')
  const words = useTranslations('common')
  const { impact } = asking
  const isRefused = impact !== undefined && impact.refusals.length > 0
  return (
    <Dialog
      header={title}
      size="large"
      onDismiss={onCancel}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onCancel}>
            {words('cancel')}
          </Button>
          {back && <Button onClick={back.onBack}>{back.label}</Button>}
          {isRefused && (
            <Button loading={asking.isFetching} onClick={() => asking.refetch()}>
              {say('again')}
            </Button>
          )}
          <Button
            variant="primary"
            disabled={!impact || isRefused}
            {...(isRefused && { disabledReason: say('refusedReason') })}
            loading={busy}
            loadingText={busyLabel}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </SpaceBetween>
      }
    >
      {error && <Failure error={error} />}
      <ImpactFacts asking={asking} refusedTitle={refusedTitle} />
    </Dialog>
  )
}

/** What is known of the impact, or that it is on its way, or why it did not come. */
export function ImpactFacts({ asking, refusedTitle }: { asking: Asking; refusedTitle: string }) {
  const say = useTranslations('scopes.impact')
  const { impact, error, refetch } = asking
  if (!impact) {
    if (error) return <Failure error={error} retry={() => refetch()} />
    return (
      <div role="status">
        <StatusIndicator type="loading">{say('asking')}</StatusIndicator>
      </div>
    )
  }
  const isRefused = impact.refusals.length > 0
  return (
    <SpaceBetween size="l">
      {isRefused && <Refusals title={refusedTitle} refusals={impact.refusals} />}
      {!(isRefused && isQuiet(impact)) && (
        <SpaceBetween size="s">
          <Header variant="h2">{say('effects')}</Header>
          <Effects impact={impact} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
