import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { Seconds } from '#components/base/session/waiting-time'

type SendFormProps = {
  text: string
  loadingText: string
  isSending: boolean
  /** A failure that belongs to no field. */
  failure: unknown
  /** Seconds until another attempt is allowed; 0 if now. */
  wait: number
  tooMany: string
}

/** The end of each form: its failure, and the button that sends it. */
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
