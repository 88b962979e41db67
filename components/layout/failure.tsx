import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { ApiFailure } from '#lib/client/api'

const headings: Record<number, string> = {
  0: 'The server cannot be reached',
  401: 'Your session had ended',
  403: 'You may not do this',
  404: 'Not found',
  412: 'Changed by somebody else',
  429: 'Too many attempts',
}

const headingOf = (error: unknown): string => {
  if (!(error instanceof ApiFailure)) return 'Something went wrong'
  return (
    headings[error.status] ?? (error.status < 500 ? 'This could not be done' : 'The server had a problem')
  )
}

const ownFault = {
  code: 'CONSOLE',
  message: 'The console itself ran into a fault. Loading the page again often helps.',
}

const faultsOf = (error: unknown): readonly { code: string; message: string }[] =>
  error instanceof ApiFailure ? error.faults : [ownFault]

/** What went wrong, with each code and the request id: for a flash message or inside other text. */
export function FailureText({ error }: { error: unknown }) {
  const requestId = error instanceof ApiFailure ? error.requestId : undefined
  return (
    <>
      {faultsOf(error).map(({ code, message }) => (
        <div key={`${code} ${message}`}>
          {message} <Box variant="code">{code}</Box>
        </div>
      ))}
      {requestId && (
        <Box variant="small" display="block" margin={{ top: 'xxs' }} color="inherit">
          Request id <Box variant="code">{requestId}</Box>
        </Box>
      )}
    </>
  )
}

/** A call that failed: what, with code and request id, and a way on. */
export const Failure = ({ error, retry }: { error: unknown; retry?: () => void }) => (
  <div role="alert">
    <Alert
      type="error"
      header={headingOf(error)}
      action={retry && <Button onClick={() => retry()}>Try again</Button>}
      i18nStrings={{ errorIconAriaLabel: 'Error' }}
    >
      <FailureText error={error} />
    </Alert>
  </div>
)
