import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { ResourceForm } from '#components/base/forms/resource-form'
import { type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { Page } from '#components/frame/layout/page'
import { TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Switch } from '#components/kit/switch'
import { useOnce } from '#lib/client/once'
import { useFresh } from '#lib/client/resources.queries'
import { saveWebhook, webhookQuery } from '#lib/people/webhooks/webhooks.queries'
import type { WebhookDocument } from '#lib/people/webhooks/webhooks.schema'
import { PatternField } from './pattern-field'
import {
  checkWebhook,
  draftOf,
  emptyWebhook,
  sentWebhook,
  type WebhookDraft,
  type WebhookField,
} from './webhook-draft'

const readable = 800

export function Component() {
  const id = useId('webhook')
  return id === 0 ? <NewWebhook /> : <EditWebhook key={id} id={id} />
}

function NewWebhook() {
  const say = useTranslations('webhooks')
  const sayLayout = useTranslations('layout.navigation')
  return (
    <Page
      title={say('create')}
      breadcrumbs={[
        { text: sayLayout('settings'), href: paths.settings() },
        { text: say('title'), href: paths.webhooks() },
      ]}
      maxContentWidth={readable}
    >
      <WebhookForm />
    </Page>
  )
}

function EditWebhook({ id }: { id: number }) {
  const say = useTranslations('webhooks')
  const sayLayout = useTranslations('layout.navigation')
  const read = useFresh(webhookQuery(id))
  const name = read.data?.document.name ?? say('unknown', { id: String(id) })
  return (
    <Page
      title={say('form.edit', { name })}
      breadcrumbs={[
        { text: sayLayout('settings'), href: paths.settings() },
        { text: say('title'), href: paths.webhooks() },
        { text: name, href: paths.webhook(id) },
      ]}
      maxContentWidth={readable}
    >
      {read.data ? <WebhookForm read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}

function useWebhookForm(read: Read<WebhookDocument> | undefined) {
  const say = useTranslations('webhooks.form')
  const label = useTranslations('labels')
  const sayText = useTranslations('forms.faults')
  const sayState = useTranslations('webhooks.state')
  const navigate = useNavigate()
  const saving = useMutation(saveWebhook(useOnce()))
  return useResourceForm<WebhookDraft, WebhookDocument, WebhookField>({
    first: emptyWebhook,
    editing: {
      read,
      draftOf,
      shown: {
        name: { label: label('name'), text: String },
        url: { label: say('url'), text: String },
        events: { label: say('events'), text: (events) => events.join(', ') },
        active: { label: label('state'), text: (isActive) => sayState(isActive ? 'active' : 'inactive') },
        typed: null,
      },
    },
    check: (draft) => checkWebhook(say, sayText, draft),
    save: ({ draft, ...over }) => saving.mutateAsync({ body: sentWebhook(draft), ...over }),
    done: ({ name }) => say('saved', { name }),
    onDone: ({ id }) => void navigate(paths.webhook(id)),
  })
}

/** Creates a webhook, or changes one. */
function WebhookForm({ read }: { read?: Read<WebhookDocument> }) {
  const say = useTranslations('webhooks.form')
  const label = useTranslations('labels')
  const create = useTranslations('webhooks')('create')
  const form = useWebhookForm(read)
  const { draft, change, errors } = form
  const id = read?.data?.document.id
  return (
    <ResourceForm
      form={form}
      label={id === undefined ? create : undefined}
      back={id === undefined ? paths.webhooks() : paths.webhook(id)}
    >
      <Card>
        <Stack gap="l">
          <TextField
            {...form.field('name')}
            label={label('name')}
            hint={label('uniqueName')}
            required
            autoComplete="off"
          />
          <TextField
            {...form.field('url')}
            label={say('url')}
            hint={say('urlHint')}
            placeholder="https://example.com/hooks"
            type="url"
            spellCheck={false}
            required
            autoComplete="off"
          />
          <PatternField patterns={draft.events} typed={draft.typed} error={errors.events} onChange={change} />
          <Switch on={draft.active} about={say('activeHint')} onChange={(active) => change({ active })}>
            {say('active')}
          </Switch>
        </Stack>
      </Card>
    </ResourceForm>
  )
}
