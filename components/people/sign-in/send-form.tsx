import { useTranslations } from 'use-intl'
import { FailureNotice } from '#components/base/forms/failure-notice'
import { Seconds } from '#components/base/session/waiting-time'
import { Button } from '#components/kit/button'
import { Notice } from '#components/kit/notice'

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
    <>
      {failure !== null && <FailureNotice error={failure} />}
      {wait > 0 && (
        <Notice kind="warn">
          <span role="alert">{tooMany}</span> {say.rich('waitFor', { left: () => <Seconds left={wait} /> })}
        </Notice>
      )}
      <Button look="main" type="submit" wide busy={isSending} refused={wait > 0 ? tooMany : undefined}>
        {failure === null ? text : sayCommon('tryAgain')}
      </Button>
      <span role="status" className="unseen">
        {isSending && loadingText}
      </span>
    </>
  )
}
