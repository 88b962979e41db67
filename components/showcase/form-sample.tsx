import { type FormEvent, useState } from 'react'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Form, FormSection } from '#components/kit/form'
import { Switch } from '#components/kit/switch'
import { toast } from '#components/kit/toast'
import styles from './showcase.module.css'

export function FormSample() {
  const [name, setName] = useState('')
  const [isFaulty, setFaulty] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setFaulty(name === '')
    if (name !== '') toast({ text: `${name} is created` })
  }
  return (
    <div className={styles.box}>
      <Form
        title="New scope"
        onSubmit={save}
        actions={
          <>
            <Button look="main" type="submit">
              Create
            </Button>
            <Button onPress={() => setName('')}>Clear</Button>
          </>
        }
      >
        <FormSection title="Name" about="Users see it in lists, and where they choose a scope.">
          <TextField
            label="Name"
            hint="At most 64 characters."
            error={isFaulty && name === '' ? 'Give the scope a name.' : undefined}
            value={name}
            onChange={setName}
          />
        </FormSection>
        <FormSection title="Enterprises" about="A scope limits its users to these enterprises.">
          <Switch on={isOpen} about="Also those that are created later." onChange={setOpen}>
            All enterprises
          </Switch>
        </FormSection>
      </Form>
    </div>
  )
}
