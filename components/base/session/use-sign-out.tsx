import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { paths } from '#components/base/screens/paths'
import { signOut } from '#lib/caller/auth/session.queries'
import { flushPreferences } from '#lib/caller/preferences/preferences.queries'
import { useSession } from './session'

const logoutOf = { OPENID: '/api/auth/oidc/logout', SAML: '/api/auth/saml/logout' }

/** Ends the session here and at the provider. */
export function useSignOut(): { leave: () => void; isLeaving: boolean } {
  const { provider } = useSession()
  const say = useTranslations('layout.topBar')
  const client = useQueryClient()
  const notify = useFlash()
  const guard = useOneAtATime()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async () => {
      await flushPreferences(client)
      await signOut()
    },
    // Loads the page again, so that no data of this user stays in memory.
    onSuccess: () => window.location.assign(paths.signIn()),
    onError: (error) =>
      notify({ type: 'error', header: say('stillSignedIn'), content: <FailureText error={error} /> }),
  })
  return {
    leave: () => (provider ? window.location.assign(logoutOf[provider]) : guard(() => mutateAsync())),
    isLeaving: isPending,
  }
}
