import { useState } from 'react'
import { Button } from '#components/kit/button'
import { Dialog } from '#components/kit/dialog'
import { TextField } from '#components/kit/field'
import { Notice } from '#components/kit/notice'
import { Skeleton } from '#components/kit/table'
import { toast } from '#components/kit/toast'
import { OneEnterprise } from './fields'
import { Sample } from './sample'
import styles from './showcase.module.css'

export const Messages = () => (
  <>
    <Sample title="Notice" as="stack">
      <Notice>
        The list shows the state of <strong>14 March, 10:30</strong>.
      </Notice>
      <Notice kind="good" title="Your address is confirmed." />
      <Notice kind="warn" title="Three addresses are in quarantine." action={<Button>Show them</Button>}>
        They can be attached again after 24 hours.
      </Notice>
      <Notice kind="bad" title="The server did not answer." action={<Button>Try again</Button>}>
        <small>
          Request <code>7f3a-19c2</code>
        </small>
      </Notice>
    </Sample>
    <Sample title="Toast">
      <Button
        onPress={() =>
          toast({
            text: '198.51.100.1 is attached to Albatros Airlines',
            actions: (
              <Button look="quiet" onPress={() => toast({ text: '198.51.100.1 is released' })}>
                Undo
              </Button>
            ),
          })
        }
      >
        Attach
      </Button>
      <Button onPress={() => toast({ text: '198.51.100.1 is held by Cobalt Pharma.', kind: 'bad' })}>
        Fail
      </Button>
    </Sample>
    <Sample title="Dialog">
      <Dialogs />
    </Sample>
    <Sample title="Skeleton" as="stack">
      <div className={styles.low}>
        <Skeleton label="Loading addresses" />
      </div>
    </Sample>
  </>
)

function Dialogs() {
  const [open, setOpen] = useState<'form' | 'question'>()
  const [name, setName] = useState('Madrid public')
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onPress={() => setOpen('form')}>Change</Button>
      <Button onPress={() => setOpen('question')}>Delete</Button>
      {open === 'form' && (
        <Dialog
          title="Change the network"
          onClose={close}
          actions={
            <>
              <Button onPress={close}>Cancel</Button>
              <Button look="main" onPress={close}>
                Change
              </Button>
            </>
          }
        >
          <TextField label="Network" value={name} onChange={setName} />
          <OneEnterprise />
        </Dialog>
      )}
      {open === 'question' && (
        <Dialog
          isAlert
          title="Delete Madrid public?"
          onClose={close}
          actions={
            <>
              <Button onPress={close}>Cancel</Button>
              <Button look="danger" onPress={close}>
                Delete
              </Button>
            </>
          }
        >
          <p>
            Its <strong>254 addresses</strong> and 12 rules are deleted too. An undo restores them.
          </p>
        </Dialog>
      )}
    </>
  )
}
