import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
import { Failure, RequestId } from '#components/forms/failure'
import { ApiFailure } from '#lib/client/api'

type SaveProblemProps = {
  error: Error | null
  /** What no field shows. */
  rest: Error | undefined
  onReload: () => void
}

/** Why the form was not saved, as far as no field says it: somebody else was faster, or another fault. */
export function SaveProblem({ error, rest, onReload }: SaveProblemProps) {
  const say = useTranslations('scopes.form')
  const words = useTranslations('common')
  if (!error) return null
  if (error instanceof ApiFailure && error.status === 412) {
    return (
      <Alert
        type="warning"
        header={say('staleTitle')}
        action={
          <Button formAction="none" onClick={onReload}>
            {say('rebase')}
          </Button>
        }
        i18nStrings={{ warningIconAriaLabel: words('warningIcon') }}
      >
        {say('stale')}
      </Alert>
    )
  }
  if (rest) return <Failure error={rest} />
  return (
    <Alert type="error" header={say('notSaved')} i18nStrings={{ errorIconAriaLabel: words('errorIcon') }}>
      {say('lookAtFields')}
      <RequestId id={error instanceof ApiFailure ? error.requestId : undefined} />
    </Alert>
  )
}
