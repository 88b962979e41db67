import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Spinner from '@cloudscape-design/components/spinner'
import { useTranslations } from 'use-intl'
import { useTranslateFault } from '#components/base/screens/words'
import { ApiFailure } from '#lib/client/api'
import { type Fault, faultsOf, headingOf } from './failure-parts'
import { Why } from './why'

/** One refusal in the user's language, with its code. The details of the case come from the API, in English. */
export function FaultText({ fault }: { fault: Fault }) {
  const { text, detail } = useTranslateFault()(fault)
  return (
    <>
      {text} <Box variant="code">{fault.code}</Box>
      {detail && (
        <Box variant="small" display="block" color="inherit">
          <span lang="en">{detail}</span>
        </Box>
      )}
    </>
  )
}

/** The request id, for the log of the server. */
export function RequestId({ id }: { id: string | undefined }) {
  const say = useTranslations('common')
  if (!id) return null
  return (
    <Box variant="small" display="block" margin={{ top: 'xxs' }} color="inherit">
      {say('requestId')} <Box variant="code">{id}</Box>
    </Box>
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
      <Alert
        type="error"
        header={say(`failure.${headingOf(error)}`)}
        action={
          retry && (
            <Button formAction="none" onClick={() => retry()}>
              {say('tryAgain')}
            </Button>
          )
        }
        i18nStrings={{ errorIconAriaLabel: say('errorIcon') }}
      >
        <FailureText error={error} />
      </Alert>
    </div>
  )
}

/** In place of a query's data: the spinner, or the failure. `boxed`: in a container, like a form. */
export function Waiting({ read, boxed = false }: { read: WaitingRead; boxed?: boolean }) {
  const state = read.error ? (
    <Failure error={read.error} retry={() => void read.refetch()} />
  ) : (
    <Spinner size="large" />
  )
  return boxed ? <Container>{state}</Container> : state
}

type WaitingRead = { error: Error | null; refetch: () => Promise<unknown> }
