import { useTranslations } from 'use-intl'
import { useTranslateFault } from '#components/base/screens/words'
import { Button } from '#components/kit/button'
import { Card } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Spinner } from '#components/kit/spinner'
import { ApiFailure } from '#lib/client/api'
import { type Fault, faultsOf, headingOf } from './failure-parts'
import { Why } from './why'

/** One refusal in the user's language, with its code. The details of the case come from the API, in English. */
export function FaultText({ fault }: { fault: Fault }) {
  const { text, detail } = useTranslateFault()(fault)
  return (
    <>
      {text} <code>{fault.code}</code>
      {detail && (
        <div className="small">
          <span lang="en">{detail}</span>
        </div>
      )}
    </>
  )
}

/** The request id, for the log of the server. */
export function RequestId({ id }: { id: string | undefined }) {
  const say = useTranslations('common')
  if (!id) return null
  return (
    <div className="small">
      {say('requestId')} <code>{id}</code>
    </div>
  )
}

/** Every refusal with its code, and the request id: for a flash message, a field or other text. */
export const FailureText = ({ error }: { error: unknown }) => (
  <>
    {faultsOf(error).map((fault) => (
      <div key={`${fault.code} ${fault.message}`}>
        <FaultText fault={fault} />
      </div>
    ))}
    {error instanceof ApiFailure && error.status === 403 && <Why call={error.call} />}
    <RequestId id={error instanceof ApiFailure ? error.requestId : undefined} />
  </>
)

/** A failed call, with codes, request id and a button that tries again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const say = useTranslations('common')
  return (
    <div role="alert">
      <Notice
        kind="bad"
        title={say(`failure.${headingOf(error)}`)}
        action={retry && <Button onPress={() => retry()}>{say('tryAgain')}</Button>}
      >
        <FailureText error={error} />
      </Notice>
    </div>
  )
}

/** In place of a query's data: the spinner, or the failure. `boxed`: in a container, like a form. */
export function Waiting({ read, boxed = false }: { read: WaitingRead; boxed?: boolean }) {
  const state = read.error ? <Failure error={read.error} retry={() => void read.refetch()} /> : <Spinner />
  return boxed ? <Card>{state}</Card> : state
}

type WaitingRead = { error: Error | null; refetch: () => Promise<unknown> }
