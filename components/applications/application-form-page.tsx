import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { faultsByField } from '#components/forms/form-faults'
import { LeaveGuard } from '#components/forms/leave-guard'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { useSession } from '#components/session/session'
import { registerApplication } from '#lib/oauth/applications.queries'
import { checkApplication, emptyApplication, fieldOfFault, sentApplication } from './application-draft'
import { ApplicationForm } from './application-form'

export function Component() {
  const say = useTranslations('applications.form')
  const sayText = useTranslations('datacenters.faults')
  const sayAccount = useTranslations('account')
  const session = useSession()
  const notify = useFlash()
  const navigate = useNavigate()
  const isRegistered = useRef(false)
  const [draft, setDraft] = useState(emptyApplication)
  const [tries, setTries] = useState(0)
  const saving = useMutation(registerApplication(session))
  const faults = checkApplication(say, sayText, draft)
  const refused = faultsByField(saving.error, fieldOfFault)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (saving.isPending || Object.keys(faults).length > 0) return
    saving.mutate(sentApplication(draft), {
      onSuccess: ({ id, name }) => {
        isRegistered.current = true
        notify({ type: 'success', content: say('registered', { name }) })
        void navigate(paths.application(id), { replace: true })
      },
    })
  }
  return (
    <Page
      title={say('title')}
      breadcrumbs={[{ text: sayAccount('title'), href: paths.account() }]}
      maxContentWidth={800}
    >
      <LeaveGuard
        loses={() => !isRegistered.current && JSON.stringify(draft) !== JSON.stringify(emptyApplication)}
        header={say('leave')}
      >
        {say('leaveText')}
      </LeaveGuard>
      <ApplicationForm
        draft={draft}
        errors={{ ...refused.fields, ...(tries > 0 && faults) }}
        failure={refused.rest}
        tries={tries}
        isSaving={saving.isPending}
        onChange={(changes) => setDraft({ ...draft, ...changes })}
        onSubmit={submit}
      />
    </Page>
  )
}
