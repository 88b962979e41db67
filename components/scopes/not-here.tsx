import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { Failure } from '#components/forms/failure'

/** Stands for content that is loading or failed to load. */
export const NotHere = ({ text, error, retry }: { text: string; error: Error | null; retry: () => void }) =>
  error ? <Failure error={error} retry={retry} /> : <StatusIndicator type="loading">{text}</StatusIndicator>
