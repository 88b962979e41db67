import { useMutation } from '@tanstack/react-query'
import { takeBackTwoFactor } from '#lib/auth/two-factor.queries'

/** Takes an enrolment back whose codes nobody has proved yet. */
export function useTakeBack(onTakenBack?: () => void) {
  const takeBack = useMutation({
    ...takeBackTwoFactor(),
    // Not with `mutate`: what has offered it may be gone by then, with the state that it was about.
    onSettled: (_data, error) => {
      if (!error) onTakenBack?.()
    },
  })
  return { start: () => takeBack.mutate(), isPending: takeBack.isPending, error: takeBack.error }
}
