import { type FieldErrors, textFaults } from '#components/base/forms/form-faults'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import type { ApplicationDraft as SentApplication } from '#lib/people/applications/applications.queries'
import { applicationInput } from '#lib/people/applications/applications.schema'
import type { Say } from '#lib/words/words'

export type ApplicationDraft = {
  name: string
  description: string
  publicKey: string
  reach: 'all' | 'some'
  privileges: readonly Privilege[]
}

export type ApplicationField = 'name' | 'description' | 'privileges' | 'publicKey'

export const emptyApplication: ApplicationDraft = {
  name: '',
  description: '',
  publicKey: '',
  reach: 'all',
  privileges: [],
}

/** The id of a privilege in the API. */
const idOf = (name: Privilege): number => allPrivileges.indexOf(name) + 1

/** The body to send. An empty list of privileges means all privileges of the user. */
export const sentApplication = ({
  reach,
  privileges,
  name,
  ...texts
}: ApplicationDraft): SentApplication => ({
  ...texts,
  name: name.trim(),
  privileges: reach === 'all' ? [] : privileges.map(idOf),
})

/** The faults of the draft, by field. */
export function checkApplication(
  say: Say<'applications.form'>,
  sayText: Say<'forms.faults'>,
  draft: ApplicationDraft,
): FieldErrors<ApplicationField> {
  const { name, description, publicKey } = sentApplication(draft)
  const issue = applicationInput.shape.publicKey.safeParse(publicKey).error?.issues[0]
  return {
    ...textFaults(sayText, applicationInput, { name, description }),
    ...(issue && {
      publicKey: issue.code === 'too_big' ? say('longKey', { max: Number(issue.maximum) }) : say('noKey'),
    }),
    ...(draft.reach === 'some' && draft.privileges.length === 0 && { privileges: say('missing') }),
  }
}
