import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { flushPreferences } from '#lib/caller/preferences/preferences.queries'
import { useOnce } from '#lib/client/once'
import { namedBy } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { seeAs } from '#lib/people/identity/users.queries'
import { useLacking, usePrivilegeList } from './use-user-refusals'

/** Shows the console as this user sees it, for those who may ask what users may do. */
export function SeeAsButton({ user }: { user: UserDocument }) {
  const say = useTranslations('users.seeAs')
  const [isAsking, setAsking] = useState(false)
  const { id, isPast, viewer } = useSession()
  const mayAsk = useMay(...access.askAccess)
  const refused = useRefusal(user)
  if (!mayAsk || isPast || viewer || user.id === id) return null
  return (
    <>
      <Tool icon={screenIcons.view} refused={refused} aria-haspopup="dialog" onPress={() => setAsking(true)}>
        {say('button')}
      </Tool>
      {isAsking && <SeeAsDialog user={user} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Why the caller may not. The server knows about scopes. */
function useRefusal(user: UserDocument): string | undefined {
  const say = useTranslations('users')
  const lacking = useLacking(namedBy(user, 'role')?.id)
  const listOf = usePrivilegeList()
  const { nick } = user
  if (!user.active || user.locked) return say('seeAs.shut', { nick })
  return lacking.length > 0 ? say('refusal.holdsMorePrivileges', { names: listOf(lacking) }) : undefined
}

function SeeAsDialog({ user, onClose }: { user: UserDocument; onClose: () => void }) {
  const say = useTranslations('users.seeAs')
  const client = useQueryClient()
  const once = useOnce()
  const { nick } = user
  const mutation = useMutation({
    mutationFn: async (seen: UserDocument) => {
      await flushPreferences(client)
      await seeAs(seen, once)
    },
  })
  return (
    <Confirm
      title={say('title', { nick })}
      label={say('start', { nick })}
      mutation={mutation}
      input={user}
      done={() => say('done', { nick })}
      // Loads the page again, so that no data of the caller stays in memory.
      onDone={() => window.location.assign(paths.home())}
      onCancel={onClose}
    >
      {say('about', { nick })}
    </Confirm>
  )
}
