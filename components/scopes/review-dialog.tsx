import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { ApiFault } from '#lib/client/api'
import { impactQuery, type ScopeBody, type ScopeName } from '#lib/scopes/scopes.queries'
import { ImpactDialog } from './impact-dialog'

type ReviewDialogProps = {
  /** As it is called now. */
  scope: ScopeName
  /** The document that is about to be saved. */
  body: ScopeBody
  busy: boolean
  onConfirm: () => void
  /** Back to the form, with what refuses the change. */
  onClose: (refusals: ApiFault[]) => void
}

/** Before the form of a scope is saved: what that changes for whom. */
export function ReviewDialog({ scope: { id, name }, body, busy, onConfirm, onClose }: ReviewDialogProps) {
  const say = useTranslations('scopes.review')
  const asked = useQuery(impactQuery(id, body))
  return (
    <ImpactDialog
      title={say('title', { name })}
      asking={{ ...asked, impact: asked.data }}
      refusedTitle={say('refused')}
      confirmLabel={say('confirm')}
      busyLabel={say('busy')}
      busy={busy}
      error={null}
      onConfirm={onConfirm}
      onCancel={() => onClose(asked.data?.refusals.map(({ code, message }) => ({ code, message })) ?? [])}
    />
  )
}
