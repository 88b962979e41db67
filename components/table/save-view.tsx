import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { useFlash } from '#components/forms/flash'
import { useFieldFocus } from '#components/forms/use-field-focus'
import { faultOfView, type SavedView, viewLimits, viewNamed, withView } from './table-views'

type SaveViewProps = {
  visible: boolean
  views: readonly SavedView[]
  /** What the table shows now. */
  view: Omit<SavedView, 'name'>
  onSave: (views: readonly SavedView[]) => void
  onClose: () => void
}

/** Gives what the table shows now a name; under the name of another view it takes that one's place. */
export function SaveView({ visible, ...form }: SaveViewProps) {
  const say = useTranslations('layout.views')
  const sayCommon = useTranslations('common')
  const id = useId()
  return (
    <Dialog
      visible={visible}
      header={say('save')}
      onDismiss={form.onClose}
      actions={
        <>
          <Button variant="link" onClick={form.onClose}>
            {sayCommon('cancel')}
          </Button>
          <Button variant="primary" form={id}>
            {sayCommon('save')}
          </Button>
        </>
      }
    >
      <ViewForm id={id} {...form} />
    </Dialog>
  )
}

type FormProps = Omit<SaveViewProps, 'visible'> & { id: string }

function ViewForm({ id, views, view, onSave, onClose }: FormProps) {
  const say = useTranslations('layout.views')
  const collator = new Intl.Collator(useLocale())
  const notify = useFlash()
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState('')
  const [tries, setTries] = useState(0)
  useFieldFocus(form, tries)

  const name = typed.trim()
  const next = withView(views, { name, ...view }, collator)
  const fault = faultOfView(name, next)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (fault) return
    onSave(next)
    onClose()
    notify({ type: 'success', content: say('saved', { name }) })
  }

  return (
    <form ref={form} id={id} noValidate onSubmit={submit}>
      <SpaceBetween size="m">
        <FormField
          label={say('name')}
          description={say('hint')}
          errorText={tries > 0 && fault && say(`fault.${fault}`, viewLimits)}
          warningText={viewNamed(views, name) && say('replaces')}
          stretch
        >
          <Input
            name="view"
            autoComplete={false}
            value={typed}
            onChange={({ detail }) => setTyped(detail.value)}
          />
        </FormField>
        {views.length > 0 && (
          <SpaceBetween direction="horizontal" size="s">
            <span>{say('orReplace')}</span>
            {views.map(({ name: other }) => (
              <Button key={other} variant="inline-link" formAction="none" onClick={() => setTyped(other)}>
                {other}
              </Button>
            ))}
          </SpaceBetween>
        )}
      </SpaceBetween>
    </form>
  )
}
