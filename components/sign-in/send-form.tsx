import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { Seconds } from '#components/session/waiting-time'

type SendFormProps = {
  text: string
  loadingText: string
  isSending: boolean
  /** What is wrong beyond the fields. */
  failure: unknown
  /** Seconds to wait after too many attempts; 0: none. */
  wait: number
  tooMany: string
}

/** The end of each form: what went wrong with it as a whole, and the button. */
export function SendForm({ text, loadingText, isSending, failure, wait, tooMany }: SendFormProps) {
  const say = useTranslations('signIn')
  const sayCommon = useTranslations('common')
  return (
    <SpaceBetween size="m">
      {failure !== null && <Failure error={failure} />}
      {wait > 0 && (
        <Alert type="warning" i18nStrings={{ warningIconAriaLabel: sayCommon('warningIcon') }}>
          <span role="alert">{tooMany}</span> {say.rich('waitFor', { left: () => <Seconds left={wait} /> })}
        </Alert>
      )}
      <Button variant="primary" fullWidth loading={isSending} loadingText={loadingText} disabled={wait > 0}>
        {failure === null ? text : sayCommon('tryAgain')}
      </Button>
    </SpaceBetween>
  )
}
