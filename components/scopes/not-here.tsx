import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { Failure } from '#components/forms/failure'

/** In place of what is on its way, or failed to come. */
export const NotHere = ({ text, error, retry }: { text: string; error: Error | null; retry: () => void }) =>
  error ? <Failure error={error} retry={retry} /> : <StatusIndicator type="loading">{text}</StatusIndicator>
