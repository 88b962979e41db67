import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { resourceForm } from '#components/base/forms/declared-form'
import { textLine, toggle } from '#components/base/forms/field-kinds'
import { useId } from '#components/base/forms/ids'
import { paths } from '#components/base/screens/paths'
import { FormPage } from '#components/frame/layout/resource-page'
import { useOnce } from '#lib/client/once'
import { saveWebhook, webhookQuery } from '#lib/people/webhooks/webhooks.queries'
import { webhookInput } from '#lib/people/webhooks/webhooks.schema'
import { patterns } from './pattern-field'

const address = textLine({ type: 'url', placeholder: 'https://example.com/hooks', spellCheck: false })

export const webhookForm = resourceForm(webhookInput, {
  name: { as: textLine(), label: 'name', hint: 'uniqueName' },
  url: {
    as: address,
    label: 'webhooks.form.url',
    hint: 'webhooks.form.urlHint',
    missing: 'webhooks.form.noAddress',
    wrong: 'webhooks.form.noAddress',
  },
  events: {
    as: patterns,
    label: 'webhooks.form.events',
    hint: 'webhooks.form.eventsHint',
    missing: 'webhooks.form.noEvents',
    wrong: 'webhooks.form.noPattern',
  },
  active: {
    as: toggle({ name: 'webhooks.form.active', on: 'webhooks.state.active', off: 'webhooks.state.inactive' }),
    label: 'state',
    hint: 'webhooks.form.activeHint',
  },
})

export function Component() {
  const say = useTranslations('webhooks')
  const sayLayout = useTranslations('layout.navigation')
  const id = useId('webhook')
  const saving = useMutation(saveWebhook(useOnce()))
  return (
    <FormPage
      of={webhookForm}
      id={id}
      query={webhookQuery}
      above={[
        { text: sayLayout('settings'), href: paths.settings() },
        { text: say('title'), href: paths.webhooks() },
      ]}
      create={say('create')}
      edit={(name) => say('form.edit', { name })}
      nameOf={(webhook) => webhook?.name ?? say('unknown', { id: String(id) })}
      href={paths.webhook}
      save={({ draft, ...over }) => saving.mutateAsync({ body: draft, ...over })}
      done={({ name }) => say('form.saved', { name })}
    />
  )
}
