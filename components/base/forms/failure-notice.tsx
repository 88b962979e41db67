import { useTranslations } from 'use-intl'
import { useTranslateFault } from '#components/base/screens/words'
import { Button } from '#components/kit/button'
import { Notice } from '#components/kit/notice'
import { ApiFailure } from '#lib/client/api'
import { type Fault, faultsOf, headingOf } from './failure-parts'

/** A failed call, with codes, request id and a button that tries again. */
export function FailureNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const say = useTranslations('common')
  return (
    <Notice
      kind="bad"
      role="alert"
      title={say(`failure.${headingOf(error)}`)}
      action={retry && <Button onPress={retry}>{say('tryAgain')}</Button>}
    >
      {faultsOf(error).map((fault) => (
        <FaultLine key={`${fault.code} ${fault.message}`} fault={fault} />
      ))}
      <RequestLine id={error instanceof ApiFailure ? error.requestId : undefined} />
    </Notice>
  )
}

function FaultLine({ fault }: { fault: Fault }) {
  const { text, detail } = useTranslateFault()(fault)
  return (
    <div>
      {text} <code>{fault.code}</code>
      {detail && <small lang="en">{detail}</small>}
    </div>
  )
}

/** The request id, for the log of the server. */
export function RequestLine({ id }: { id: string | undefined }) {
  const say = useTranslations('common')
  if (!id) return null
  return (
    <small>
      {say('requestId')} <code>{id}</code>
    </small>
  )
}
