import type { UseMutationResult } from '@tanstack/react-query'
import { FailureText } from './failure'
import { type FlashMessage, useFlash } from './flash'
import { useOneAtATime } from './one-at-a-time'

type Report<Data, Input> = {
  /** The message about a success; a string becomes one of type `success`. */
  done: (data: Data, input: Input) => string | FlashMessage
  /** The heading of the message about a failure, or another message. Without it the caller shows `mutation.error` itself. */
  failed?: (input: Input, error: Error) => string | FlashMessage
  /** Called after a success, while the component is still mounted: closes a dialog, leaves a page. */
  onDone?: (data: Data, input: Input) => void
  onError?: (error: Error) => void
}

/**
 * The one way to start a mutation from a button: ignores a second click while it runs, and reports the result as a flash message.
 * `const end = useAction(useMutation(endSession()), { done: () => say('ended'), onDone: close })`, then `end(session)`.
 */
export function useAction<Data, Input>(
  mutation: UseMutationResult<Data, Error, Input>,
  { done, failed, onDone, onError }: Report<Data, Input>,
): (input: Input) => void {
  const notify = useFlash()
  const guard = useOneAtATime()
  const report = {
    onSuccess: (data: Data, input: Input) => {
      notify(done(data, input))
      onDone?.(data, input)
    },
    onError: (error: Error, input: Input) => {
      const message = failed?.(input, error)
      if (typeof message === 'string')
        notify({ type: 'error', header: message, content: <FailureText error={error} /> })
      else if (message) notify(message)
      onError?.(error)
    },
  }
  return (input) => guard(() => mutation.mutateAsync(input, report))
}
