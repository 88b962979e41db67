import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { DeclaredFields, resourceForm, useDeclaredForm } from '#components/base/forms/declared-form'
import { textLine, toggle } from '#components/base/forms/field-kinds'
import { useId } from '#components/base/forms/ids'
import { ResourceForm } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { ResourcePage } from '#components/frame/layout/resource-page'
import { Card } from '#components/kit/layout'
import { useOnce } from '#lib/client/once'
import { saveWebhook, webhookQuery } from '#lib/people/webhooks/webhooks.queries'
import { type WebhookDocument, webhookInput } from '#lib/people/webhooks/webhooks.schema'
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
  return (
    <ResourcePage
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
    >
      {(read) => <WebhookForm id={id} read={read} />}
    </ResourcePage>
  )
}

/** Creates a webhook, or changes one. */
function WebhookForm({ id, read }: { id: number; read: Read<WebhookDocument> | undefined }) {
  const say = useTranslations('webhooks')
  const navigate = useNavigate()
  const saving = useMutation(saveWebhook(useOnce()))
  const form = useDeclaredForm(webhookForm, {
    read,
    save: ({ draft, ...over }) => saving.mutateAsync({ body: draft, ...over }),
    done: ({ name }) => say('form.saved', { name }),
    onDone: (saved) => void navigate(paths.webhook(saved.id)),
  })
  return (
    <ResourceForm form={form} label={say('create')} back={read ? paths.webhook(id) : paths.webhooks()}>
      <Card>
        <DeclaredFields of={webhookForm} form={form} />
      </Card>
    </ResourceForm>
  )
}
